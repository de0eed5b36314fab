// What has become of the desired revision: complete, failing, blocked, to be rolled back. Judged once for each plan, on
// what is observed; the record only says which revision was complete last.

import { hasEndedOnReturn, isRemains } from "../assess.ts";
import { failedAt, hasFailed } from "../backoff.ts";
import type { Refusal } from "../status-types.ts";
import type { Worker } from "../worker.ts";
import { healthyDeadline, isOverdue } from "./deadline.ts";
import { isCurrent } from "./rank.ts";
import type { Scene } from "./scene.ts";

export type Outlook = {
  /** The last revision that was complete: by record, else what is kept is of it. */
  readonly stable: string | undefined;
  /** The record says so. */
  readonly isRecorded: boolean;
  /** Every slot has an available worker of the desired revision, in this snapshot. */
  readonly isComplete: boolean;
  /** Workers that fail the desired revision now. */
  readonly failing: readonly Worker[];
  /** One that failed it has been set aside. */
  readonly hasFailedWorker: boolean;
  /** The engine does not so much as make a worker of the desired revision, and there are others to fall back on. */
  readonly refused: Refusal | undefined;
  /** Nothing of the desired revision is created until the spec changes or somebody asks for another try. */
  readonly isBlocked: boolean;
  readonly isRollingBack: boolean;
};

/** A command that cannot be run: exit codes with which the engine refuses the start. */
const CANNOT_RUN: readonly (number | undefined)[] = [126, 127];
const KILLED = 137;
const TERMINATED = 143;

export function outlook(scene: Scene): Outlook {
  const recorded = scene.memory?.revisions.stable ?? undefined;
  const kept = scene.workers.find((worker) => worker.phase?.kind === "kept" && !isRemains(worker));
  const stable = recorded ?? kept?.labels.revision;
  const isComplete = isEverySlotServed(scene);
  const hasFailedWorker = scene.workers.some((worker) => isSetAside(scene, worker));
  // Without the image nobody knows which revision is wanted, so none can have failed.
  const mayFail = scene.revision !== undefined && recorded !== scene.revision;
  const isJudged = mayFail && !isComplete && (hasFailedWorker || hasPredecessors(scene, stable));
  const failing = isJudged ? scene.workers.filter((worker) => fails(scene, worker)) : [];
  const refused = isJudged ? refusalOf(scene) : undefined;
  const isBlocked = (hasFailedWorker && !isComplete) || failing.length > 0 || refused !== undefined;
  const { rollout } = scene.spec ?? {};
  const rollsBack = rollout?.onFailure === "Rollback" || rollout?.strategy === "Recreate";
  return {
    stable,
    isRecorded: recorded !== undefined,
    isComplete,
    failing,
    hasFailedWorker,
    refused,
    isBlocked,
    isRollingBack: isBlocked && rollsBack,
  };
}

/** As this run or an earlier one has seen it, of which nobody has asked for another try since. */
function refusalOf({ memory, refusal, retryBefore, revision }: Scene): Refusal | undefined {
  const known = retryBefore === undefined ? memory?.refused : undefined;
  return [refusal, known].find((each) => each?.revision === revision);
}

/** With no slots nothing is ever complete. */
function isEverySlotServed({ bySlot, limits, revision }: Scene): boolean {
  if (revision === undefined || limits.replicas === 0) return false;
  for (let slot = 1; slot <= limits.replicas; slot += 1) {
    if (bySlot.get(slot)?.some(servesAsDesired) !== true) return false;
  }
  return true;
}

function servesAsDesired(worker: Worker): boolean {
  const isServing = worker.state === "Available" || worker.state === "Completed";
  return isServing && worker.phase === undefined && isCurrent(worker);
}

/** A worker of the desired revision that failed it, and of which nobody has asked for another try since. */
function isSetAside({ revision, retryBefore }: Scene, worker: Worker): boolean {
  const { phase } = worker;
  if (revision === undefined || phase?.kind !== "failed" || !isCurrent(worker)) return false;
  if (isRemains(worker)) return false;
  return retryBefore === undefined || phase.since >= retryBefore;
}

/** Workers to fall back on: kept, once available, or of the last complete revision. */
function hasPredecessors({ workers }: Scene, stable: string | undefined): boolean {
  return workers.some(
    (worker) =>
      !isCurrent(worker) &&
      !isRemains(worker) &&
      worker.phase?.kind !== "failed" &&
      (worker.phase?.kind === "kept" || worker.isProven || worker.labels.revision === stable),
  );
}

/** It fails the desired revision, and nobody has asked for another try since. */
function fails(scene: Scene, worker: Worker): boolean {
  const isLeaving = worker.phase !== undefined && !hasEndedOnReturn(worker);
  if (!isCurrent(worker) || isLeaving || worker.isProven) return false;
  // One above the count goes anyhow, and says nothing of the revision where it is wanted.
  if (worker.labels.slot > scene.limits.replicas) return false;
  const at = failureOf(scene, worker);
  return at !== undefined && (scene.retryBefore === undefined || at >= scene.retryBefore);
}

/** Engine time (ms) at which it failed; undefined: it has not, or by no fault of its revision. */
function failureOf(scene: Scene, worker: Worker): number | undefined {
  const { run } = worker.facts;
  switch (worker.state) {
    case "StartFailed":
      return run.kind === "created" && CANNOT_RUN.includes(run.exitCode)
        ? failedAt(worker)
        : undefined;
    case "Kept":
    case "Exited":
      return isKilled(worker) || !isFailure(worker, scene) ? undefined : failedAt(worker);
    case "CrashLooping":
      // When one that runs again ended is not known; it had been made by then.
      return run.kind === "running" ? worker.facts.createdAt : failedAt(worker);
    case "Starting":
    case "Unhealthy":
      return isOverdue(scene, worker) ? healthyDeadline(scene, worker) : undefined;
    default:
      return undefined;
  }
}

function isFailure(worker: Worker, { spec }: Scene): boolean {
  return worker.state === "Kept" || hasFailed(worker, spec?.onExit);
}

/** An engine that stops leaves workers killed, or ended by the signal that asked them: that says nothing of them. */
function isKilled({ facts: { run, restartCount } }: Worker): boolean {
  if (run.kind !== "exited" || run.oomKilled || restartCount > 0) return false;
  return run.exitCode === KILLED || run.exitCode === TERMINATED;
}
