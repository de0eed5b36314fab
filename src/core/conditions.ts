// Judges a planned group for its status: the conditions, and the words in which they are said.

import { lackInWords } from "./failure-words.ts";
import { type Judgement, say } from "./judgement.ts";
import { resolveLimits } from "./limits.ts";
import type { Block, GroupPlan } from "./plan/types.ts";
import type { ConditionReason, ConditionType } from "./status-types.ts";

/** What went wrong with a group in this run, in the engine's or registry's words. */
export type RunFailure = {
  readonly reason: "FailedCall" | FailureReason;
  readonly message: string;
};

/** Reasons of ReplicaFailure. */
type FailureReason = ConditionReason &
  (
    | "FailedCreate"
    | "FailedStart"
    | "ImagePullFailed"
    | "NameConflict"
    | "PortConflict"
    | "NetworkMissing"
    | "InsufficientCapacity"
  );

/**
 * The conditions of a group as planned on a fresh observation. Types that are only worth saying when true
 * (ReplicaFailure, Reconciling, Stalled, Terminating) are left out otherwise.
 */
export function judge(
  plan: GroupPlan,
  failure: RunFailure | undefined,
  isDeferred: boolean,
): readonly Judgement[] {
  return [
    ready(plan),
    available(plan),
    progressing(plan),
    ...replicaFailure(plan, failure),
    ...reconciling(plan, isDeferred),
    ...stalled(plan),
    ...terminating(plan),
  ];
}

/** What to say of a group that could not be observed: nothing that was known before is still evidence. */
export function judgeUnreachable(message: string): readonly Judgement[] {
  const unknown = (type: ConditionType) => say(type, "Unknown", "EngineUnreachable", message);
  return [unknown("Ready"), unknown("Available"), unknown("Progressing")];
}

const BLOCK_REASONS = {
  InvalidSpec: "InvalidSpec",
  Suspended: "Suspended",
  Paused: "Paused",
  OwnershipConflict: "OwnershipConflict",
  NameConflict: "NameConflict",
  NewerVersion: "NewerVersion",
  NewerCommit: "NewerCommitObserved",
  RevisionFailed: "RevisionFailed",
  RolledBack: "RolledBack",
  WorkerUnknown: "EngineUnreachable",
  WorkerPaused: "WorkerPaused",
  ImageMissing: "ImagePullFailed",
  ImagePullFailed: "ImagePullFailed",
  NetworkMissing: "NetworkMissing",
  InsufficientCapacity: "InsufficientCapacity",
  BackingOff: "BackingOff",
} as const satisfies Record<Block["code"], ConditionReason>;

function ready(plan: GroupPlan): Judgement {
  if (plan.leaving !== undefined) return leaving(plan);
  const [block] = plan.blocks;
  if (block !== undefined) {
    const status = block.code === "WorkerUnknown" ? "Unknown" : "False";
    return say("Ready", status, BLOCK_REASONS[block.code], block.message);
  }
  if (plan.converged)
    return say("Ready", "True", "Converged", "all workers are as declared and available");
  if (plan.isOverdue) return say("Ready", "False", "ProgressDeadlineExceeded", OVERDUE);
  if (isServing(plan))
    return say("Ready", "False", "Progressing", "workers are being brought to the declared state");
  return say(
    "Ready",
    "False",
    "MinimumReplicasUnavailable",
    "fewer workers are available than the rollout allows",
  );
}

const OVERDUE = "nothing has got on within progressDeadlineSeconds";

function leaving(plan: GroupPlan): Judgement {
  return plan.counts.observed === 0
    ? say("Ready", "False", "Deleted", "all workers are gone")
    : say("Ready", "False", "Terminating", "the group is being deleted");
}

function isServing({ desired, workers }: GroupPlan): boolean {
  if (desired?.kind !== "valid") return true;
  const serving = workers.filter(({ state }) => state === "Available" || state === "Completed");
  return serving.length >= resolveLimits(desired.spec).minAvailable;
}

function available(plan: GroupPlan): Judgement {
  if (plan.blocks.some((block) => block.code === "WorkerUnknown")) {
    return say(
      "Available",
      "Unknown",
      "EngineUnreachable",
      "the engine does not answer for every worker",
    );
  }
  return isServing(plan)
    ? say("Available", "True", "MinimumReplicasAvailable", "enough workers are available")
    : say(
        "Available",
        "False",
        "MinimumReplicasUnavailable",
        "fewer workers are available than the rollout allows",
      );
}

