// Goes on with what an earlier pass began: workers on their way out or back, and remains that the engine left.

import { isAlive } from "../assess.ts";
import type { Worker } from "../worker.ts";
import { takeBack } from "./arrive.ts";
import type { Draft } from "./draft.ts";
import { destinationOf, dropKept, isNameFree } from "./keep.ts";
import { type Destination, leave } from "./leave.ts";
import { isCurrent } from "./rank.ts";
import { unknownWorkers } from "./refuse.ts";
import type { Reason } from "./types.ts";
import { because, howItEnds, type Why, whyOld } from "./why.ts";

/** Everything goes: the group is being deleted, or nobody declares it any more. Nobody new while one is not known of. */
export function depart(draft: Draft, reason: Reason & ("deleted" | "pruned")): void {
  const detail = reason === "deleted" ? "deletionTimestamp is set" : "no manifest declares it";
  const unknown = unknownWorkers(draft.scene);
  for (const worker of draft.scene.workers) {
    const isBegun = worker.phase !== undefined || !isAlive(worker);
    if (unknown === undefined || isBegun) leave(draft, worker, because(reason, detail));
  }
  if (unknown !== undefined) draft.block(unknown);
}

/** The next step for every worker that is on its way out, or on its way back. */
export function finishLeaving(draft: Draft): void {
  for (const worker of draft.scene.workers) {
    if (worker.phase !== undefined) finish(draft, worker);
    else if (worker.state === "Dead") {
      leave(draft, worker, because("leaving", "the engine left its remains"));
    }
  }
  dropKept(draft);
}

function finish(draft: Draft, worker: Worker): void {
  const destination = goalOf(draft, worker);
  if (isAlive(worker) && destination === "kept" && isWantedBack(draft, worker)) {
    takeBack(draft, worker, because("rollback", "it runs again"));
  } else if (isAlive(worker) || !isPutAway(worker)) {
    leave(draft, worker, whyGone(draft, worker), destination);
  } else if (worker.state === "Failed" && isUselessFailure(draft, worker)) {
    leave(draft, worker, because("completed", "the revision that it failed is not tried any more"));
  }
}

function goalOf(draft: Draft, worker: Worker): Destination {
  switch (worker.phase?.kind) {
    case "kept":
      return "kept";
    case "failed":
      return isUselessFailure(draft, worker) ? "remove" : "failed";
    case "draining":
      return destinationOf(draft, worker);
    default:
      return "remove";
  }
}

/** Kept or set aside, with no process. */
function isPutAway({ state }: Worker): boolean {
  return state === "Kept" || state === "Failed";
}

/** It was started and not asked to stop since, and its slot still lacks one of its kind. */
function isWantedBack(draft: Draft, worker: Worker): boolean {
  const { outlook, scene } = draft;
  const { slot } = worker.labels;
  if (worker.signalled || worker.facts.run.kind !== "running" || slot > scene.limits.replicas)
    return false;
  if (isCurrent(worker) === outlook.isBlocked || !isNameFree(draft, worker)) return false;
  // With surge it runs beside the one that it takes the place of, in a revert as in a rollback.
  const isReplaced = (other: Worker) =>
    outlook.isBlocked ? outlook.isRollingBack && isCurrent(other) : !isCurrent(other);
  const givesWay = (other: Worker) => scene.limits.maxSurge > 0 && isReplaced(other);
  return !draft.staying().some((other) => other.labels.slot === slot && !givesWay(other));
}

/** Of a revision that is not wanted any more, or that works after all, or that is to be tried once more. */
function isUselessFailure({ outlook, scene }: Draft, worker: Worker): boolean {
  if (scene.limits.replicas === 0) return true;
  if (scene.revision === undefined) return false;
  return !isCurrent(worker) || outlook.isComplete || !outlook.hasFailedWorker;
}

function whyGone({ scene }: Draft, worker: Worker): Why {
  const { slot } = worker.labels;
  const { replicas } = scene.limits;
  const ending = howItEnds(worker);
  if (slot > replicas) return because("scale-down", `slot ${slot} of ${replicas}; ${ending}`);
  if (worker.phase?.kind === "failed") return because("failed", ending);
  if (isCurrent(worker)) return because("leaving", ending);
  const why = whyOld(worker);
  return { ...why, detail: why.detail === "" ? ending : `${why.detail}; ${ending}` };
}
