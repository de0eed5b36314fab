// Retires workers of old revisions as far as availability allows: with Recreate, which needs none to be available, all at
// once. Their successors are made by the create step.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { healthyDeadline } from "./heal.ts";
import { isCurrent, worseFirst } from "./rank.ts";
import { compare } from "./scene.ts";
import { whyOld } from "./why.ts";

export function roll(draft: Draft): void {
  retireBroken(draft);
  retireStarting(draft);
  retireAvailable(draft);
}

function old(draft: Draft): readonly Worker[] {
  return draft.staying().filter((worker) => !isCurrent(worker) && !draft.mustStay(worker));
}

/** A broken old worker serves nobody, so it never holds up its own replacement. */
function retireBroken(draft: Draft): void {
  for (const worker of [...old(draft)].sort(worseFirst)) {
    if (isBroken(draft, worker)) draft.leave(worker, whyOld(worker));
  }
}

function isBroken(draft: Draft, worker: Worker): boolean {
  switch (worker.state) {
    case "Exited":
    case "StartFailed":
    case "CrashLooping":
      return true;
    case "Starting":
    case "Unhealthy":
      return worker.wasAvailable || isOverdue(draft, worker);
    default:
      return false;
  }
}

/** Not ready in time; where there is still time, the end of it is noted. */
function isOverdue(draft: Draft, worker: Worker): boolean {
  const deadline = healthyDeadline(draft, worker);
  if (deadline === undefined) return false;
  if (draft.scene.now < deadline) draft.due(deadline);
  return draft.scene.now >= deadline;
}

/** An old worker that is on its way to serving counts as available for the question whether it may go. */
function retireStarting(draft: Draft): void {
  for (const worker of [...old(draft)].sort(worseFirst)) {
    if (!isOnItsWay(worker)) continue;
    const serving = draft.available() + old(draft).filter(isOnItsWay).length;
    if (serving - 1 < draft.scene.limits.minAvailable) return;
    draft.leave(worker, whyOld(worker));
  }
}

function isOnItsWay({ state }: Worker): boolean {
  return state === "Starting" || state === "Ready" || state === "Unhealthy";
}

/** Those whose slot already has an available successor go first, then the lowest slots. */
function retireAvailable(draft: Draft): void {
  const relieved = relievedSlots(draft);
  const candidates = old(draft).filter((worker) => worker.state === "Available");
  const order = (one: Worker, other: Worker) =>
    Number(relieved.has(other.labels.slot)) - Number(relieved.has(one.labels.slot)) ||
    one.labels.slot - other.labels.slot ||
    compare(one.facts.id, other.facts.id);
  for (const worker of candidates.sort(order)) {
    if (draft.available() - 1 < draft.scene.limits.minAvailable) return;
    draft.leave(worker, whyOld(worker));
  }
}

function relievedSlots(draft: Draft): ReadonlySet<number> {
  const successors = draft
    .staying()
    .filter((worker) => isCurrent(worker) && worker.state === "Available");
  return new Set(successors.map((worker) => worker.labels.slot));
}
