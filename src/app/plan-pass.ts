// One look at the engine and one plan made on it. What `plan` shows and what each pass of `apply` does.

import { type Pending, uncertainCreates } from "../core/journal.ts";
import type { Snapshot } from "../core/observed.ts";
import { findOrphans, plan } from "../core/plan/plan.ts";
import type { Hold, Plan } from "../core/plan/types.ts";
import type { Refusal, StatusDocument } from "../core/status-types.ts";
import type { EngineReader } from "../engine/engine.ts";
import type { Lineage } from "./lineage.ts";
import { lookAhead, observe, type RegistryWatch } from "./observe.ts";
import { guardPruning, type Workspace } from "./workspace.ts";

export type PassRequest = RegistryWatch & {
  readonly workspace: Workspace;
  readonly memory: StatusDocument | undefined;
  /** What the journal knows and the status file does not. */
  readonly pending: Pending;
  /** What workers have answered in this run; absent: none was asked. */
  readonly probes?: Snapshot["probes"];
  readonly prune: boolean;
  readonly allowMassDelete: boolean;
  /** Engine calls of this pass at most. */
  readonly budget: number;
  readonly holds: Readonly<Record<string, Hold>>;
  /** Of which revision of a group the engine has refused to make a worker; absent: of none. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Engine time (ms) before which failures of a revision are forgiven, `now` for that of this look; absent: none are. */
  readonly retryBefore?: number | "now" | undefined;
  /** Undefined: an older checkout may undo a newer one. */
  readonly lineage: Lineage | undefined;
};

/** Observes and plans. Throws `engine-*`, and `refused` or `bad-usage` where pruning may not go ahead. */
export async function planPass(
  reader: EngineReader,
  request: PassRequest,
  signal: AbortSignal,
): Promise<Plan> {
  const { workspace, memory, pending, prune, probes = {}, watch } = request;
  const known = { status: memory, pending, probes, watch };
  const snapshot = await observe(reader, workspace, known, signal);
  const owner = { projectUid: workspace.project?.uid, declared: workspace.declared };
  if (prune) {
    const orphans = findOrphans({ snapshot, ...owner });
    guardPruning(workspace, orphans.length, request.allowMassDelete);
  }
  const wishes = {
    groups: workspace.groups,
    memory,
    uncertain: uncertainCreates(pending),
    ...owner,
    prune,
    budget: request.budget,
    holds: request.holds,
    refusals: request.refusals,
    retryBefore: request.retryBefore === "now" ? snapshot.now : request.retryBefore,
  };
  const first = plan({ snapshot, newerCommits: [], ...wishes });
  const [further, newerCommits] = await Promise.all([
    lookAhead(reader, snapshot, first, signal),
    request.lineage?.newerThanOurs(commitsBehind(first)) ?? [],
  ]);
  const isFree = further === undefined && newerCommits.length === 0;
  const made = isFree ? first : plan({ snapshot: further ?? snapshot, newerCommits, ...wishes });
  // Where only a part was read, a group without a manifest may well have one.
  return workspace.narrowed ? { ...made, orphans: [] } : made;
}

/** The commits that made the workers of the groups in which something is to be done. */
function commitsBehind({ actions, deferred, groups }: Plan): readonly string[] {
  const touched = new Set([...actions, ...deferred].map((action) => action.group));
  const commits = groups
    .filter(({ identity }) => touched.has(identity.uid))
    .flatMap(({ workers }) => workers.flatMap(({ labels }) => labels.commit ?? []));
  return [...new Set(commits)].sort();
}
