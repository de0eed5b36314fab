// `status`: what the engine shows now, or, where it does not answer, what the file last said. Writes nothing.

import { countMilestones } from "../core/counts.ts";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup } from "../core/model.ts";
import { makeStatus, makeUnreachableStatus } from "../core/status.ts";
import type { GroupStatus, StatusDocument } from "../core/status-types.ts";
import { fromIso } from "../core/time.ts";
import type { EngineReader } from "../engine/engine.ts";
import { Lineage } from "./lineage.ts";
import type { Memory } from "./memory.ts";
import { planPass } from "./plan-pass.ts";
import { engineId } from "./same-engine.ts";
import type { Workspace } from "./workspace.ts";

export type StatusReport = {
  readonly document: StatusDocument;
  /** Where the facts come from. */
  readonly source: "engine" | "file" | "nowhere";
  /** Why the engine could not be asked. */
  readonly trouble: WgctlError | undefined;
  /** Milliseconds since 1970 that ages count to. */
  readonly now: number;
  readonly converged: boolean;
};

export async function reportStatus(
  reader: EngineReader,
  workspace: Workspace,
  { status: memory, pending }: Memory,
  now: number,
  signal: AbortSignal,
): Promise<StatusReport> {
  try {
    return await fromEngine(reader, workspace, { status: memory, pending }, signal);
  } catch (error) {
    if (!(error instanceof WgctlError) || !error.code.startsWith("engine-")) throw error;
    return fromFile(reader, workspace, memory, error, now);
  }
}

async function fromEngine(
  reader: EngineReader,
  workspace: Workspace,
  { status: memory, pending }: Memory,
  signal: AbortSignal,
): Promise<StatusReport> {
  const request = {
    workspace,
    memory,
    pending,
    prune: false,
    allowMassDelete: false,
    budget: 0,
    holds: {},
    lineage: new Lineage(workspace.folder, () => undefined),
  };
  const plan = await planPass(reader, request, signal);
  const id = await engineId(reader, memory, plan, signal);
  const { project } = workspace;
  const document = makeStatus(plan, {
    engine: { id, endpoint: reader.endpoint },
    project: project === undefined ? null : { name: project.name, uid: project.uid },
    previous: memory,
    narrowed: false,
    commit: undefined,
    failures: {},
  });
  const converged = plan.groups.every((group) => group.converged);
  return { document, source: "engine", trouble: undefined, now: plan.now, converged };
}

function fromFile(
  reader: EngineReader,
  workspace: Workspace,
  memory: StatusDocument | undefined,
  trouble: WgctlError,
  now: number,
): StatusReport {
  const known = memory ?? emptyStatus(reader.endpoint);
  const groups = workspace.groups.map(
    (group) => known.groups.find(({ uid }) => uid === group.identity.uid) ?? neverSeen(group),
  );
  return {
    document: makeUnreachableStatus({ ...known, groups }, trouble.message, now),
    source: memory === undefined ? "nowhere" : "file",
    trouble,
    now: latest(known) ?? now,
    converged: false,
  };
}

function emptyStatus(endpoint: string): StatusDocument {
  return { formatVersion: 1, engine: { id: "", endpoint }, project: null, groups: [] };
}

/** A declared group of which nothing has been observed, and which has no generation therefore. */
function neverSeen(group: DesiredGroup): GroupStatus {
  return {
    ...group.identity,
    generation: 0,
    spec: "",
    observedGeneration: 0,
    lastConvergedGeneration: null,
    revisions: { desired: null, stable: null, blocked: null },
    commit: null,
    counts: countMilestones([], group.kind === "valid" ? group.spec.replicas : 0, 0),
    workers: [],
    failures: [],
    progress: null,
    uncertain: [],
    conditions: [],
  };
}

/** The newest time in a document: its ages must not grow with a clock that is not the engine's. */
function latest({ groups }: StatusDocument): number | undefined {
  const times = groups.flatMap((group) =>
    group.conditions.map((condition) => fromIso(condition.lastTransitionTime) ?? 0),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
