// Takes one picture of the engine: everything a plan may ask about, read once.

import { stillCounts } from "../core/journal.ts";
import { claimsToBeOf } from "../core/labels.ts";
import { plainName, readPhase } from "../core/names.ts";
import type { Capacity, Snapshot, WorkerFacts } from "../core/observed.ts";
import type { GroupPlan, Plan } from "../core/plan/types.ts";
import { isNothing, reservationOf } from "../core/reservations.ts";
import type { EngineReader } from "../engine/engine.ts";
import { lookAtAdopted } from "./adopted.ts";
import type { ImageWatch } from "./image-watch.ts";
import type { Memory } from "./memory.ts";
import { idsOf, imagesOf, platformsOf } from "./wanted-images.ts";
import type { Workspace } from "./workspace.ts";

/** What the run knows of registries; absent: none is asked. */
export type RegistryWatch = { readonly watch?: ImageWatch | undefined };

/**
 * Lists the workers of the groups and of the project, and resolves the images of the groups that have a valid spec;
 * registries are asked where there is a watch. Throws `engine-*`.
 */
export async function observe(
  reader: EngineReader,
  { groups, declared, project }: Pick<Workspace, "groups" | "declared" | "project">,
  { probes, watch, ...memory }: Memory & Pick<Snapshot, "probes"> & RegistryWatch,
  signal: AbortSignal,
): Promise<Snapshot> {
  const uids = new Set(declared);
  const [listing, images, adoption] = await Promise.all([
    // Workers of other projects on the engine are none of this run's business, and may be many.
    reader.listWorkers(signal, (labels) => claimsToBeOf(labels, uids, project?.uid)),
    reader.resolveImages(imagesOf(groups), signal, platformsOf(groups)),
    lookAtAdopted(reader, groups, signal),
  ]);
  const question = { groups, memory: memory.status, images, now: listing.now };
  const [signalled, registry = {}] = await Promise.all([
    findSignalled(reader, [...listing.workers, ...adoptedFacts(adoption)], memory, signal),
    watch?.look(reader, question, signal),
  ]);
  const ids = idsOf(images, groups, watch);
  const seen = { ...listing, ...adoption, images: ids, registry, signalled, probes };
  return { ...seen, holders: {}, missingNetworks: [] };
}

function adoptedFacts({ adopted = {} }: Pick<Snapshot, "adopted">): readonly WorkerFacts[] {
  return Object.values(adopted).flatMap((each) => (each.kind === "known" ? [each.facts] : []));
}

/** Asks the event history about leaving workers of which no file says that their signal was sent. */
async function findSignalled(
  reader: EngineReader,
  workers: readonly WorkerFacts[],
  { status, pending: { signalled } }: Memory,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Told for the phase that the name told then: one that was to be quiet has not been asked to stop.
  const recorded = (status?.groups ?? []).flatMap((group) =>
    group.workers.filter((record) => record.signalled).map(({ id, name }) => `${id} ${name}`),
  );
  const known = new Set(recorded);
  const unsure = new Map<number, string[]>();
  const told: string[] = [];
  for (const facts of workers) {
    const since = leavingSince(facts);
    const isTold = signalled.some((said) => stillCounts(said, facts));
    if (isTold) told.push(facts.id);
    const isKnown = isTold || known.has(`${facts.id} ${facts.name}`);
    if (since !== undefined && !isKnown) {
      unsure.set(since, [...(unsure.get(since) ?? []), facts.id].sort());
    }
  }
  const asked = [...unsure].map(([since, ids]) => reader.findSignalled(ids, since, signal));
  return [...told, ...(await Promise.all(asked)).flat()];
}

/** Engine time (ms) since which a running container has been leaving: one that was kept may have been started since. */
function leavingSince({ name, run }: WorkerFacts): number | undefined {
  const read = readPhase(name, plainName(name));
  if (run.kind !== "running" || read.kind !== "own" || read.phase === undefined) return undefined;
  return Math.max(read.phase.since, run.startedAt);
}

/**
 * Adds to a picture what a plan made on it depends on and a converged group never needs: who holds the names it
 * would create, whether its networks exist, and what the engine has for reservations. Undefined: nothing stands in the plan's way.
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
  const [holders, missingNetworks, capacity] = await Promise.all([
    names.length === 0 ? {} : reader.findHolders(names, signal),
    reader.findMissingNetworks(networksOf(groups), signal),
    groups.some(makesReserved) ? capacityOf(reader, signal) : undefined,
  ]);
  const isFree = Object.keys(holders).length + missingNetworks.length === 0;
  if (isFree && capacity === undefined) return undefined;
  return { ...snapshot, holders, missingNetworks, ...(capacity && { capacity }) };
}

/** Whether workers are to be made that reserve something. */
function makesReserved({ desired, namesToCome }: GroupPlan): boolean {
  if (desired?.kind !== "valid" || namesToCome.length === 0) return false;
  return !isNothing(reservationOf(desired.spec.template));
}

async function capacityOf(reader: EngineReader, signal: AbortSignal): Promise<Capacity> {
  const { cpus, memory } = await reader.identify(signal);
  return { cpus, memory };
}

function networksOf(groups: readonly GroupPlan[]): readonly string[] {
  const names = groups.flatMap(({ desired, leaving }) =>
    desired?.kind === "valid" && leaving === undefined
      ? Object.keys(desired.spec.template.networks ?? {})
      : [],
  );
  return [...new Set(names)].sort();
}
