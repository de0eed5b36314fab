// What a plan leaves for the passes to come, read off its picture of the workers, so that a person sees the whole
// change and not only its first wave.

import { exists } from "../core/assess.ts";
import { workerName } from "../core/names.ts";
import { isCurrent } from "../core/plan/rank.ts";
import type { Block, GroupPlan } from "../core/plan/types.ts";
import { because, type Why, whyOld } from "../core/plan/why.ts";
import type { Worker } from "../core/worker.ts";
import { isReplaced, type PlanRow, type Timing, type Verb } from "./plan-row.ts";

/** Blocks that let nothing more happen to a group until somebody acts or time passes. */
const HOLDS: Readonly<Record<Block["code"], boolean>> = {
  InvalidSpec: true,
  Suspended: true,
  OwnershipConflict: true,
  NameConflict: true,
  NewerVersion: true,
  NewerCommit: true,
  WorkerUnknown: true,
  ImageMissing: true,
  ImagePullFailed: false,
  NetworkMissing: true,
  InsufficientCapacity: true,
  RevisionFailed: true,
  RolledBack: true,
  BackingOff: true,
  Paused: false,
  WorkerPaused: false,
};

/** Rows for workers that no row of this pass speaks of and that will go, and for slots that will be filled. */
export function laterRows(group: GroupPlan, done: readonly PlanRow[]): readonly PlanRow[] {
  if (group.converged) return [];
  const named = new Set(done.map((row) => row.name));
  const silent = group.workers.filter((worker) => !named.has(worker.labels.name));
  const isHeld = group.blocks.some(({ code }) => HOLDS[code]);
  return [
    ...silent.flatMap((worker) => stoppingRow(group, worker)),
    ...(isHeld ? [] : silent.flatMap((worker) => goingRow(group, worker))),
    ...(isHeld ? [] : emptySlots(group, done).map((slot) => fillingRow(group, slot))),
  ];
}

/** A worker that was asked to stop earlier and has not stopped yet. */
function stoppingRow(group: GroupPlan, worker: Worker): readonly PlanRow[] {
  if (worker.state !== "Stopping" && worker.state !== "Draining") return [];
  const why = isCurrent(worker) ? because("leaving", "it was asked to stop") : whyOld(worker);
  const verb = isReplaced(group, worker.labels.slot, why.reason) ? "replace" : "remove";
  return [row(worker, verb, why, "stopping")];
}

/** A worker that has to go and still waits for its turn. */
function goingRow(group: GroupPlan, worker: Worker): readonly PlanRow[] {
  if (worker.phase !== undefined || worker.state === "Paused" || !exists(worker)) return [];
  const { slot } = worker.labels;
  const { desired } = group.counts;
  if (slot > desired) {
    const why = because("scale-down", `slot ${slot} of ${desired}, ${worker.state}`);
    return [row(worker, "remove", why, "later")];
  }
  const isPaused = group.blocks.some(({ code }) => code === "Paused");
  if (isPaused || isCurrent(worker)) return [];
  return [row(worker, "replace", whyOld(worker), "later")];
}

function row(worker: Worker, verb: Verb, why: Why, timing: Timing): PlanRow {
  const { name, slot } = worker.labels;
  return { verb, name, slot, ...why, timing, calls: [] };
}

/** Slots that nothing holds and nothing of this pass fills. */
function emptySlots(group: GroupPlan, done: readonly PlanRow[]): readonly number[] {
  if (group.leaving !== undefined) return [];
  const held = new Set([
    ...group.workers.filter(exists).map((worker) => worker.labels.slot),
    ...group.uncertain.map((create) => create.slot),
    ...done.map((each) => each.slot),
  ]);
  const slots = Array.from({ length: group.counts.desired }, (_, index) => index + 1);
  return slots.filter((slot) => !held.has(slot));
}

function fillingRow(group: GroupPlan, slot: number): PlanRow {
  const why = because("missing", `slot ${slot} has no worker`);
  return {
    verb: "create",
    name: nameInSlot(group, slot),
    slot,
    ...why,
    timing: "later",
    calls: [],
  };
}

/** Without a revision, or after failed attempts, only the beginning of the name is known. */
function nameInSlot({ identity, revision, failures }: GroupPlan, slot: number): string {
  const isKnown = !failures.some((failure) => failure.slot === slot);
  if (revision !== undefined && isKnown) return workerName(identity, slot, revision, 1);
  return workerName(identity, slot, "", 1).replace(/-$/, "");
}
