// Takes one picture of the engine: everything a plan may ask about, read once.

import { claimsToBeOf } from "../core/labels.ts";
import type { DesiredGroup } from "../core/model.ts";
import { plainName, readPhase } from "../core/names.ts";
import type { Snapshot, WorkerFacts } from "../core/observed.ts";
import type { GroupPlan, Plan } from "../core/plan/types.ts";
import type { EngineReader, Listing } from "../engine/engine.ts";
import type { Memory } from "./memory.ts";
import type { Workspace } from "./workspace.ts";

/** Lists the workers of the groups and of the project, and resolves the images of the groups that have a valid spec. Throws `engine-*`. */
export async function observe(
  reader: EngineReader,
  { groups, declared, project }: Pick<Workspace, "groups" | "declared" | "project">,
  { probes, ...memory }: Memory & Pick<Snapshot, "probes">,
  signal: AbortSignal,
): Promise<Snapshot> {
  const uids = new Set(declared);
  const [listing, images] = await Promise.all([
    // Workers of other projects on the engine are none of this run's business, and may be many.
    reader.listWorkers(signal, (labels) => claimsToBeOf(labels, uids, project?.uid)),
    reader.resolveImages(imagesOf(groups), signal),
  ]);
  const signalled = await findSignalled(reader, listing, memory, signal);
  return { ...listing, images, signalled, holders: {}, missingNetworks: [], probes };
}

function imagesOf(groups: readonly DesiredGroup[]): readonly string[] {
  const references = groups.flatMap((group) =>
    group.kind === "valid" ? [group.spec.template.image] : [],
  );
  return [...new Set(references)].sort();
}

/** Asks the event history about leaving workers of which no file says that their signal was sent. */
async function findSignalled(
  reader: EngineReader,
  { workers }: Listing,
  { status, pending: { signalled } }: Memory,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Told for the phase that the name told then: one that was to be quiet has not been asked to stop.
  const recorded = (status?.groups ?? []).flatMap((group) =>
    group.workers.filter((record) => record.signalled).map(({ id, name }) => `${id} ${name}`),
  );
  const known = new Set(recorded);
  const unsure = new Map<number, string[]>();
  for (const facts of workers) {
    const since = leavingSince(facts);
    const isKnown = signalled.includes(facts.id) || known.has(`${facts.id} ${facts.name}`);
    if (since !== undefined && !isKnown) {
      unsure.set(since, [...(unsure.get(since) ?? []), facts.id].sort());
    }
  }
  const asked = [...unsure].map(([since, ids]) => reader.findSignalled(ids, since, signal));
  return [...signalled, ...(await Promise.all(asked)).flat()];
}

/** Engine time (ms) since which a running container has been leaving: one that was kept may have been started since. */
function leavingSince({ name, run }: WorkerFacts): number | undefined {
  const read = readPhase(name, plainName(name));
  if (run.kind !== "running" || read.kind !== "own" || read.phase === undefined) return undefined;
  return Math.max(read.phase.since, run.startedAt);
}

/**
 * Adds to a picture what a plan made on it depends on and a converged group never needs: who holds the names it
 * would create, and whether its networks exist. Undefined: nothing stands in the plan's way.
 */
export async function lookAhead(
  reader: EngineReader,
  snapshot: Snapshot,
  plan: Plan,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const actions = [...plan.actions, ...plan.deferred];
  if (actions.length === 0) return undefined;
  // No worker may be retired for a successor that could not be made.
  const touched = new Set(actions.map((action) => action.group));
  const groups = plan.groups.filter(({ identity }) => touched.has(identity.uid));
  const names = groups.flatMap((group) => group.namesToCome).sort();
  const [holders, missingNetworks] = await Promise.all([
    names.length === 0 ? {} : reader.findHolders(names, signal),
    reader.findMissingNetworks(networksOf(groups), signal),
  ]);
  const isFree = Object.keys(holders).length + missingNetworks.length === 0;
  return isFree ? undefined : { ...snapshot, holders, missingNetworks };
}

function networksOf(groups: readonly GroupPlan[]): readonly string[] {
  const names = groups.flatMap(({ desired, leaving }) =>
    desired?.kind === "valid" && leaving === undefined
      ? Object.keys(desired.spec.template.networks ?? {})
      : [],
  );
  return [...new Set(names)].sort();
}
