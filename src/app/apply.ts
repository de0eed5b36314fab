// `apply`: observe, plan, act, and again, until the engine is as declared or nothing more can be done.

import type { Plan } from "../core/plan/types.ts";
import type { ApplyDependencies, ApplyOptions, ApplyResult } from "./apply-types.ts";
import type { Interrupts } from "./execute.ts";
import { Run } from "./run.ts";
import { startRealTimer } from "./timer.ts";

/**
 * Runs passes until settled, bounded or timed out. Throws `engine-*` when the engine cannot be observed, and `lock-held`
 * when another machine's run has the lease.
 */
export async function apply(
  options: ApplyOptions,
  dependencies: ApplyDependencies,
  interrupts: Interrupts,
): Promise<ApplyResult> {
  const timeout = new AbortController();
  const stop = AbortSignal.any([interrupts.stop, timeout.signal]);
  const run = new Run(options, dependencies, { stop, abort: interrupts.abort });
  // The time that a person takes to answer is not the run's.
  const { startTimer = startRealTimer } = dependencies;
  let cancel = () => {};
  try {
    const first = await run.look();
    if (!(await run.isApproved(first))) {
      return await run.conclude(first, interrupts.stop.aborted ? "interrupted" : "declined");
    }
    cancel = startTimer(options.timeoutMs, () => timeout.abort());
    return await passes(run, first, interrupts.stop);
  } finally {
    cancel();
    await run.release();
  }
}

async function passes(run: Run, first: Plan, interrupted: AbortSignal): Promise<ApplyResult> {
  let plan = first;
  for (;;) {
    await run.record(plan);
    const ending = run.endingAfter(plan, interrupted.aborted);
    if (ending !== undefined) return run.conclude(plan, ending);
    if (plan.actions.length > 0) await run.act(plan);
    else await run.wait(plan);
    plan = await run.look();
  }
}
