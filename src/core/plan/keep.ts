// Which retired workers are kept, stopped, until the new revision is complete, and which of them a slot may have back.

import { isAdopted } from "../adoption.ts";
import { isAlive, isRemains } from "../assess.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { type Destination, leave } from "./leave.ts";
import { isCurrent } from "./rank.ts";
import { because, howItEnds, type Why } from "./why.ts";

/** Sets an old worker on its way out, to be kept if it may be needed again. */
export function retire(draft: Draft, worker: Worker, why: Why): boolean {
  return leave(draft, worker, why, destinationOf(draft, worker));
}

/** What is to become of an old worker that goes. */
export function destinationOf(draft: Draft, worker: Worker): Destination {
  const { scene, outlook } = draft;
  const isOut = worker.labels.slot > scene.limits.replicas;
  if (outlook.isComplete || isOut || isCurrent(worker) || worker.state === "Completed")
    return "remove";
  if (worker.facts.autoRemove === true) return "remove";
  return wasGood(draft, worker) && !hasBetter(draft, worker) ? "kept" : "remove";
}

/** Of the last complete revision; where no record tells which that is, or can, one that did not fail by itself. */
function wasGood({ outlook, scene }: Draft, worker: Worker): boolean {
  if (outlook.isRecorded && !isAdopted(worker)) return worker.labels.revision === outlook.stable;
  if (worker.isProven) return true;
  return worker.facts.restartCount === 0 && wasYoung(worker, healthyDeadlineMs(scene), scene.now);
}

function healthyDeadlineMs({ spec }: Draft["scene"]): number {
  return (spec?.rollout.healthyDeadlineSeconds ?? 0) * 1000;
}

/** It still had time to become ready, or had when it was asked to go. */
function wasYoung({ facts: { run }, phase }: Worker, deadline: number, now: number): boolean {
  if (run.kind === "running") return now - run.startedAt < deadline;
  return run.kind === "exited" && phase !== undefined && phase.since - run.startedAt < deadline;
}

/** A slot keeps one at most, and none while a live worker of that revision is in it. */
function hasBetter(draft: Draft, worker: Worker): boolean {
  const fellows = draft.scene.bySlot.get(worker.labels.slot) ?? [];
  return fellows.some(
    (other) =>
      other !== worker &&
      !isCurrent(other) &&
      !isRemains(other) &&
      !draft.isFreed(other) &&
      (other.phase?.kind === "kept" || isLiveAndGood(draft, other)),
  );
}

function isLiveAndGood(draft: Draft, worker: Worker): boolean {
  const { stable } = draft.outlook;
  const isOfStable = stable === undefined || worker.labels.revision === stable;
  return worker.phase === undefined && isAlive(worker) && !draft.isLeaving(worker) && isOfStable;
}

/** The stopped worker that a slot may have back: of the desired revision, or while that is blocked of the one before. */
export function keptFor(draft: Draft, slot: number): Worker | undefined {
  const { isBlocked, stable } = draft.outlook;
  return draft.scene.bySlot.get(slot)?.find((worker) => {
    if (worker.state !== "Kept" || draft.isFreed(worker) || !isNameFree(draft, worker)) {
      return false;
    }
    if (!isBlocked) return isCurrent(worker);
    if (isCurrent(worker)) return false;
    if (stable === undefined || isDesired(draft, stable) || isAdopted(worker)) return true;
    return worker.labels.revision === stable;
  });
}

/** One that comes back needs its own name, which a worker that is old by drift alone may hold. */
export function isNameFree({ scene }: Draft, { labels }: Worker): boolean {
  return !scene.workers.some(({ facts }) => facts.name === labels.name);
}

function isDesired({ scene }: Draft, revision: string): boolean {
  return scene.revision === revision;
}

/** Removes what is kept and of no more use: the new revision is complete, or its slot or revision is gone. */
export function dropKept(draft: Draft): void {
  const seen = new Set<number>();
  const isKnown = draft.scene.revision !== undefined;
  for (const worker of [...keptWorkers(draft)].sort((one, other) =>
    usefulFirst(draft, one, other),
  )) {
    const { slot } = worker.labels;
    const why = whyUseless(draft, worker) ?? (isKnown && seen.has(slot) ? ONE_TOO_MANY : undefined);
    if (why === undefined) seen.add(slot);
    else leave(draft, worker, why);
  }
}

const ONE_TOO_MANY = because("duplicate", "its slot keeps another");

function keptWorkers(draft: Draft): readonly Worker[] {
  return draft.scene.workers.filter((worker) => worker.state === "Kept" && !draft.isFreed(worker));
}

function usefulFirst({ outlook: { stable } }: Draft, one: Worker, other: Worker): number {
  const rank = (worker: Worker) =>
    isCurrent(worker) ? 0 : worker.labels.revision === stable ? 1 : 2;
  return rank(one) - rank(other);
}

function whyUseless({ outlook, scene }: Draft, worker: Worker): Why | undefined {
  const { slot, revision } = worker.labels;
  const { replicas } = scene.limits;
  // What came of its drain is told here at the latest: nothing else is done about it.
  const ending = howItEnds(worker);
  if (slot > replicas) return because("scale-down", `slot ${slot} of ${replicas}; ${ending}`);
  if (outlook.isComplete) return because("completed", `the new revision serves; ${ending}`);
  if (scene.revision === undefined) return undefined;
  const isOther = outlook.isRecorded && revision !== outlook.stable && !isCurrent(worker);
  return isOther && !isAdopted(worker)
    ? because("completed", `a later revision was complete; ${ending}`)
    : undefined;
}
