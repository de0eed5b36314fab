// The engine's event history: bounded like Docker's, and the count of what wakes who waits.

import { uidOf } from "../../core/labels.ts";
import type { Container, World } from "./world.ts";

/** Docker keeps the last 256 events of all kinds and objects. */
const KEPT = 256;

const QUIET = new Set(["exec_create", "exec_start", "exec_die", "connect", "disconnect", "update"]);

/** Adds an event about a container. */
export function record(world: World, container: Container, action: string): void {
  const { signals, events: number } = world;
  if (action === "kill") signals.push({ at: world.now, id: container.id, number });
  world.events = number + 1;
  while (signals[0] !== undefined && signals[0].number < world.events - KEPT) signals.shift();
  if (!QUIET.has(action) && uidOf(container.labels) !== undefined) world.wakeUps += 1;
}

/** Those of the given containers that the history saw a signal go to since then (ms). */
export function signalledSince(
  { signals }: World,
  ids: readonly string[],
  since: number,
): readonly string[] {
  const found = new Set(signals.filter(({ at }) => at >= since).map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

/** A time as `Date` headers tell it. */
export function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
