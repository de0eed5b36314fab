// Small worlds for planner tests: a declared group, workers in given states, and a plan as lines of text.

import { encodeLabels, TEMPLATE_VERSION } from "../../src/core/labels.ts";
import type { DesiredGroup, GroupIdentity, GroupSpec } from "../../src/core/model.ts";
import { phaseName, plainName, workerName } from "../../src/core/names.ts";
import type { AdoptedContainer, RunFacts, Snapshot, WorkerFacts } from "../../src/core/observed.ts";
import { type PlanRequest, plan } from "../../src/core/plan/plan.ts";
import type { Action, Plan } from "../../src/core/plan/types.ts";
import { revisionOf, specDigest, templateLabel } from "../../src/core/revision.ts";
import type { Template } from "../../src/core/template.ts";

/** Engine time of every scene, in milliseconds. */
export const NOW = 1_800_000_000_000;
export const IMAGE = "sha256:aaaa";
export const OTHER_IMAGE = "sha256:bbbb";
export const MAILER: GroupIdentity = {
  uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11",
  namespace: "default",
  name: "mailer",
};

/** Seconds before `NOW`, in milliseconds. */
export function ago(seconds: number): number {
  return NOW - seconds * 1000;
}

type SpecChanges = Partial<Omit<GroupSpec, "rollout" | "template">> & {
  readonly template?: Partial<Template>;
  readonly rollout?: Partial<GroupSpec["rollout"]>;
};

export function spec(changes: SpecChanges = {}): GroupSpec {
  const { template, rollout, ...rest } = changes;
  return {
    replicas: 3,
    pullPolicy: "missing",
    onUnhealthy: "Replace",
    restartNonce: "",
    suspend: false,
    ...rest,
    template: { image: "mailer:1", ...template },
    rollout: {
      strategy: "RollingUpdate",
      maxUnavailable: { kind: "count", count: 1 },
      maxSurge: { kind: "count", count: 0 },
      minReadySeconds: 5,
      healthyDeadlineSeconds: 300,
      progressDeadlineSeconds: 600,
      onFailure: "Pause",
      paused: false,
      ...rollout,
    },
  };
}

export function group(
  changes: SpecChanges = {},
  more: {
    readonly deletionTimestamp?: string;
    readonly identity?: GroupIdentity;
    readonly adopt?: readonly string[];
  } = {},
): DesiredGroup {
  return {
    kind: "valid",
    identity: more.identity ?? MAILER,
    deletionTimestamp: more.deletionTimestamp,
    place: { file: "mailer.yaml", line: 1, column: 1 },
    spec: spec(changes),
    ...(more.adopt && { adopt: more.adopt }),
  };
}

export type WorkerChanges = {
  readonly spec?: SpecChanges;
  readonly identity?: GroupIdentity;
  readonly image?: string;
  readonly attempt?: number;
  readonly phase?: "draining" | "stopping" | "kept" | "failed";
  /** Seconds since the phase began. */
  readonly phaseAge?: number;
  readonly run?: RunFacts;
  readonly id?: string;
  readonly name?: string;
  readonly project?: string | undefined;
  readonly commit?: string;
  readonly templateVersion?: number;
  readonly facts?: Partial<WorkerFacts>;
};

/** A worker of the group that `spec` declares, running and available unless told otherwise. */
export function worker(slot: number, changes: WorkerChanges = {}): WorkerFacts {
  const identity = changes.identity ?? MAILER;
  const made = spec(changes.spec);
  const imageId = changes.image ?? IMAGE;
  const revision = revisionOf(identity, {
    template: made.template,
    nonce: made.restartNonce,
    imageId,
  });
  const attempt = changes.attempt ?? 1;
  const own = workerName(identity, slot, revision, attempt);
  const leaving = changes.phase && phaseName(own, changes.phase, ago(changes.phaseAge ?? 0));
  return {
    id: changes.id ?? `id-${slot}-${imageId.slice(-4)}-${revision.slice(0, 4)}-${attempt}`,
    name: changes.name ?? leaving ?? own,
    labels: encodeLabels({
      project: changes.project,
      group: identity,
      slot,
      attempt,
      taskId: `task-${slot}`,
      generation: 1,
      spec: specDigest(made),
      revision,
      template: templateLabel(made.template),
      templateVersion: changes.templateVersion ?? TEMPLATE_VERSION,
      nonce: made.restartNonce,
      name: own,
      commit: changes.commit,
      drain: "{}",
      reason: "missing",
    }),
    imageId,
    createdAt: ago(3600),
    run: changes.run ?? running(3600),
    restartCount: 0,
    restartPolicy: made.template.restart ?? "no",
    limits: {},
    networks: Object.keys(made.template.networks ?? {}),
    ...changes.facts,
  };
}

