// Puts right what is wrong with workers of the desired revision: ended, unhealthy, never ready, or one too many.

import { exitAction } from "../assess.ts";
import { backoff, failedAt, failuresUpTo, rememberedFailure } from "../backoff.ts";
import type { Worker } from "../worker.ts";
import { start } from "./arrive.ts";
import { isOverdueNow } from "./deadline.ts";
import type { Draft } from "./draft.ts";
import { leave } from "./leave.ts";
import { isCurrent, worseFirst } from "./rank.ts";
import { mustWaitForOthers, mustWaitForSlot } from "./side-by-side.ts";
import { because, stateWords, whyOld } from "./why.ts";

export function heal(draft: Draft): void {
  // First the broken ones: with surge a successor may be there already, and is no duplicate of who goes.
  replaceBroken(draft);
  dropDuplicates(draft);
  for (const worker of inRange(draft)) healStopped(draft, worker);
}

/** Slots above `replicas` are for scaling down. */
function inRange(draft: Draft): readonly Worker[] {
  const { replicas } = draft.scene.limits;
  return draft.staying().filter((worker) => worker.labels.slot <= replicas);
}

/** Of several workers of one revision in one slot the best stays. */
export function dropDuplicates(draft: Draft): void {
  const best = new Map<string, Worker>();
  for (const worker of [...inRange(draft)].sort(worseFirst).reverse()) {
    const key = `${worker.labels.slot}/${isCurrent(worker) ? "desired" : worker.labels.revision}`;
    const better = best.get(key);
    if (better === undefined) best.set(key, worker);
    // One that others are needed besides stays, though it is one too many in its slot.
    else if (draft.canSpare(worker)) {
      const detail = `slot ${worker.labels.slot} has ${better.facts.name}`;
      leave(draft, worker, because("duplicate", detail));
    }
  }
}

function healStopped(draft: Draft, worker: Worker): void {
  if (!isCurrent(worker)) {
    if (worker.state === "Created") leave(draft, worker, whyOld(worker));
    return;
  }
  if (worker.state === "Created" && mustWaitForSlot(draft, worker)) {
    leave(draft, worker, because("duplicate", `slot ${worker.labels.slot} has one that runs`));
  }
  if (worker.state === "StartFailed") replaceWhenDue(draft, worker, "start-failed");
  if (worker.state === "Exited" && !isRestarted(draft, worker)) {
    replaceWhenDue(draft, worker, "exited");
  }
}

/** Where another runs in its slot it would have to wait for ever, and take the room of who is missing. */
function isRestarted(draft: Draft, worker: Worker): boolean {
  const { run } = worker.facts;
  const action = run.kind === "exited" && exitAction(run, draft.scene.spec?.onExit);
  return action === "Restart" && !mustWaitForSlot(draft, worker);
}

/** Starts the same containers again, where the manifest wishes it so. */
export function restartEnded(draft: Draft): void {
  if (mustWaitForOthers(draft, draft.scene.revision ?? "", isCurrent)) return;
  for (const worker of inRange(draft)) {
    const isMeant = worker.state === "Exited" && isCurrent(worker) && isRestarted(draft, worker);
    if (isMeant && isDue(draft, worker)) {
      start(draft, worker, because("exited", stateWords(worker)));
    }
  }
}

function replaceWhenDue(
  draft: Draft,
  worker: Worker,
  reason: "start-failed" | "exited" | "unhealthy" | "not-ready",
): void {
  if (isDue(draft, worker)) leave(draft, worker, because(reason, stateWords(worker)));
}

/** Whether its back-off is over; where it is not, the end of it is noted. */
function isDue(draft: Draft, worker: Worker): boolean {
  const at = failedAt(worker) + backoff(failures(draft, worker));
  if (draft.scene.now < at) draft.due(at);
  return draft.scene.now >= at;
}

/** Failures in a row that count for the wait; an exit that is no failure waits for nothing. */
function failures(draft: Draft, worker: Worker): number {
  const isExit = worker.state === "Exited" || worker.state === "StartFailed";
  if (isExit && !draft.hasFailed(worker)) return 0;
  const { memory, revision } = draft.scene;
  const remembered = rememberedFailure(memory?.failures ?? [], worker.labels.slot, revision ?? "");
  return failuresUpTo(worker, remembered);
}

/** Unhealthy and never-ready workers go a few at a time, so that a bad probe cannot take all down at once. */
function replaceBroken(draft: Draft): void {
  const atOnce = Math.max(1, draft.scene.limits.maxUnavailable);
  const leaving = draft.remaining().filter((each) => isCurrent(each) && each.phase !== undefined);
  let room = atOnce - leaving.length;
  for (const worker of inRange(draft).filter(isCurrent)) {
    const reason = brokenReason(draft, worker);
    if (reason === undefined || draft.mustStay(worker)) continue;
    if (room <= 0) return;
    replaceWhenDue(draft, worker, reason);
    if (draft.isLeaving(worker)) room -= 1;
  }
}

function brokenReason(draft: Draft, worker: Worker): "unhealthy" | "not-ready" | undefined {
  const isReported = draft.scene.spec?.onUnhealthy === "Report";
  if (worker.state === "Unhealthy" && worker.wasAvailable)
    return isReported ? undefined : "unhealthy";
  if (worker.state !== "Unhealthy" && worker.state !== "Starting") return undefined;
  return isOverdueNow(draft, worker) ? "not-ready" : undefined;
}
