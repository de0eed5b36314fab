// `apply`: observe, plan, act, and again, until the engine is as declared or nothing more can be done.

import type { Interrupts } from "./execute.ts";
import { type ApplyDependencies, type ApplyOptions, type ApplyResult, Run } from "./run.ts";

/** Runs passes until settled, bounded or timed out. Throws `engine-*` when the engine cannot be observed. */
export async function apply(
  options: ApplyOptions,
  dependencies: ApplyDependencies,
  interrupts: Interrupts,
): Promise<ApplyResult> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const stop = AbortSignal.any([interrupts.stop, timeout]);
  const run = new Run(options, dependencies, { stop, abort: interrupts.abort });
  let plan = await run.look();
  if (!(await run.isApproved(plan))) return run.conclude(plan, "declined");
  for (;;) {
    await run.record(plan);
    const ending = run.endingAfter(plan, interrupts.stop.aborted);
    if (ending !== undefined) return run.conclude(plan, ending);
    if (plan.actions.length > 0) await run.act(plan);
    else await run.wait(plan);
    plan = await run.look();
  }
}
