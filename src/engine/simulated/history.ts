// The engine's event history: bounded like Docker's, and the count of what wakes who waits.

import { uidOf } from "../../core/labels.ts";
import type { Container, World } from "./world.ts";

/** Docker keeps the last 256 events of all kinds and objects. */
const KEPT = 256;

const QUIET = new Set(["exec_create", "exec_start", "exec_die", "connect", "disconnect", "update"]);

/** Adds an event about a container. */
export function record(world: World, container: Container, action: string): void {
  world.events.push({ at: world.now, action, id: container.id });
  if (world.events.length > KEPT) world.events.splice(0, world.events.length - KEPT);
  if (!QUIET.has(action) && uidOf(container.labels) !== undefined) world.wakeUps += 1;
}

/** Those of the given containers that the history saw a signal go to since then (ms); `since` counts whole seconds. */
export function signalledSince(
  { events }: World,
  ids: readonly string[],
  since: number,
): readonly string[] {
  const from = wholeSecond(since);
  const kills = events.filter(({ action, at }) => action === "kill" && at >= from);
  const found = new Set(kills.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

/** A time as `Date` headers tell it. */
export function wholeSecond(milliseconds: number): number {
  return Math.floor(milliseconds / 1000) * 1000;
}
