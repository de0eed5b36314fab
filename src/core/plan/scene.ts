// All that is known about one group when it is planned, gathered once so that the steps only decide.

import { type Adoption, adoptionOf } from "../adoption.ts";
import { assess, assessAdopted, type Foreign } from "../assess.ts";
import { type Limits, resolveLimits } from "../limits.ts";
import type { DesiredGroup, GroupIdentity, GroupSpec } from "../model.ts";
import type { ProbeFacts, Snapshot, UnknownWorker, WorkerFacts } from "../observed.ts";
import { comparison, revisionOf, specDigest } from "../revision.ts";
import type { GroupStatus, Refusal, UncertainRecord } from "../status-types.ts";
import { fromIso } from "../time.ts";
import type { Worker } from "../worker.ts";
import type { Hold } from "./types.ts";

export type Scene = {
  readonly identity: GroupIdentity;
  readonly desired: DesiredGroup | undefined;
  /** Undefined where the group is not, or not validly, declared. */
  readonly spec: GroupSpec | undefined;
  readonly leaving: "deleted" | "pruned" | undefined;
  readonly limits: Limits;
  readonly generation: number;
  readonly specDigest: string | undefined;
  readonly revision: string | undefined;
  readonly imageId: string | undefined;
  /** By slot, then name, then id: input order never matters. */
  readonly workers: readonly Worker[];
  readonly bySlot: ReadonlyMap<number, readonly Worker[]>;
  readonly foreign: readonly Foreign[];
  readonly unknown: readonly UnknownWorker[];
  /** What has become of the containers that the group adopts. */
  readonly adoption: Adoption;
  readonly uncertain: readonly UncertainRecord[];
  readonly memory: GroupStatus | undefined;
  /** Set by the run: failures of this run keep the group from starting anything for now. */
  readonly hold: Hold | undefined;
  /** Seen by the run. */
  readonly refusal: Refusal | undefined;
  /** `commit` labels of checkouts that are newer than this run's. */
  readonly newerCommits: readonly string[];
  readonly projectUid: string | undefined;
  /** Engine time (ms) before which what failed a revision is forgiven: somebody asks for another try. */
  readonly retryBefore: number | undefined;
  readonly snapshot: Snapshot;
  readonly now: number;
};

/** What a scene is made from, besides the snapshot. */
export type SceneRequest = {
  readonly identity: GroupIdentity;
  readonly desired: DesiredGroup | undefined;
  readonly leaving: "deleted" | "pruned" | undefined;
  readonly facts: readonly WorkerFacts[];
  readonly unknown: readonly UnknownWorker[];
  readonly memory: GroupStatus | undefined;
  readonly uncertain: readonly UncertainRecord[];
  readonly hold: Hold | undefined;
  readonly refusal: Refusal | undefined;
  readonly newerCommits: readonly string[];
  readonly projectUid: string | undefined;
  readonly retryBefore: number | undefined;
};

const NOTHING_WANTED: Limits = { replicas: 0, maxUnavailable: 0, maxSurge: 0, minAvailable: 0 };

export function makeScene(request: SceneRequest, snapshot: Snapshot): Scene {
  const { identity, desired, memory } = request;
  const valid = desired?.kind === "valid" ? desired : undefined;
  const spec = valid?.spec;
  const imageId =
    spec === undefined ? undefined : (snapshot.images[spec.template.image] ?? undefined);
  const adoption = adoptionOf(desired, snapshot);
  const judged = judge(request, adoption, spec, imageId, snapshot);
  const isLeaving = request.leaving !== undefined;
  const digest = valid && (valid.specDigest ?? specDigest(valid.spec));
  return {
    identity,
    desired,
    spec,
    leaving: request.leaving,
    limits: spec === undefined || isLeaving ? NOTHING_WANTED : resolveLimits(spec),
    generation: generationOf(digest, judged.workers, memory),
    specDigest: digest,
    revision: revision(identity, spec, imageId, judged.workers),
    imageId,
    workers: judged.workers,
    bySlot: sortToSlots(judged.workers),
    foreign: judged.foreign,
    unknown: [...request.unknown, ...adoption.unknown],
    adoption,
    uncertain: unresolved(request.uncertain, judged.workers, snapshot.now),
    memory,
    hold: request.hold,
    refusal: request.refusal,
    newerCommits: request.newerCommits,
    projectUid: request.projectUid,
    retryBefore: request.retryBefore,
    snapshot,
    now: snapshot.now,
  };
}