function progressing(plan: GroupPlan): Judgement {
  if (plan.converged)
    return say(
      "Progressing",
      "True",
      "NewRevisionAvailable",
      "every worker is of the desired revision and available",
    );
  const [block] = plan.blocks;
  if (block !== undefined)
    return say("Progressing", "False", BLOCK_REASONS[block.code], block.message);
  if (plan.isOverdue) return say("Progressing", "False", "ProgressDeadlineExceeded", OVERDUE);
  const isRolling = plan.workers.some((worker) => worker.differences.length > 0);
  return isRolling
    ? say(
        "Progressing",
        "True",
        "NewRevisionCreated",
        "workers of old revisions are being replaced",
      )
    : say("Progressing", "True", "ReplicasUpdated", "workers are being added, healed or removed");
}

function replicaFailure(plan: GroupPlan, failure: RunFailure | undefined): readonly Judgement[] {
  const block = plan.blocks.find(({ code }) => code in FAILING_BLOCKS);
  if (block !== undefined) {
    return [say("ReplicaFailure", "True", BLOCK_REASONS[block.code], block.message)];
  }
  if (failure !== undefined) {
    const reason = failure.reason === "FailedCall" ? "FailedCreate" : failure.reason;
    return [failed(reason, failure.message)];
  }
  const [refused] = plan.workers.flatMap(({ facts: { run } }) =>
    run.kind === "created" && run.error !== undefined ? [run.error] : [],
  );
  return refused === undefined ? [] : [failed("FailedStart", refused)];
}

/** Blocks that keep workers from being made: seen before any call fails for it. */
const FAILING_BLOCKS: Readonly<Partial<Record<Block["code"], true>>> = {
  ImageMissing: true,
  ImagePullFailed: true,
  NetworkMissing: true,
  NameConflict: true,
  InsufficientCapacity: true,
};

/** What the host lacks says more than which call failed for it. */
function failed(reason: FailureReason, message: string): Judgement {
  const isCall = reason === "FailedCreate" || reason === "FailedStart";
  const lack = isCall ? lackInWords(message) : undefined;
  return say("ReplicaFailure", "True", lack ?? reason, message);
}

function reconciling(plan: GroupPlan, isDeferred: boolean): readonly Judgement[] {
  if (plan.converged || plan.blocks.length > 0) return [];
  if (isDeferred)
    return [
      say(
        "Reconciling",
        "True",
        "BudgetExhausted",
        "the budget of the pass left work for the next",
      ),
    ];
  if (plan.workers.some(({ state }) => state === "Draining" || state === "Stopping")) {
    return [say("Reconciling", "True", "WaitingForDrain", "workers have been asked to stop")];
  }
  if (plan.workers.some((worker) => worker.state === "Exited" || worker.state === "StartFailed")) {
    return [say("Reconciling", "True", "BackingOff", "a failed worker waits for its next attempt")];
  }
  return [
    say("Reconciling", "True", "Progressing", "workers are being brought to the declared state"),
  ];
}

function stalled(plan: GroupPlan): readonly Judgement[] {
  const stuck = plan.blocks.find((block) => STALLING.has(block.code));
  if (stuck !== undefined)
    return [say("Stalled", "True", BLOCK_REASONS[stuck.code], stuck.message)];
  if (plan.isOverdue) return [say("Stalled", "True", "ProgressDeadlineExceeded", OVERDUE)];
  return plan.isLooping
    ? [say("Stalled", "True", "CrashLooping", "a worker keeps ending before it is available")]
    : [];
}

const STALLING: ReadonlySet<Block["code"]> = new Set([
  "InvalidSpec",
  "OwnershipConflict",
  "NewerVersion",
  "NewerCommit",
  "RevisionFailed",
  "RolledBack",
]);

function terminating(plan: GroupPlan): readonly Judgement[] {
  if (plan.leaving === undefined || plan.counts.observed === 0) return [];
  return plan.workers.some((worker) => worker.facts.run.kind === "running")
    ? [say("Terminating", "True", "Draining", "workers have been asked to stop")]
    : [say("Terminating", "True", "WaitingForRemoval", "stopped workers are being removed")];
}
