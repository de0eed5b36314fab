// Makes the status document from a plan made on a fresh observation. It holds what was seen, and what to remember.

import { startOf } from "./assess.ts";
import { judge, judgeUnreachable, type RunFailure } from "./conditions.ts";
import { stamp } from "./judgement.ts";
import { isCurrent } from "./plan/rank.ts";
import type { GroupPlan, Plan } from "./plan/types.ts";
import {
  type GroupStatus,
  STATUS_FORMAT_VERSION,
  type StatusDocument,
  type WorkerRecord,
} from "./status-types.ts";
import { toIso } from "./time.ts";
import type { Worker } from "./worker.ts";

/** What the document says besides the plan. */
export type StatusContext = {
  readonly engine: StatusDocument["engine"];
  readonly project: StatusDocument["project"];
  readonly previous: StatusDocument | undefined;
  /** Keep the records of groups that this run left out. */
  readonly narrowed: boolean;
  readonly commit: string | undefined;
  /** By UID. */
  readonly failures: Readonly<Record<string, RunFailure>>;
  /** Engine time (ms) at which a registry said that its image is as the engine has it, by reference; absent: none was asked. */
  readonly imagesChecked?: Readonly<Record<string, number>>;
};

export function makeStatus(plan: Plan, context: StatusContext): StatusDocument {
  const planned = new Set(plan.groups.map((group) => group.identity.uid));
  const kept = context.narrowed
    ? (context.previous?.groups ?? []).filter((group) => !planned.has(group.uid))
    : [];
  const made = plan.groups.filter(isWorthKeeping).map((group) => groupStatus(group, plan, context));
  return {
    formatVersion: STATUS_FORMAT_VERSION,
    engine: context.engine,
    project: context.project,
    groups: [...kept, ...made].sort(byIdentity),
  };
}

/** A pruned group is forgotten with its last worker. */
function isWorthKeeping(group: GroupPlan): boolean {
  return group.desired !== undefined || group.workers.length > 0;
}

function groupStatus(group: GroupPlan, plan: Plan, context: StatusContext): GroupStatus {
  const { uid, namespace, name } = group.identity;
  const previous = context.previous?.groups.find((each) => each.uid === uid);
  const isDeferred = plan.deferred.some((action) => action.group === uid);
  const failure = context.failures[uid] ?? lastFailure(group, previous);
  const judgements = judge(group, failure, isDeferred);
  const isSameGeneration = previous?.generation === group.generation;
  return {
    uid,
    namespace,
    name,
    generation: group.generation,
    spec: group.spec ?? previous?.spec ?? "",
    observedGeneration: group.generation,
    lastConvergedGeneration: group.converged
      ? group.generation
      : (previous?.lastConvergedGeneration ?? null),
    revisions: {
      desired: group.revision ?? null,
      stable: group.isComplete ? (group.revision ?? null) : (previous?.revisions.stable ?? null),
      blocked: group.isBlocked ? (group.revision ?? null) : null,
    },
    commit: isSameGeneration ? previous.commit : (context.commit ?? null),
    ...imageCheckedAt(group, isSameGeneration ? previous : undefined, context),
    ...(group.refused && { refused: group.refused }),
    counts: group.counts,
    workers: group.workers.map(workerRecord),
    failures: group.failures,
    progress: group.progress ?? null,
    uncertain: group.uncertain,
    conditions: stamp(judgements, previous?.conditions ?? [], group.generation, plan.now),
  };
}

/** Remembered where a later run asks by it: one that asks always has to write nothing down. */
function imageCheckedAt(
  { desired }: GroupPlan,
  previous: GroupStatus | undefined,
  { imagesChecked = {} }: StatusContext,
): Pick<GroupStatus, "imageCheckedAt"> {
  if (desired?.kind !== "valid" || typeof desired.spec.pullPolicy === "string") return {};
  const now = imagesChecked[desired.spec.template.image];
  const at = now === undefined ? previous?.imageCheckedAt : toIso(now);
  return at === undefined ? {} : { imageCheckedAt: at };
}

/** What failed before is still the reason as long as the same generation has not converged. */
function lastFailure(group: GroupPlan, previous: GroupStatus | undefined): RunFailure | undefined {
  if (group.converged || previous?.generation !== group.generation) return undefined;
  const condition = previous.conditions.find(({ type }) => type === "ReplicaFailure");
  if (condition === undefined) return undefined;
  const { message, reason } = condition;
  switch (reason) {
    case "FailedCreate":
    case "FailedStart":
    case "ImagePullFailed":
    case "PortConflict":
    case "NetworkMissing":
    case "InsufficientCapacity":
      return { reason, message };
    default:
      return undefined;
  }
}

function workerRecord(worker: Worker): WorkerRecord {
  const { facts, labels } = worker;
  const startedAt = startOf(facts);
  return {
    id: facts.id,
    name: facts.name,
    slot: labels.slot,
    attempt: labels.attempt,
    revision: labels.revision,
    updated: isCurrent(worker),
    state: worker.state,
    startedAt: startedAt === undefined ? null : toIso(startedAt),
    readySince: worker.readySince === undefined ? null : toIso(worker.readySince),
    wasAvailable: worker.wasAvailable,
    isProven: worker.isProven,
    signalled: worker.signalled,
    isDrained: worker.isDrained,
    exitCode: facts.run.kind === "exited" ? facts.run.exitCode : null,
  };
}

/** The document when the engine could not be observed: the facts stand as they were, the conditions are Unknown. */
export function makeUnreachableStatus(
  previous: StatusDocument,
  message: string,
  now: number,
): StatusDocument {
  const groups = previous.groups.map((group) => ({
    ...group,
    conditions: stamp(judgeUnreachable(message), group.conditions, group.generation, now),
  }));
  return { ...previous, groups: groups.sort(byIdentity) };
}

function byIdentity(one: GroupStatus, other: GroupStatus): number {
  const key = (group: GroupStatus) => `${group.namespace}\u0000${group.name}\u0000${group.uid}`;
  return key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0;
}
