// Which worker goes first. A total order, so that the same observation always picks the same worker.

import type { Worker, WorkerState } from "../worker.ts";
import { compare } from "./scene.ts";

/** The worse goes first; states that no ranking meets come last. */
const RANK = {
  Exited: 1,
  StartFailed: 2,
  Created: 3,
  CrashLooping: 4,
  Unhealthy: 5,
  Starting: 6,
  Ready: 7,
  Completed: 8,
  Available: 9,
  Paused: 10,
  Draining: 11,
  Stopping: 11,
  Kept: 11,
  Failed: 11,
  Removing: 11,
  Dead: 11,
} as const satisfies Record<WorkerState, number>;

/** Sorts those to remove first to the front: worse state, then old revision, then highest slot, then id. */
export function worseFirst(one: Worker, other: Worker): number {
  return (
    RANK[one.state] - RANK[other.state] ||
    Number(isCurrent(one)) - Number(isCurrent(other)) ||
    other.labels.slot - one.labels.slot ||
    compare(one.facts.id, other.facts.id)
  );
}

/** Whether a worker is of the desired revision. */
export function isCurrent(worker: Worker): boolean {
  return worker.differences.length === 0;
}
