// How many workers are in which state: counted in one go, because a plan asks for many states.

import type { Worker, WorkerState } from "./worker.ts";

/** How many are in any of these states. */
export type Tally = (...states: readonly WorkerState[]) => number;

/** Counts workers by their state. */
export function tally(workers: readonly Worker[]): Tally {
  const counts = new Map<WorkerState, number>();
  for (const { state } of workers) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (...states) => states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
}
