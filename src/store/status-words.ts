// The closed sets of words in a status file, as tables, so that a word added to the types is missed by nobody.

import type { Condition, ConditionReason, ConditionType } from "../core/status-types.ts";
import type { WorkerState } from "../core/worker.ts";

export const WORKER_STATES = {
  Created: true,
  StartFailed: true,
  Starting: true,
  Ready: true,
  Available: true,
  Unhealthy: true,
  CrashLooping: true,
  Exited: true,
  Completed: true,
  Paused: true,
  Draining: true,
  Stopping: true,
  Kept: true,
  Failed: true,
  Removing: true,
  Dead: true,
} as const satisfies Record<WorkerState, true>;

export const CONDITION_TYPES = {
  Ready: true,
  Available: true,
  Progressing: true,
  ReplicaFailure: true,
  Reconciling: true,
  Stalled: true,
  Terminating: true,
} as const satisfies Record<ConditionType, true>;

export const CONDITION_STATUSES = {
  True: true,
  False: true,
  Unknown: true,
} as const satisfies Record<Condition["status"], true>;

export const CONDITION_REASONS = {
  Converged: true,
  Progressing: true,
  MinimumReplicasAvailable: true,
  MinimumReplicasUnavailable: true,
  NewRevisionCreated: true,
  ReplicasUpdated: true,
  NewRevisionAvailable: true,
  ProgressDeadlineExceeded: true,
  RevisionFailed: true,
  RolledBack: true,
  Paused: true,
  WorkerPaused: true,
  Suspended: true,
  InvalidSpec: true,
  OwnershipConflict: true,
  NewerVersion: true,
  NewerCommitObserved: true,
  NameConflict: true,
  Terminating: true,
  Deleted: true,
  EngineUnreachable: true,
  FailedCreate: true,
  FailedStart: true,
  ImagePullFailed: true,
  PortConflict: true,
  NetworkMissing: true,
  InsufficientCapacity: true,
  CrashLooping: true,
  BackingOff: true,
  BudgetExhausted: true,
  WaitingForDrain: true,
  Draining: true,
  WaitingForRemoval: true,
} as const satisfies Record<ConditionReason, true>;
