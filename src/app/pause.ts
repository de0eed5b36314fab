// How long a run that has nothing to do waits before it looks again, and for what.

import type { Plan } from "../core/plan/types.ts";

/** The engine's clock comes to the second: what is due now may take it that long to say so. */
const SHORTEST_MS = 100;
const LONGEST_MS = 1_000;

/** Milliseconds until something is due, within bounds. */
export function pauseAfter({ groups, now }: Plan): number {
  const dueAt = groups.map((group) => group.dueAt ?? Number.POSITIVE_INFINITY);
  return Math.min(LONGEST_MS, Math.max(Math.min(...dueAt) - now, SHORTEST_MS));
}

/** What is waited for, one phrase for each group that waits. */
export function awaited({ groups }: Plan): readonly string[] {
  return groups.flatMap(({ identity, waitingFor }) =>
    waitingFor.length === 0 ? [] : [`${identity.name}: ${waitingFor.join(", ")}`],
  );
}
