// What a plan tells the runs after it of how a group stands: failures to count on, progress to measure by.

import { failedAt, failuresUpTo, rememberedFailure } from "../backoff.ts";
import { advance, progressDeadline, type Standing } from "../progress.ts";
import type { FailureRecord } from "../status-types.ts";
import { tally } from "../tally.ts";
import { toIso } from "../time.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import type { GroupPlan } from "./types.ts";

/** Once is bad luck. */
const LOOP_FROM = 2;

/** What a later run must remember of failed attempts once their containers are gone, by slot. */
export function failureRecords(draft: Draft): readonly FailureRecord[] {
  const { memory, revision, limits } = draft.scene;
  const known = memory?.failures ?? [];
  if (revision === undefined) return known;
  const seen = draft.scene.workers
    .filter((worker) => isCurrent(worker) && draft.hasFailed(worker))
    .sort((one, other) => failedAt(one) - failedAt(other))
    .map((worker) => recordOf(worker, revision, known));
  const remembered = known.filter((record) => record.revision === revision);
  const bySlot = new Map([...remembered, ...seen].map((record) => [record.slot, record]));
  return [...bySlot.values()]
    .filter((record) => record.slot <= limits.replicas)
    .sort((one, other) => one.slot - other.slot);
}

function recordOf(
  worker: Worker,
  revision: string,
  known: readonly FailureRecord[],
): FailureRecord {
  const { slot } = worker.labels;
  const attempts = failuresUpTo(worker, rememberedFailure(known, slot, revision));
  return { slot, revision, attempts, at: toIso(failedAt(worker)) };
}

/** A worker keeps ending before it is available, whoever starts it again. */
export function isLooping({ scene }: Draft, failures: readonly FailureRecord[]): boolean {
  const serves = (slot: number) =>
    scene.workers.some(
      ({ labels, state }) =>
        labels.slot === slot && (state === "Available" || state === "Completed"),
    );
  return (
    scene.workers.some(({ state }) => state === "CrashLooping") ||
    failures.some(({ slot, attempts }) => attempts >= LOOP_FROM && !serves(slot))
  );
}

/** How a rollout gets on; nothing is measured of a group that is as declared, leaves, or is held. */
export function progressOf(
  { blocks, scene }: Draft,
  converged: boolean,
): Pick<GroupPlan, "progress" | "isOverdue"> {
  const { spec, revision, memory, now } = scene;
  const isMeasured = spec !== undefined && scene.leaving === undefined && !converged;
  if (!isMeasured) return { progress: undefined, isOverdue: false };
  // A hold that passes must not make a rollout look as if it had just begun.
  const before = memory?.progress ?? undefined;
  if (revision === undefined || blocks.length > 0) return { progress: before, isOverdue: false };
  const deadline = spec.rollout.progressDeadlineSeconds * 1000;
  const standing = standingOf(revision, scene.limits.replicas, scene.workers);
  const isDraining = scene.workers.some(
    ({ state }) => state === "Draining" || state === "Stopping",
  );
  const progress = advance(before, standing, now, deadline, isDraining);
  return { progress, isOverdue: !isDraining && now >= progressDeadline(progress, deadline) };
}

function standingOf(revision: string, replicas: number, workers: readonly Worker[]): Standing {
  const live = workers.filter(({ phase }) => phase === undefined);
  const current = live.filter(isCurrent);
  const count = tally(current);
  return {
    revision,
    replicas,
    updated: current.length,
    ready: count("Ready", "Available", "Completed"),
    available: count("Available", "Completed"),
    old: live.length - current.length,
  };
}