/** What a worker of the desired revision calls it, so that its fellows are called the same; else it is made. */
function revision(
  identity: GroupIdentity,
  spec: GroupSpec | undefined,
  imageId: string | undefined,
  workers: readonly Worker[],
): string | undefined {
  if (spec === undefined || imageId === undefined) return undefined;
  const known = workers.find(({ differences }) => differences.length === 0)?.labels.revision;
  if (known !== undefined) return known;
  return revisionOf(identity, { template: spec.template, nonce: spec.restartNonce, imageId });
}

function judge(
  { facts, memory }: SceneRequest,
  { adoptees }: Adoption,
  spec: GroupSpec | undefined,
  imageId: string | undefined,
  { now, signalled, probes }: Snapshot,
): { readonly workers: readonly Worker[]; readonly foreign: readonly Foreign[] } {
  const workers: Worker[] = [];
  const foreign: Foreign[] = [];
  const yardstick = {
    compare: spec && comparison({ template: spec.template, nonce: spec.restartNonce, imageId }),
    minReadySeconds: spec?.rollout.minReadySeconds ?? 0,
    onExit: spec?.onExit,
    now,
  };
  const records = new Map(memory?.workers.map((record) => [record.id, record]));
  const seen = new Set(signalled);
  for (const each of facts) {
    const verdict = assess(each, yardstick, records.get(each.id));
    if (verdict.kind === "foreign") foreign.push(verdict.foreign);
    else workers.push(withNews(verdict.worker, seen.has(each.id), probes[each.id]));
  }
  for (const each of adoptees) {
    const { id } = each.facts;
    const worker = assessAdopted(each, yardstick, records.get(id));
    workers.push(withNews(worker, seen.has(id), probes[id]));
  }
  return { workers: workers.sort(bySlotAndName), foreign: foreign.sort(byNameAndId) };
}

/** What this run has learnt since the status file was written. */
function withNews(worker: Worker, isSignalled: boolean, probe: ProbeFacts | undefined): Worker {
  const isDrained = probe?.asks === "drained" && probe.isTrue && probe.name === worker.facts.name;
  if (!isSignalled && !isDrained) return worker;
  return {
    ...worker,
    signalled: worker.signalled || isSignalled,
    isDrained: worker.isDrained || isDrained,
  };
}

function sortToSlots(workers: readonly Worker[]): ReadonlyMap<number, readonly Worker[]> {
  const slots = new Map<number, Worker[]>();
  for (const worker of workers) {
    const found = slots.get(worker.labels.slot);
    if (found === undefined) slots.set(worker.labels.slot, [worker]);
    else found.push(worker);
  }
  return slots;
}

function bySlotAndName(one: Worker, other: Worker): number {
  return one.labels.slot - other.labels.slot || byNameAndId(one.facts, other.facts);
}

function byNameAndId(
  one: { readonly name: string; readonly id: string },
  other: { readonly name: string; readonly id: string },
): number {
  return compare(one.name, other.name) || compare(one.id, other.id);
}

/** Code unit order: the same everywhere, whatever the locale. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Rises by one with each change of the spec; rebuilt from labels when the state folder is lost. */
function generationOf(
  digest: string | undefined,
  workers: readonly Worker[],
  memory: GroupStatus | undefined,
): number {
  if (memory !== undefined) {
    return digest === undefined || memory.spec === digest
      ? memory.generation
      : memory.generation + 1;
  }
  const newest = workers.reduce<Worker | undefined>(
    (best, each) =>
      best === undefined || each.labels.generation > best.labels.generation ? each : best,
    undefined,
  );
  if (newest === undefined) return 1;
  const isSame = digest === undefined || newest.labels.spec === digest;
  return isSame ? newest.labels.generation : newest.labels.generation + 1;
}

/** Creates without an answer, until the engine shows them or their time is over. */
function unresolved(
  creates: readonly UncertainRecord[],
  workers: readonly Worker[],
  now: number,
): readonly UncertainRecord[] {
  // By their real names: one that leaves carries in its labels the name that its successor is made under.
  const seen = new Set(workers.map((worker) => worker.facts.name));
  return creates.filter(({ name, until }) => !seen.has(name) && (fromIso(until) ?? 0) > now);
}
