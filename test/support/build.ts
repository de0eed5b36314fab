// Small builders of model values, each whole by itself, so that a test says only what matters to it.

import type { WorkerLabels } from "../../src/core/labels.ts";
import type { DesiredGroup, GroupIdentity, GroupSpec } from "../../src/core/model.ts";
import { workerName } from "../../src/core/names.ts";
import type { WorkerFacts } from "../../src/core/observed.ts";
import type {
  Action,
  ActionCall,
  Forecast,
  GroupPlan,
  Plan,
  Target,
} from "../../src/core/plan/types.ts";
import { templateLabel } from "../../src/core/revision.ts";
import type {
  Condition,
  Counts,
  GroupStatus,
  StatusDocument,
} from "../../src/core/status-types.ts";
import type { Worker } from "../../src/core/worker.ts";

/** 2026-11-29T12:00:00Z, the engine's clock in every built value. */
export const NOW = 1_795_953_600_000;
export const REVISION = "1f2e3d4c5b6a7988";
export const OLD_REVISION = "9a8b7c6d5e4f3021";
export const IMAGE_ID = `sha256:${"1".repeat(64)}`;
export const UID = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11";

export function buildIdentity(changes: Partial<GroupIdentity> = {}): GroupIdentity {
  return { uid: UID, namespace: "default", name: "mailer", ...changes };
}

export function buildSpec(changes: Partial<GroupSpec> = {}): GroupSpec {
  return {
    replicas: 3,
    template: { image: "mailer:1" },
    pullPolicy: "missing",
    rollout: {
      strategy: "RollingUpdate",
      maxUnavailable: { kind: "count", count: 1 },
      maxSurge: { kind: "count", count: 0 },
      minReadySeconds: 5,
      healthyDeadlineSeconds: 300,
      progressDeadlineSeconds: 600,
      onFailure: "Pause",
      paused: false,
    },
    onUnhealthy: "Replace",
    restartNonce: "",
    suspend: false,
    ...changes,
  };
}

/** A valid group. */
export function buildDesired(
  spec: Partial<GroupSpec> = {},
  identity: GroupIdentity = buildIdentity(),
): DesiredGroup {
  return {
    kind: "valid",
    identity,
    deletionTimestamp: undefined,
    place: { file: "groups/mailer.yaml", line: 1, column: 1 },
    spec: buildSpec(spec),
  };
}

export function buildLabels(changes: Partial<WorkerLabels> = {}): WorkerLabels {
  const group = changes.group ?? buildIdentity();
  const slot = changes.slot ?? 1;
  const attempt = changes.attempt ?? 1;
  const revision = changes.revision ?? REVISION;
  return {
    project: undefined,
    group,
    slot,
    attempt,
    taskId: `task-${slot}-${attempt}`,
    generation: 1,
    spec: "0".repeat(64),
    revision,
    template: templateLabel({ image: "mailer:1" }),
    templateVersion: 1,
    nonce: "",
    name: workerName(group, slot, revision, attempt),
    commit: undefined,
    drain: "{}",
    reason: "missing",
    ...changes,
  };
}

/** Facts of a container that has run for a minute; `labels` stay empty, because a built worker has them read. */
export function buildFacts(changes: Partial<WorkerFacts> = {}): WorkerFacts {
  return {
    id: "c".repeat(64),
    name: "mailer-1-1f2e3d4c",
    labels: {},
    imageId: IMAGE_ID,
    createdAt: NOW - 61_000,
    run: { kind: "running", startedAt: NOW - 60_000 },
    restartCount: 0,
    restartPolicy: "no",
    limits: {},
    networks: ["bridge"],
    ...changes,
  };
}

/** An Available worker of slot 1 unless told otherwise; its name follows its labels and phase. */
export function buildWorker(
  changes: Partial<Omit<Worker, "labels" | "facts">> & {
    readonly labels?: Partial<WorkerLabels>;
    readonly facts?: Partial<WorkerFacts>;
  } = {},
): Worker {
  const labels = buildLabels(changes.labels);
  const { phase } = changes;
  const suffix = phase === undefined ? "" : `.${phase.kind}-${phase.since / 1000}`;
  const id = `${labels.slot}${labels.attempt}${labels.revision}`.padEnd(64, "0");
  return {
    phase: undefined,
    state: "Available",
    readySince: NOW - 60_000,
    wasAvailable: true,
    isProven: true,
    differences: [],
    limitsToSet: undefined,
    signalled: false,
    isDrained: false,
    ...changes,
    labels,
    facts: buildFacts({ id, name: `${labels.name}${suffix}`, ...changes.facts }),
  };
}

