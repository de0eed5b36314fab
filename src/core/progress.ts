// Whether a rollout still gets on: measured against the best it has come to, and only while somebody looked.

import type { ProgressRecord } from "./status-types.ts";
import { fromIso, toIso } from "./time.ts";

/** How far a rollout has come: everything but `old` is better the more there are. */
export type Standing = Pick<
  ProgressRecord,
  "revision" | "replicas" | "updated" | "ready" | "available" | "old"
>;

/** Deadlines are kept to a quarter, so that waiting does not write a file at each look. */
const LOOKS_PER_DEADLINE = 4;

/**
 * The record after a look at `now` (engine time, ms). Time begins anew with a new revision or count, with more than was
 * ever reached, and after a gap in which nobody looked for as long as the deadline. While workers finish their jobs
 * (`isDraining`), which has limits of its own, no time counts.
 */
export function advance(
  before: ProgressRecord | undefined,
  standing: Standing,
  now: number,
  deadlineMs: number,
  isDraining: boolean,
): ProgressRecord {
  const time = toIso(now);
  if (before === undefined || !isSameGoal(before, standing) || isUnseen(before, now, deadlineMs)) {
    return { ...standing, at: time, seenAt: time };
  }
  if (isFurther(before, standing)) return { ...best(before, standing), at: time, seenAt: time };
  const isStale = now - moment(before.seenAt) >= deadlineMs / LOOKS_PER_DEADLINE;
  if (!isStale) return before;
  return { ...before, at: isDraining ? time : before.at, seenAt: time };
}

/** Engine time (ms) by which more must have been reached. */
export function progressDeadline({ at }: ProgressRecord, deadlineMs: number): number {
  return moment(at) + deadlineMs;
}

function isSameGoal(before: ProgressRecord, { revision, replicas }: Standing): boolean {
  return before.revision === revision && before.replicas === replicas;
}

function isUnseen({ seenAt }: ProgressRecord, now: number, deadlineMs: number): boolean {
  return now - moment(seenAt) > deadlineMs;
}

function isFurther(before: ProgressRecord, standing: Standing): boolean {
  const { updated, ready, available, old } = standing;
  return (
    updated > before.updated ||
    ready > before.ready ||
    available > before.available ||
    old < before.old
  );
}

/** The best of both, so that going to and fro is not taken for getting on. */
function best(before: ProgressRecord, standing: Standing): Standing {
  return {
    revision: standing.revision,
    replicas: standing.replicas,
    updated: Math.max(before.updated, standing.updated),
    ready: Math.max(before.ready, standing.ready),
    available: Math.max(before.available, standing.available),
    old: Math.min(before.old, standing.old),
  };
}

function moment(time: string): number {
  return fromIso(time) ?? 0;
}
