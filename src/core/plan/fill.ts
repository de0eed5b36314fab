// Creates what is missing: never more than there is room for, never two in a slot unless surge was asked for.

import { failuresUpTo, hasFailed, rememberedFailures } from "../backoff.ts";
import { workerName } from "../names.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import { because, type Why, whyOld } from "./why.ts";

/** Creates workers of the given revision in the slots that lack one. */
export function fill(draft: Draft, revision: string): void {
  if (mustWaitForOld(draft)) return;
  const { replicas, maxSurge } = draft.scene.limits;
  for (const slot of slotsToFill(draft, revision)) {
    if (draft.existing() >= replicas + maxSurge) return;
    draft.create(slot, failuresIn(draft, slot, revision), revision, whyNew(draft, slot));
  }
}

/** Names of the workers that are still to be made, by this pass or a later one: all of them must be free. */
export function namesToCome(draft: Draft, revision: string): readonly string[] {
  const { identity, limits } = draft.scene;
  const filled = filledSlots(draft, revision);
  const slots = Array.from({ length: limits.replicas }, (_, index) => index + 1);
  return slots
    .filter((slot) => !filled.has(slot))
    .map((slot) => workerName(identity, slot, revision, failuresIn(draft, slot, revision) + 1));
}

/** Recreate: all old workers are gone before the first new one. */
function mustWaitForOld(draft: Draft): boolean {
  if (draft.scene.spec?.rollout.strategy !== "Recreate") return false;
  return draft.remaining().some((worker) => !isCurrent(worker));
}

/** Empty slots first; with surge also those whose worker is to be replaced. */
function slotsToFill(draft: Draft, revision: string): readonly number[] {
  const { replicas, maxSurge } = draft.scene.limits;
  const filled = filledSlots(draft, revision);
  const occupied = draft.occupiedSlots();
  const slots = Array.from({ length: replicas }, (_, index) => index + 1);
  const lacking = slots.filter((slot) => !filled.has(slot));
  const empty = lacking.filter((slot) => !occupied.has(slot));
  if (maxSurge === 0) return empty;
  return [...empty, ...lacking.filter((slot) => occupied.has(slot))];
}

/** Slots with a worker of the desired revision, made or perhaps made. */
function filledSlots(draft: Draft, revision: string): ReadonlySet<number> {
  const made = draft.staying().filter(isCurrent);
  const uncertain = draft.scene.uncertain.filter((each) => each.revision === revision);
  return new Set([
    ...made.map((worker) => worker.labels.slot),
    ...uncertain.map(({ slot }) => slot),
  ]);
}

/** Failed attempts of a slot and revision, seen now or remembered. */
function failuresIn(draft: Draft, slot: number, revision: string): number {
  const failed = draft.scene.workers.filter(
    (worker) => worker.labels.slot === slot && isCurrent(worker) && hasFailed(worker),
  );
  const remembered = rememberedFailures(draft.scene.memory?.failures ?? [], slot, revision);
  return Math.max(remembered, ...failed.map(failuresUpTo));
}

/** A new worker is there for the reason its predecessor goes; without one, because it is missing. */
function whyNew(draft: Draft, slot: number): Why {
  const room = draft.reasonForRoom(slot);
  if (room !== undefined && room.reason !== "leaving") return room;
  const predecessor = draft.remaining().find((worker) => isOldIn(worker, slot));
  if (predecessor !== undefined) return whyOld(predecessor);
  return because("missing", `slot ${slot} has no worker`);
}

function isOldIn(worker: Worker, slot: number): boolean {
  return worker.labels.slot === slot && !isCurrent(worker);
}