/** The worker as the target of an action. */
export function targetOf(worker: Worker): Target {
  const { id, name, run } = worker.facts;
  return { id, name, run: run.kind, startedAt: "startedAt" in run ? run.startedAt : undefined };
}

/** An action of the built group; its id follows from the call. */
export function buildAction(
  call: ActionCall,
  changes: Partial<Omit<Action, keyof ActionCall>> = {},
): Action {
  return {
    ...call,
    id: `${call.kind} ${subjectOf(call)}`,
    group: UID,
    slot: 1,
    reason: "missing",
    detail: "",
    paths: [],
    needs: [],
    ...changes,
  };
}

function subjectOf(call: ActionCall): string {
  switch (call.kind) {
    case "pull-image":
      return call.image;
    case "create":
      return call.worker.name;
    case "start":
      return call.name;
    default:
      return call.target.name;
  }
}

export function buildCounts(changes: Partial<Counts> = {}): Counts {
  return {
    desired: 3,
    observed: 3,
    scheduled: 3,
    started: 3,
    ready: 3,
    available: 3,
    updated: 3,
    draining: 0,
    kept: 0,
    uncertain: 0,
    ...changes,
  };
}

export const NOTHING_AHEAD: Forecast = {
  actions: 0,
  waves: 0,
  worstCaseSeconds: 0,
  plusStartUp: false,
  obstacle: undefined,
};

/** A converged group of three workers unless told otherwise. */
export function buildGroupPlan(changes: Partial<GroupPlan> = {}): GroupPlan {
  return {
    identity: buildIdentity(),
    desired: buildDesired(),
    leaving: undefined,
    generation: 1,
    revision: REVISION,
    imageId: IMAGE_ID,
    spec: "0".repeat(64),
    workers: [1, 2, 3].map((slot) => buildWorker({ labels: { slot } })),
    foreign: [],
    notices: [],
    counts: buildCounts(),
    namesToCome: [],
    uncertain: [],
    failures: [],
    isComplete: true,
    isBlocked: false,
    refused: undefined,
    isLooping: false,
    progress: undefined,
    isOverdue: false,
    blocks: [],
    converged: true,
    waitingFor: [],
    dueAt: undefined,
    forecast: NOTHING_AHEAD,
    ...changes,
  };
}

export function buildPlan(changes: Partial<Plan> = {}): Plan {
  return {
    now: NOW,
    groups: [buildGroupPlan()],
    actions: [],
    deferred: [],
    orphans: [],
    ...changes,
  };
}

export function buildCondition(changes: Partial<Condition> = {}): Condition {
  return {
    type: "Ready",
    status: "True",
    observedGeneration: 1,
    lastTransitionTime: "2026-11-29T12:00:00.000Z",
    reason: "Converged",
    message: "3 of 3 workers are available",
    ...changes,
  };
}

export function buildGroupStatus(changes: Partial<GroupStatus> = {}): GroupStatus {
  return {
    uid: UID,
    namespace: "default",
    name: "mailer",
    generation: 1,
    spec: "0".repeat(64),
    observedGeneration: 1,
    lastConvergedGeneration: 1,
    revisions: { desired: REVISION, stable: REVISION, blocked: null },
    commit: null,
    counts: buildCounts(),
    workers: [],
    failures: [],
    progress: null,
    uncertain: [],
    conditions: [buildCondition()],
    ...changes,
  };
}

export function buildStatus(changes: Partial<StatusDocument> = {}): StatusDocument {
  return {
    formatVersion: 1,
    engine: { id: "ENGI:NEID", endpoint: "unix:///run/docker.sock" },
    project: { name: "payments", uid: "01998f6e-0000-7000-8000-000000000001" },
    groups: [buildGroupStatus()],
    ...changes,
  };
}