/** A container that somebody else made, running for an hour, made from `template`. */
export function foreigner(
  id: string,
  {
    facts,
    name = id,
    phase,
    phaseAge = 0,
    run,
    template = { image: "mailer:1" },
  }: Pick<WorkerChanges, "facts" | "name" | "phase" | "phaseAge" | "run"> & {
    readonly template?: Template;
  } = {},
): AdoptedContainer & { readonly kind: "known" } {
  return {
    kind: "known",
    template: templateLabel(template),
    facts: {
      id,
      name: phase === undefined ? name : phaseName(name, phase, ago(phaseAge)),
      labels: { "com.docker.compose.service": "worker" },
      imageId: IMAGE,
      createdAt: ago(3600),
      run: run ?? running(3600),
      restartCount: 0,
      restartPolicy: "no",
      limits: {},
      networks: [],
      ...facts,
    },
  };
}

/** What a snapshot holds of these containers. */
export function adopted(
  ...containers: readonly (AdoptedContainer & { readonly kind: "known" })[]
): Pick<Snapshot, "adopted"> {
  return { adopted: Object.fromEntries(containers.map((each) => [each.facts.id, each])) };
}

/** Running for so many seconds, without a health check or with one in the given state. */
export function running(seconds: number, health?: "starting" | "healthy" | "unhealthy"): RunFacts {
  const startedAt = ago(seconds);
  if (health === undefined) return { kind: "running", startedAt };
  const log = [{ startedAt, finishedAt: startedAt, ok: health === "healthy" }];
  return { kind: "running", startedAt, health: { status: health, retries: 3, log } };
}

/** Exited so many seconds ago, after it had run for the given time. */
export function exited(seconds: number, exitCode = 1, ran = 1): RunFacts {
  return {
    kind: "exited",
    startedAt: ago(seconds + ran),
    finishedAt: ago(seconds),
    exitCode,
    oomKilled: false,
  };
}

export function snapshot(
  workers: readonly WorkerFacts[],
  changes: Partial<Snapshot> = {},
): Snapshot {
  return {
    now: NOW,
    workers,
    unknown: [],
    images: { "mailer:1": IMAGE, "mailer:2": OTHER_IMAGE },
    signalled: [],
    holders: {},
    missingNetworks: [],
    probes: {},
    ...changes,
  };
}

export function planFor(
  groups: readonly DesiredGroup[],
  seen: Snapshot,
  changes: Partial<PlanRequest> = {},
): Plan {
  return plan({
    groups,
    snapshot: seen,
    memory: undefined,
    uncertain: {},
    projectUid: undefined,
    declared: groups.map(({ identity }) => identity.uid),
    prune: false,
    budget: 1000,
    holds: {},
    newerCommits: [],
    ...changes,
  });
}

/** The actions of a plan, one line each, revisions replaced by `desired` and `old`. */
export function actionLines(planned: Plan): readonly string[] {
  return planned.actions.map((action) => actionLine(action, planned));
}

function actionLine(action: Action, planned: Plan): string {
  const desired = planned.groups.find((each) => each.identity.uid === action.group)?.revision;
  const id = plainName(action.id).replace(/-([0-9a-f]{8})(?=$|-)/, (_, revision: string) =>
    desired?.startsWith(revision) ? "-desired" : "-old",
  );
  const paths = action.paths.length === 0 ? "" : ` ${action.paths.join(",")}`;
  const told = action.kind === "rename" ? id.replace("rename", RENAMES[action.phase]) : id;
  return `${told}: ${action.reason}${paths}`;
}

/** What a rename says of a worker, as lines call it. */
const RENAMES = {
  draining: "drain",
  stopping: "rename",
  kept: "keep",
  failed: "set-aside",
  none: "restore",
} as const;

/** What blocks the first group of a plan. */
export function blockCodes(planned: Plan): readonly string[] {
  return planned.groups.flatMap((each) => each.blocks.map((block) => block.code));
}
