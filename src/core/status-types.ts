// The status document: facts observed for a stated generation, and the little that a later run must remember.

import type { WorkerState } from "./worker.ts";

export const STATUS_FORMAT_VERSION = 1;

/** How many workers of a group have reached each milestone. */
export type Counts = {
  readonly desired: number;
  readonly observed: number;
  readonly scheduled: number;
  readonly started: number;
  readonly ready: number;
  readonly available: number;
  /** Of the desired revision. */
  readonly updated: number;
  readonly draining: number;
  readonly kept: number;
  readonly uncertain: number;
};

export type StatusDocument = {
  readonly formatVersion: typeof STATUS_FORMAT_VERSION;
  readonly engine: { readonly id: string; readonly endpoint: string };
  readonly project: { readonly name: string; readonly uid: string } | null;
  /** Sorted by namespace, then name, then UID. */
  readonly groups: readonly GroupStatus[];
};

/** A revision of which the engine refused to make a worker, and its words. */
export type Refusal = { readonly revision: string; readonly message: string };

export type GroupStatus = {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Rises by one with each change of the spec. */
  readonly generation: number;
  /** Digest of the canonical spec of that generation. */
  readonly spec: string;
  /** Generation the facts below were observed for. */
  readonly observedGeneration: number;
  readonly lastConvergedGeneration: number | null;
  /** `stable` is the last one that was available in every slot; `blocked` one that failed and is not tried again. */
  readonly revisions: {
    readonly desired: string | null;
    readonly stable: string | null;
    readonly blocked: string | null;
  };
  /** Git commit that introduced this generation, `-dirty` appended where the tree was. */
  readonly commit: string | null;
  /** When the registry was last found to have the image that the engine has; kept where it is asked now and then. */
  readonly imageCheckedAt?: string;
  /** The desired revision, where workers of the one before serve on for it: no container is there to tell. */
  readonly refused?: Refusal;
  readonly counts: Counts;
  readonly workers: readonly WorkerRecord[];
  /** Failed attempts per slot and revision whose container is gone. */
  readonly failures: readonly FailureRecord[];
  /** Null where nothing is under way. */
  readonly progress: ProgressRecord | null;
  /** Creates whose outcome the engine has not shown yet: what the journal said, for who reads this file. */
  readonly uncertain: readonly UncertainRecord[];
  readonly conditions: readonly Condition[];
};

/** Times are ISO 8601 by the engine's clock. */
export type WorkerRecord = {
  readonly id: string;
  readonly name: string;
  readonly slot: number;
  readonly attempt: number;
  readonly revision: string;
  readonly updated: boolean;
  readonly state: WorkerState;
  readonly startedAt: string | null;
  readonly readySince: string | null;
  readonly wasAvailable: boolean;
  readonly isProven: boolean;
  readonly signalled: boolean;
  readonly isDrained: boolean;
  readonly exitCode: number | null;
};

export type FailureRecord = {
  readonly slot: number;
  readonly revision: string;
  readonly attempts: number;
  /** When the last of them happened; null in what an older wgctl wrote. */
  readonly at: string | null;
};

/**
 * How far the rollout of a revision had come at its best, and when it got there. `seenAt` tells that somebody looked,
 * to a quarter of the deadline: while nobody does, no time counts.
 */
export type ProgressRecord = {
  readonly revision: string;
  readonly replicas: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly old: number;
  readonly at: string;
  readonly seenAt: string;
};

export type UncertainRecord = {
  readonly slot: number;
  readonly revision: string;
  readonly name: string;
  /** It counts as existing until then, or until it is observed. */
  readonly until: string;
};

export type ConditionType =
  | "Ready"
  | "Available"
  | "Progressing"
  | "ReplicaFailure"
  | "Reconciling"
  | "Stalled"
  | "Terminating";

export type ConditionReason =
  | "Converged"
  | "Progressing"
  | "MinimumReplicasAvailable"
  | "MinimumReplicasUnavailable"
  | "NewRevisionCreated"
  | "ReplicasUpdated"
  | "NewRevisionAvailable"
  | "ProgressDeadlineExceeded"
  | "RevisionFailed"
  | "RolledBack"
  | "Paused"
  | "WorkerPaused"
  | "Suspended"
  | "InvalidSpec"
  | "OwnershipConflict"
  | "NewerVersion"
  | "NewerCommitObserved"
  | "NameConflict"
  | "Terminating"
  | "Deleted"
  | "EngineUnreachable"
  | "FailedCreate"
  | "FailedStart"
  | "ImagePullFailed"
  | "PortConflict"
  | "NetworkMissing"
  | "InsufficientCapacity"
  | "CrashLooping"
  | "BackingOff"
  | "BudgetExhausted"
  | "WaitingForDrain"
  | "Draining"
  | "WaitingForRemoval";

export type Condition = {
  readonly type: ConditionType;
  readonly status: "True" | "False" | "Unknown";
  readonly observedGeneration: number;
  /** Moves only when `status` does. */
  readonly lastTransitionTime: string;
  readonly reason: ConditionReason;
  /** Holds no durations, counters or ids, so that an unchanged state is byte-identical. */
  readonly message: string;
};
