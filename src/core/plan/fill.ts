// Starts, brings back and creates what is missing: never more than there is room for, never two in a slot unless surge
// was asked for.

import { hasEndedOnReturn, isAlive, isRemains } from "../assess.ts";
import { backoff, failedAt, failuresUpTo, rememberedFailure } from "../backoff.ts";
import { workerName } from "../names.ts";
import type { Worker } from "../worker.ts";
import { comeBack, create, start } from "./arrive.ts";
import type { Draft } from "./draft.ts";
import { keptFor } from "./keep.ts";
import { isCurrent } from "./rank.ts";
import { mustWaitForOthers, mustWaitForSlot } from "./side-by-side.ts";
import { because, type Why, whyOld } from "./why.ts";

/**
 * Starts workers that were created and never ran, and in each slot that lacks one of the given revision brings back the
 * one that is kept there, or creates one.
 */
export function fill(draft: Draft, revision: string): void {
  if (mustWaitForOthers(draft, revision, isCurrent)) return;
  startCreated(draft);
  for (const slot of slotsToFill(draft, revision)) {
    if (isFull(draft)) return;
    const removals = draft.admit(slot);
    if (removals === undefined) return;
    const kept = keptFor(draft, slot);
    if (kept !== undefined) {
      comeBackWhenDue(draft, kept, because("missing", "it was kept"), removals);
    } else {
      const failures = failuresIn(draft, slot, revision);
      create(draft, slot, failures, revision, whyNew(draft, slot), removals);
    }
  }
}

/** While the desired revision is blocked: an empty slot gets the worker back that is kept for it. */
export function bringBack(draft: Draft): void {
  const { replicas } = draft.scene.limits;
  const slots = Array.from({ length: replicas }, (_, index) => index + 1);
  const occupied = draft.occupiedSlots();
  const byOccupation = (one: number, other: number) =>
    Number(occupied.has(one)) - Number(occupied.has(other));
  for (const slot of slots.filter((each) => lacksOld(draft, each)).sort(byOccupation)) {
    const kept = keptFor(draft, slot);
    if (isFull(draft)) return;
    if (kept === undefined || (occupied.has(slot) && draft.scene.limits.maxSurge === 0)) continue;
    const isOfIt = (worker: Worker) => worker.labels.revision === kept.labels.revision;
    if (mustWaitForOthers(draft, kept.labels.revision, isOfIt)) continue;
    comeBackWhenDue(draft, kept, because("rollback", "the new revision failed"));
  }
}

/** Nothing serves in the slot, or only what a rollback with surge takes away once the old one serves again. */
function lacksOld(draft: Draft, slot: number): boolean {
  const { outlook, scene } = draft;
  const givesWay = (worker: Worker) =>
    outlook.isRollingBack && scene.limits.maxSurge > 0 && isCurrent(worker);
  const isThere = draft
    .staying()
    .some((worker) => worker.labels.slot === slot && !givesWay(worker));
  const isComing = scene.workers.some(
    (worker) => worker.labels.slot === slot && worker.phase?.kind === "kept" && isAlive(worker),
  );
  return !isThere && !isComing;
}

/** One that ended when it was brought back last time waits like any other that has failed. */
function comeBackWhenDue(
  draft: Draft,
  kept: Worker,
  why: Why,
  removals: readonly string[] = [],
): void {
  const at = hasEndedOnReturn(kept) ? failedAt(kept) + backoff(failuresUpTo(kept, undefined)) : 0;
  if (draft.scene.now < at) draft.due(at);
  else comeBack(draft, kept, why, removals);
}

function isFull(draft: Draft): boolean {
  const { replicas, maxSurge } = draft.scene.limits;
  return draft.existing() >= replicas + maxSurge;
}

function startCreated(draft: Draft): void {
  for (const worker of draft.staying()) {
    const isWanted = isCurrent(worker) && worker.labels.slot <= draft.scene.limits.replicas;
    if (worker.state === "Created" && isWanted && !mustWaitForSlot(draft, worker)) {
      start(draft, worker, because("missing", "created and never started"));
    }
  }
}

/** Names of the workers that are still to be made, by this pass or a later one: all of them must be free. */
export function namesToCome(draft: Draft, revision: string): readonly string[] {
  return lackingSlots(draft, revision)
    .filter((slot) => keptFor(draft, slot) === undefined)
    .map((slot) => nameIn(draft, slot, revision));
}

function nameIn(draft: Draft, slot: number, revision: string): string {
  const attempt = failuresIn(draft, slot, revision) + 1;
  return workerName(draft.scene.identity, slot, revision, attempt);
}

/** Empty slots first; with surge also those whose worker is to be replaced. */
function slotsToFill(draft: Draft, revision: string): readonly number[] {
  const occupied = draft.occupiedSlots();
  const lacking = withFreeNames(draft, lackingSlots(draft, revision), revision);
  const empty = lacking.filter((slot) => !occupied.has(slot));
  if (draft.scene.limits.maxSurge === 0) return empty;
  return [...empty, ...lacking.filter((slot) => occupied.has(slot))];
}

/** Without those whose name is under removal: a container holds it until the engine has removed it whole. */
function withFreeNames(
  draft: Draft,
  slots: readonly number[],
  revision: string,
): readonly number[] {
  const going = draft.scene.workers.filter(({ state }) => state === "Removing");
  if (going.length === 0) return slots;
  const held = new Set(going.map(({ facts }) => facts.name));
  return slots.filter((slot) => !held.has(nameIn(draft, slot, revision)));
}

/** Slots without a worker of the desired revision. */
function lackingSlots(draft: Draft, revision: string): readonly number[] {
  const filled = filledSlots(draft, revision);
  const slots = Array.from({ length: draft.scene.limits.replicas }, (_, index) => index + 1);
  return slots.filter((slot) => !filled.has(slot));
}

/** Slots with a worker of the desired revision, made, perhaps made, or on its way back. */
function filledSlots(draft: Draft, revision: string): ReadonlySet<number> {
  const isComing = (worker: Worker) =>
    worker.phase?.kind === "kept" && isAlive(worker) && !draft.isLeaving(worker);
  const made = [...draft.staying(), ...draft.scene.workers.filter(isComing)].filter(isCurrent);
  const uncertain = draft.scene.uncertain.filter((each) => each.revision === revision);
  return new Set([
    ...made.map((worker) => worker.labels.slot),
    ...uncertain.map(({ slot }) => slot),
  ]);
}

/** Failed attempts of a slot and revision, seen now or remembered. */
function failuresIn(draft: Draft, slot: number, revision: string): number {
  const failed = (draft.scene.bySlot.get(slot) ?? []).filter(
    (worker) => isCurrent(worker) && draft.hasFailed(worker),
  );
  const remembered = rememberedFailure(draft.scene.memory?.failures ?? [], slot, revision);
  const counts = failed.map((worker) => failuresUpTo(worker, remembered));
  return Math.max(remembered?.attempts ?? 0, ...counts);
}

/** A new worker is there for the reason its predecessor goes; without one, because it is missing. */
function whyNew(draft: Draft, slot: number): Why {
  const room = draft.reasonForRoom(slot);
  if (room !== undefined && room.reason !== "leaving") return room;
  const predecessor = draft.scene.bySlot.get(slot)?.find(isOldAndThere);
  if (predecessor !== undefined) return whyOld(predecessor);
  return because("missing", `slot ${slot} has no worker`);
}

function isOldAndThere(worker: Worker): boolean {
  return !isCurrent(worker) && !isRemains(worker) && worker.phase?.kind !== "failed";
}
