// Milestones, counted apart: existing is not started, started not ready, ready not available.

import { exists, isAlive } from "./assess.ts";
import type { Counts } from "./status-types.ts";
import { tally } from "./tally.ts";
import type { Worker } from "./worker.ts";

/** Counts the milestones of a group; `uncertain` creates count as observed but no further. */
export function countMilestones(
  workers: readonly Worker[],
  desired: number,
  uncertain: number,
): Counts {
  const inState = tally(workers);
  const existing = workers.filter(exists);
  return {
    desired,
    observed: existing.length + uncertain,
    scheduled: existing.length,
    started: existing.filter(isAlive).length,
    ready: inState("Ready", "Available"),
    available: inState("Available"),
    updated: existing.filter(isUpdated).length,
    draining: inState("Draining", "Stopping"),
    kept: inState("Kept"),
    uncertain,
  };
}

function isUpdated(worker: Worker): boolean {
  return worker.phase === undefined && worker.differences.length === 0;
}
