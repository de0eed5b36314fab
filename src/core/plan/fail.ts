// What a blocked group does: the worker that failed the revision is set aside, what serves goes on serving, and where
// a rollback is wished for the rollout goes the other way. Nothing is created.

import { isAlive, isRemains } from "../assess.ts";
import { backoff, failedAt, failuresUpTo } from "../backoff.ts";
import type { Worker } from "../worker.ts";
import { start } from "./arrive.ts";
import { isOverdueNow } from "./deadline.ts";
import type { Draft } from "./draft.ts";
import { destinationOf, keptFor, retire } from "./keep.ts";
import { leave } from "./leave.ts";
import { isCurrent, worseFirst } from "./rank.ts";
import { isRecreated, mustWaitForOthers, mustWaitForSlot } from "./side-by-side.ts";
import { because, stateWords } from "./why.ts";

/** The first worker that fails the revision is kept for inspection; one is enough. */
export function setFailedAside(draft: Draft): void {
  const { failing, hasFailedWorker } = draft.outlook;
  const left = failing.filter((worker) => !draft.isGoing(worker));
  for (const [index, worker] of left.entries()) {
    const isKept = index === 0 && !hasFailedWorker;
    leave(draft, worker, because("failed", stateWords(worker)), isKept ? "failed" : "remove");
  }
  noteThoseWithTimeLeft(draft);
}

/** A worker that is not ready yet fails by itself once its time is over. */
function noteThoseWithTimeLeft(draft: Draft): void {
  for (const worker of inRange(draft).filter(isCurrent)) {
    const isOnItsWay = worker.state === "Starting" || worker.state === "Unhealthy";
    if (isOnItsWay && !worker.isProven) isOverdueNow(draft, worker);
  }
}

/** What never worked makes room for the last complete revision. */
export function makeRoomForOld(draft: Draft): void {
  dropBetween(draft);
  for (const worker of inRange(draft)) {
    if (worker.state === "Created") leave(draft, worker, because("rollback", "it never ran"));
    else if (worker.state === "Exited" || worker.state === "StartFailed")
      dropIfUseless(draft, worker);
  }
}

function inRange(draft: Draft): readonly Worker[] {
  const { replicas } = draft.scene.limits;
  return draft.staying().filter((worker) => worker.labels.slot <= replicas);
}

/** Workers of a revision between the last complete one and this, where their slot has a kept one to serve instead. */
function dropBetween(draft: Draft): void {
  const { stable, isRollingBack } = draft.outlook;
  for (const worker of draft.staying()) {
    const isBetween =
      !isCurrent(worker) && stable !== undefined && worker.labels.revision !== stable;
    if (!isBetween || keptFor(draft, worker.labels.slot) === undefined) continue;
    const isUnwanted = isRollingBack && worker.state === "Available" && draft.canSpare(worker);
    if (isUnwanted || isBroken(draft, worker)) {
      leave(draft, worker, because("rollback", "its revision was never complete"));
    }
  }
}

function isBroken(draft: Draft, worker: Worker): boolean {
  if (worker.state === "Available" || worker.state === "Completed") return false;
  return !isAlive(worker) || worker.facts.restartCount > 0 || isOverdueNow(draft, worker);
}

function dropIfUseless(draft: Draft, worker: Worker): void {
  const isServed = hasLiveFellow(draft, worker);
  if (isCurrent(worker)) {
    if (isServed || keptFor(draft, worker.labels.slot) !== undefined) {
      leave(draft, worker, because("rollback", stateWords(worker)));
    }
    return;
  }
  const good = fallback(draft);
  const isGood = good === undefined ? worker.isProven : worker.labels.revision === good;
  if (!isGood) {
    leave(draft, worker, because("rollback", "its revision was never complete"));
  } else if (worker.state === "Exited" && isServed) {
    retire(draft, worker, because("duplicate", "its slot has another"));
  }
}

/** Starts what has ended and is worth it: all that stays by now, one in a slot. */
export function startAgain(draft: Draft): void {
  const slots = new Set<number>();
  for (const worker of inRange(draft)) {
    const { slot } = worker.labels;
    if (worker.state !== "Exited" || slots.has(slot)) continue;
    slots.add(slot);
    startWhenDue(draft, worker);
  }
}

function hasLiveFellow(draft: Draft, worker: Worker): boolean {
  return draft
    .staying()
    .some(
      (other) => other !== worker && other.labels.slot === worker.labels.slot && isAlive(other),
    );
}

/** The revision to go back to; undefined: any that has worked. With Recreate it is one: what serves, where no record tells. */
function fallback(draft: Draft): string | undefined {
  const { stable } = draft.outlook;
  if (stable !== undefined || !isRecreated(draft)) return stable;
  const proven = draft.scene.workers.filter(
    (worker) => !isCurrent(worker) && worker.isProven && !isRemains(worker),
  );
  return (proven.find(isAlive) ?? proven[0])?.labels.revision;
}

function startWhenDue(draft: Draft, worker: Worker): void {
  const { revision } = worker.labels;
  const isOfIt = (other: Worker) => other.labels.revision === revision;
  if (mustWaitForOthers(draft, revision, isOfIt) || mustWaitForSlot(draft, worker)) return;
  const at = failedAt(worker) + backoff(failuresUpTo(worker, undefined));
  if (draft.scene.now < at) draft.due(at);
  else start(draft, worker, because("rollback", stateWords(worker)));
}

/** A rollout in the other direction, under the same limits; a new worker in a slot with nothing to go back to stays. */
export function rollBack(draft: Draft): void {
  for (const worker of [...draft.staying()].filter(isCurrent).sort(worseFirst)) {
    if (!hasPredecessor(draft, worker)) continue;
    if (draft.canSpare(worker)) {
      leave(draft, worker, because("rollback", "the revision failed"));
    }
  }
}

function hasPredecessor(draft: Draft, worker: Worker): boolean {
  return draft.scene.workers.some(
    (other) =>
      other.labels.slot === worker.labels.slot &&
      !isCurrent(other) &&
      !isRemains(other) &&
      !draft.isFreed(other) &&
      other.phase?.kind !== "failed" &&
      !isGoingForGood(draft, other),
  );
}

function isGoingForGood(draft: Draft, worker: Worker): boolean {
  const kind = worker.phase?.kind;
  if (kind === "draining") return destinationOf(draft, worker) === "remove";
  return kind === "stopping";
}
