// Retires workers of old revisions as far as availability allows: with Recreate, which needs none to be available, all at
// once. Their successors are made by the create step.

import type { Worker } from "../worker.ts";
import { isOverdueNow } from "./deadline.ts";
import type { Draft } from "./draft.ts";
import { busyness } from "./idle.ts";
import { retire } from "./keep.ts";
import { isCurrent, worseFirst } from "./rank.ts";
import { compare } from "./scene.ts";
import { whyOld } from "./why.ts";

export function roll(draft: Draft): void {
  retireBroken(draft);
  retireStarting(draft);
  retireServing(draft);
}

function old(draft: Draft, isMeant: (worker: Worker) => boolean): readonly Worker[] {
  return draft
    .staying()
    .filter((worker) => !isCurrent(worker) && isMeant(worker) && !draft.mustStay(worker));
}

/** Of revisions that were never complete first: what is known to work stays longest. */
function inOrder(draft: Draft, workers: readonly Worker[]): readonly Worker[] {
  const { stable } = draft.outlook;
  const isStable = (worker: Worker) => Number(worker.labels.revision === stable);
  return [...workers].sort(
    (one, other) => isStable(one) - isStable(other) || worseFirst(one, other),
  );
}

/** A broken old worker serves nobody, so it never holds up its own replacement. */
function retireBroken(draft: Draft): void {
  const broken = old(draft, (worker) => isBroken(draft, worker));
  for (const worker of inOrder(draft, broken)) retire(draft, worker, whyOld(worker));
}

function isBroken(draft: Draft, worker: Worker): boolean {
  switch (worker.state) {
    case "Exited":
    case "StartFailed":
    case "CrashLooping":
      return true;
    case "Starting":
    case "Unhealthy":
      return worker.wasAvailable || isOverdueNow(draft, worker);
    default:
      return false;
  }
}

/** An old worker that is on its way to serving counts as available for the question whether it may go. */
function retireStarting(draft: Draft): void {
  for (const worker of inOrder(draft, old(draft, isOnItsWay))) {
    const serving = draft.serving() + old(draft, isOnItsWay).length;
    if (serving - 1 < draft.scene.limits.minAvailable) return;
    retire(draft, worker, whyOld(worker));
  }
}

function isOnItsWay({ state }: Worker): boolean {
  return state === "Starting" || state === "Ready" || state === "Unhealthy";
}

/** Those whose slot already has an available successor go first, then idle ones, then the lowest slots. */
function retireServing(draft: Draft): void {
  const candidates = old(draft, ({ state }) => state === "Available" || state === "Completed");
  const busy = busyness(draft, candidates, whyOld);
  if (busy === undefined) return;
  const { stable } = draft.outlook;
  const relieved = relievedSlots(draft);
  const isStable = (worker: Worker) => Number(worker.labels.revision === stable);
  const order = (one: Worker, other: Worker) =>
    isStable(one) - isStable(other) ||
    Number(relieved.has(other.labels.slot)) - Number(relieved.has(one.labels.slot)) ||
    busy(one) - busy(other) ||
    one.labels.slot - other.labels.slot ||
    compare(one.facts.id, other.facts.id);
  for (const worker of [...candidates].sort(order)) {
    if (!draft.canSpare(worker)) return;
    retire(draft, worker, whyOld(worker));
  }
}

function relievedSlots(draft: Draft): ReadonlySet<number> {
  const successors = draft
    .staying()
    .filter((worker) => isCurrent(worker) && worker.state === "Available");
  return new Set(successors.map((worker) => worker.labels.slot));
}
