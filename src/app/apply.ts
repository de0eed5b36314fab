// `apply`: observe, plan, act, and again, until the engine is as declared or nothing more can be done.

import type { ApplyDependencies, ApplyOptions, ApplyResult } from "./apply-types.ts";
import type { Interrupts } from "./execute.ts";
import { Run } from "./run.ts";

/** Runs passes until settled, bounded or timed out. Throws `engine-*` when the engine cannot be observed. */
export async function apply(
  options: ApplyOptions,
  dependencies: ApplyDependencies,
  interrupts: Interrupts,
): Promise<ApplyResult> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs);
  try {
    const stop = AbortSignal.any([interrupts.stop, timeout.signal]);
    const run = new Run(options, dependencies, { stop, abort: interrupts.abort });
    return await passes(run, interrupts.stop);
  } finally {
    clearTimeout(timer);
  }
}

async function passes(run: Run, interrupted: AbortSignal): Promise<ApplyResult> {
  let plan = await run.look();
  if (!(await run.isApproved(plan))) return run.conclude(plan, "declined");
  for (;;) {
    await run.record(plan);
    const ending = run.endingAfter(plan, interrupted.aborted);
    if (ending !== undefined) return run.conclude(plan, ending);
    if (plan.actions.length > 0) await run.act(plan);
    else await run.wait(plan);
    plan = await run.look();
  }
}
