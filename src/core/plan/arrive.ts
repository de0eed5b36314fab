// How a worker comes: made, started, brought back from being kept, armed and given its limits.
// It knows the order of the calls, never whether a worker should come.

import { workerName } from "../names.ts";
import type { ResourceLimits } from "../observed.ts";
import type { Worker } from "../worker.ts";
import { type Draft, target } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import type { ActionCall, NewWorker } from "./types.ts";
import type { Why } from "./why.ts";

/** Starts a worker that was created and never ran, or that has ended. */
export function start(draft: Draft, worker: Worker, why: Why): void {
  const { name } = worker.labels;
  const call: ActionCall = { kind: "start", name, target: target(worker) };
  draft.push(draft.urgent, worker, why, call, removalsOfOthers(draft, fellowsOf(worker)));
}

/** Starts a kept worker under the name it is kept by; it gets its own back once it runs. `removals` come first in any case. */
export function comeBack(
  draft: Draft,
  worker: Worker,
  why: Why,
  removals: readonly string[] = [],
): void {
  const room = draft.claimRoom(worker.labels.slot);
  const needs = [...new Set([...room, ...removals, ...removalsOfOthers(draft, fellowsOf(worker))])];
  draft.markReturning(worker);
  const call: ActionCall = { kind: "start", name: worker.facts.name, target: target(worker) };
  draft.push(draft.urgent, worker, why, call, needs);
}

/** A kept worker that runs is called by its own name again. */
export function takeBack(draft: Draft, worker: Worker, why: Why): void {
  const call: ActionCall = { kind: "rename", target: target(worker), phase: "none" };
  draft.push(draft.urgent, worker, why, call);
}

/** Gives a running worker its restart policy. */
export function arm(draft: Draft, worker: Worker, policy: string, why: Why): void {
  draft.push(draft.urgent, worker, why, { kind: "arm", target: target(worker), policy });
}

/** Sets limits of a running worker. */
export function setLimits(draft: Draft, worker: Worker, limits: ResourceLimits, why: Why): void {
  const call: ActionCall = { kind: "update-in-place", target: target(worker), limits };
  draft.push(draft.urgent, worker, why, call);
}

export function pull(draft: Draft, image: string, why: Why): void {
  draft.add(draft.urgent, 0, why, { kind: "pull-image", image }, `pull-image ${image}`, []);
}

/** Creates and starts a worker, after the removals of this pass that make room for it, `removals` included. */
export function create(
  draft: Draft,
  slot: number,
  failures: number,
  revision: string,
  why: Why,
  removals: readonly string[] = [],
): void {
  const worker = newWorker(draft, slot, failures + 1, revision);
  const room = [...draft.claimRoom(slot), ...removals];
  const needs = [...new Set([...room, ...removalsOfOthers(draft, isCurrent)])];
  draft.markCreated(worker);
  const made = `create ${worker.name}`;
  draft.add(draft.urgent, slot, why, { kind: "create", worker }, made, needs);
  const call: ActionCall = { kind: "start", name: worker.name, target: undefined };
  draft.add(draft.urgent, slot, why, call, `start ${worker.name}`, [made]);
}

/** Workers of the same revision: of the desired one whatever they were called. */
function fellowsOf(worker: Worker): (other: Worker) => boolean {
  const { revision } = worker.labels;
  return isCurrent(worker) ? isCurrent : (other) => other.labels.revision === revision;
}

/** Recreate: what is still to be removed of another revision has to be gone before the first of this one. */
function removalsOfOthers(draft: Draft, isOfIt: (worker: Worker) => boolean): readonly string[] {
  if (draft.scene.spec?.rollout.strategy !== "Recreate") return [];
  return draft.removalsOf((worker) => !isOfIt(worker));
}

/** The first attempt whose name no container of this group holds. */
function newWorker(draft: Draft, slot: number, firstAttempt: number, revision: string): NewWorker {
  const there = draft.scene.workers.filter((worker) => !draft.isFreed(worker));
  const held = new Set(there.map((worker) => worker.facts.name));
  for (let attempt = firstAttempt; ; attempt += 1) {
    const name = workerName(draft.scene.identity, slot, revision, attempt);
    if (!held.has(name)) return { name, slot, attempt, revision };
  }
}
