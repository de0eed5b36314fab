// Puts right what is wrong with workers of the desired revision: ended, unhealthy, never ready, twice, disarmed.

import { retryAt } from "../backoff.ts";
import type { Json } from "../canonical.ts";
import { parseTemplate } from "../revision.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { isCurrent, worseFirst } from "./rank.ts";
import { because, whyOld } from "./why.ts";

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
function dropDuplicates(draft: Draft): void {
  const best = new Map<string, Worker>();
  for (const worker of [...inRange(draft)].sort(worseFirst).reverse()) {
    const key = `${worker.labels.slot}/${isCurrent(worker) ? "desired" : worker.labels.revision}`;
    const better = best.get(key);
    if (better === undefined) best.set(key, worker);
    else if (isNeeded(draft, worker)) continue;
    else
      draft.leave(
        worker,
        because("duplicate", `slot ${worker.labels.slot} has ${better.facts.name}`),
      );
  }
}

/** An available worker that others are needed besides stays, though it is one too many in its slot. */
function isNeeded(draft: Draft, worker: Worker): boolean {
  return worker.state === "Available" && draft.available() - 1 < draft.scene.limits.minAvailable;
}

function healStopped(draft: Draft, worker: Worker): void {
  const name = `${worker.state === "Exited" ? exitWords(worker) : worker.state}`;
  switch (worker.state) {
    case "Created":
      if (!isCurrent(worker)) draft.leave(worker, whyOld(worker));
      return;
    case "StartFailed":
      if (isCurrent(worker)) replaceWhenDue(draft, worker, "start-failed", name);
      return;
    case "Exited":
      if (isCurrent(worker)) replaceWhenDue(draft, worker, "exited", name);
      return;
    default:
      return;
  }
}

function exitWords({ facts: { run } }: Worker): string {
  if (run.kind !== "exited") return "";
  return run.oomKilled ? "out of memory" : `exit code ${run.exitCode}`;
}

function replaceWhenDue(
  draft: Draft,
  worker: Worker,
  reason: "start-failed" | "exited" | "unhealthy" | "not-ready",
  detail: string,
): void {
  const at = retryAt(worker);
  if (draft.scene.now >= at) {
    draft.leave(worker, because(reason, detail));
    return;
  }
  draft.due(at);
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
    replaceWhenDue(draft, worker, reason, worker.state);
    if (draft.isLeaving(worker)) room -= 1;
  }
}

function brokenReason(draft: Draft, worker: Worker): "unhealthy" | "not-ready" | undefined {
  if (worker.state === "Unhealthy" && worker.wasAvailable) return "unhealthy";
  if (worker.state !== "Unhealthy" && worker.state !== "Starting") return undefined;
  const deadline = healthyDeadline(draft, worker);
  if (deadline === undefined) return undefined;
  if (draft.scene.now >= deadline) return "not-ready";
  draft.due(deadline);
  return undefined;
}

/** Engine time by which a started worker has to be ready; undefined: it is not running. */
export function healthyDeadline(draft: Draft, { facts: { run } }: Worker): number | undefined {
  const seconds = draft.scene.spec?.rollout.healthyDeadlineSeconds;
  if (run.kind !== "running" || seconds === undefined) return undefined;
  return run.startedAt + seconds * 1000;
}

/** A running worker that was disarmed and then not retired gets its own template's restart policy back. */
export function rearm(draft: Draft): void {
  for (const worker of draft.staying()) {
    const policy = ownRestartPolicy(worker);
    const isDisarmed = worker.facts.restartPolicy === "no" && policy !== "no";
    if (isDisarmed && worker.facts.run.kind === "running") {
      draft.arm(worker, policy, because("drift", `restart policy is no, declared ${policy}`));
    }
  }
}

function ownRestartPolicy(worker: Worker): string {
  const template = parseTemplate(worker.labels.template);
  const policy: Json = isRecord(template) ? template["restart"] : undefined;
  return typeof policy === "string" ? policy : "no";
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
