// The planner: one pure function from what is declared and observed to what this pass does.

import { decodeLabels, uidOf } from "../labels.ts";
import type { DesiredGroup, GroupIdentity } from "../model.ts";
import type { Snapshot, UnknownWorker, WorkerFacts } from "../observed.ts";
import type { GroupStatus, Refusal, StatusDocument, UncertainRecord } from "../status-types.ts";
import { openRoom } from "./admission.ts";
import { deal } from "./budget.ts";
import { planGroup } from "./plan-group.ts";
import { pullOnce } from "./pull-once.ts";
import { compare, makeScene, type Scene } from "./scene.ts";
import type { Hold, Orphan, Plan } from "./types.ts";

export type PlanRequest = {
  /** Groups to plan, each with its own UID. */
  readonly groups: readonly DesiredGroup[];
  readonly snapshot: Snapshot;
  /** What the last run wrote; undefined: nothing is remembered. */
  readonly memory: StatusDocument | undefined;
  /** Creates of which nobody knows what came, by UID: they count as existing until they are seen or their time is over. */
  readonly uncertain: Readonly<Record<string, readonly UncertainRecord[]>>;
  /** UID of the project; undefined: the run has none, and so owns nothing that left the files. */
  readonly projectUid: string | undefined;
  /** UIDs that are declared somewhere, the groups left out of this run included. */
  readonly declared: readonly string[];
  /** Remove the workers of groups that left the project. */
  readonly prune: boolean;
  /** Engine calls of this pass at most. */
  readonly budget: number;
  /** Groups that start nothing for now, by UID: the run has seen them fail. */
  readonly holds: Readonly<Record<string, Hold>>;
  /** By UID: of which revision the engine has refused to make a worker in this run; absent: of none. */
  readonly refusals?: Readonly<Record<string, Refusal>> | undefined;
  /** `commit` labels that the run's own commit is a proper ancestor of: a newer checkout made those workers. */
  readonly newerCommits: readonly string[];
  /** Engine time (ms) before which failures of a revision are forgiven; absent: none are. */
  readonly retryBefore?: number | undefined;
};

/** Plans one pass. The same request gives the same bytes, in whatever order things were listed. */
export function plan(request: PlanRequest): Plan {
  const { snapshot } = request;
  const members = membersByUid(snapshot);
  const orphans = findOrphans(request);
  const scenes = [
    ...request.groups.map((group) => declaredScene(group, request, members)),
    ...(request.prune ? orphans : []).map(({ identity }) =>
      sceneOf(identity, undefined, "pruned", request, members),
    ),
  ].sort(byIdentity);
  const room = openRoom(snapshot, scenes);
  const drafted = pullOnce(scenes.map((scene) => planGroup(scene, room)));
  return {
    now: snapshot.now,
    groups: drafted.map((group) => group.plan),
    ...deal(drafted, request.budget),
    orphans: request.prune ? [] : orphans,
  };
}

type Members = ReadonlyMap<
  string,
  { readonly facts: WorkerFacts[]; readonly unknown: UnknownWorker[] }
>;

function membersByUid({ workers, unknown }: Snapshot): Members {
  const members = new Map<string, { facts: WorkerFacts[]; unknown: UnknownWorker[] }>();
  const of = (labels: Readonly<Record<string, string>>) => {
    const uid = uidOf(labels) ?? "";
    const found = members.get(uid) ?? { facts: [], unknown: [] };
    members.set(uid, found);
    return found;
  };
  for (const facts of workers) of(facts.labels).facts.push(facts);
  for (const each of unknown) of(each.labels).unknown.push(each);
  return members;
}

function declaredScene(group: DesiredGroup, request: PlanRequest, members: Members): Scene {
  const leaving = group.deletionTimestamp === undefined ? undefined : "deleted";
  return sceneOf(group.identity, group, leaving, request, members);
}

function sceneOf(
  identity: GroupIdentity,
  desired: DesiredGroup | undefined,
  leaving: Scene["leaving"],
  request: PlanRequest,
  members: Members,
): Scene {
  const { memory, uncertain, holds, newerCommits, projectUid, snapshot } = request;
  const { facts, unknown } = members.get(identity.uid) ?? { facts: [], unknown: [] };
  return makeScene(
    {
      identity,
      desired,
      leaving,
      facts,
      unknown,
      memory: recordOf(memory, identity.uid),
      uncertain: uncertain[identity.uid] ?? [],
      hold: holds[identity.uid],
      refusal: request.refusals?.[identity.uid],
      newerCommits,
      projectUid,
      retryBefore: request.retryBefore,
    },
    snapshot,
  );
}

function recordOf(memory: StatusDocument | undefined, uid: string): GroupStatus | undefined {
  return memory?.groups.find((group) => group.uid === uid);
}

/** Groups whose workers carry our project's label and that no file declares. */
export function findOrphans(
  request: Pick<PlanRequest, "snapshot" | "projectUid" | "declared">,
): readonly Orphan[] {
  const { snapshot, projectUid, declared } = request;
  if (projectUid === undefined) return [];
  const known = new Set(declared);
  const orphans = new Map<string, Orphan>();
  for (const { labels } of [...snapshot.workers, ...snapshot.unknown]) {
    // Most are declared, and need no closer look.
    if (known.has(uidOf(labels) ?? "")) continue;
    const own = decodeLabels(labels);
    if (own === undefined || own.project !== projectUid) continue;
    const { uid } = own.group;
    const workers = (orphans.get(uid)?.workers ?? 0) + 1;
    orphans.set(uid, { identity: orphans.get(uid)?.identity ?? own.group, workers });
  }
  return [...orphans.values()].sort(byIdentity);
}

function byIdentity(
  one: { readonly identity: GroupIdentity },
  other: { readonly identity: GroupIdentity },
): number {
  return (
    compare(one.identity.namespace, other.identity.namespace) ||
    compare(one.identity.name, other.identity.name) ||
    compare(one.identity.uid, other.identity.uid)
  );
}
