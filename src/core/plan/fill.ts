// Starts and creates what is missing: never more than there is room for, never two in a slot unless surge was asked for.

import { failuresUpTo, rememberedFailures } from "../backoff.ts";
import { workerName } from "../names.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import { because, type Why, whyOld } from "./why.ts";

/** Starts workers that were created and never ran, and creates one in each slot that lacks one of the given revision. */
export function fill(draft: Draft, revision: string): void {
  if (mustWaitForOld(draft, revision)) return;
  startCreated(draft);
  const { replicas, maxSurge } = draft.scene.limits;
  for (const slot of slotsToFill(draft, revision)) {
    if (draft.existing() >= replicas + maxSurge) return;
    const removals = draft.admit();
    if (removals === undefined) return;
    draft.create(slot, failuresIn(draft, slot, revision), revision, whyNew(draft, slot), removals);
  }
}

function startCreated(draft: Draft): void {
  for (const worker of draft.staying()) {
    const isWanted = isCurrent(worker) && worker.labels.slot <= draft.scene.limits.replicas;
    if (worker.state === "Created" && isWanted) {
      draft.start(worker, because("missing", "created and never started"));
    }
  }
}

/** Names of the workers that are still to be made, by this pass or a later one: all of them must be free. */
export function namesToCome(draft: Draft, revision: string): readonly string[] {
  return lackingSlots(draft, revision).map((slot) => nameIn(draft, slot, revision));
}

function nameIn(draft: Draft, slot: number, revision: string): string {
  const attempt = failuresIn(draft, slot, revision) + 1;
  return workerName(draft.scene.identity, slot, revision, attempt);
}

/** Recreate: all old workers are gone before the first new one is made or started. */
function mustWaitForOld(draft: Draft, revision: string): boolean {
  const { spec, uncertain } = draft.scene;
  if (spec?.rollout.strategy !== "Recreate") return false;
  return (
    draft.remaining().some((worker) => !isCurrent(worker)) ||
    uncertain.some((create) => create.revision !== revision)
  );
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
    (worker) => worker.labels.slot === slot && isCurrent(worker) && draft.hasFailed(worker),
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
