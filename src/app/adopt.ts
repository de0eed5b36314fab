// What `adopt` claims for a group: which containers, whether they can be had, and what is written into its manifest.
// Writes nothing; that they are replaced is for the planner.

import type { GroupEdit } from "../config/edit-groups.ts";
import { bySlotOfPort, shortId } from "../core/adoption.ts";
import { WgctlError } from "../core/errors.ts";
import { uidOf } from "../core/labels.ts";
import type { DesiredGroup } from "../core/model.ts";
import { plainName } from "../core/names.ts";
import type { WorkerFacts } from "../core/observed.ts";
import type { EngineReader } from "../engine/engine.ts";
import { requireFile } from "./by-hand.ts";

export type Adopter = DesiredGroup & { readonly kind: "valid" };

/** A container that is there, and the slot that it is to have. */
export type Claimed = { readonly facts: WorkerFacts; readonly slot: number };

export type Adoption = {
  /** The group with everything that it adopts. */
  readonly adopter: Adopter & { readonly adopt: readonly string[] };
  /** Those that are there. */
  readonly containers: readonly Claimed[];
  /** The manifest does not say all of it yet. */
  readonly isNew: boolean;
};

/** A group that can adopt something; throws `refused` or `invalid-input` where it cannot. */
export function requireAdopter(group: DesiredGroup): Adopter {
  requireFile(group);
  const { name } = group.identity;
  if (group.kind === "invalid") {
    throw new WgctlError("invalid-input", `the manifest of ${name} has errors`, {
      hint: "mend the problems shown",
    });
  }
  if (group.deletionTimestamp === undefined) return group;
  throw new WgctlError("refused", `${name} is being deleted and gets no new workers`, {
    hint: "take its deletionTimestamp out first",
  });
}

/**
 * Claims containers for a group besides those that it adopts already, each named as a person does. Throws `bad-usage`
 * for one that is not there, `refused` for one that cannot be had, `engine-*`.
 */
export async function claim(
  reader: EngineReader,
  group: Adopter,
  names: readonly string[],
  others: readonly DesiredGroup[],
  signal: AbortSignal,
): Promise<Adoption> {
  const known = group.adopt ?? [];
  if (known.length + names.length === 0) throw nothingMeant(group);
  const ids: string[] = [...known];
  const missing: string[] = [];
  for (const name of names) {
    const id = known.find((each) => isMeant(each, name)) ?? (await find(reader, name, signal));
    if (id === undefined) missing.push(name || '""');
    else if (!ids.includes(id)) {
      requireUnclaimed(id, name, group, others);
      ids.push(id);
    }
  }
  if (missing.length > 0) throw notThere(missing, group);
  const containers = await inspectAll(reader, ids, signal);
  for (const { facts } of containers) if (!known.includes(facts.id)) requireFree(facts);
  const isNew = ids.length > known.length;
  if (known.length > 0) return { adopter: { ...group, adopt: ids }, containers, isNew };
  const facts = bySlotOfPort(
    containers.map((each) => each.facts),
    group.spec.template,
  );
  return {
    adopter: { ...group, adopt: facts.map(({ id }) => id) },
    containers: facts.map((each, index) => ({ facts: each, slot: index + 1 })),
    isNew,
  };
}

function nothingMeant({ identity }: Adopter): WgctlError {
  return new WgctlError("bad-usage", `${identity.name} adopts nothing yet`, {
    hint: "name containers with --from",
  });
}

/** A declared id, or what `docker ps` shows of it: the container itself may be gone by now. */
function isMeant(id: string, name: string): boolean {
  return name.length >= shortId(id).length && id.startsWith(name);
}

/** No name at all, as an unset variable of the shell leaves it, is no question to an engine. */
async function find(
  reader: EngineReader,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return name === "" ? undefined : reader.findId(name, signal);
}

function notThere(names: readonly string[], { adopt = [], identity }: Adopter): WgctlError {
  const begun =
    adopt.length > 0 && `to go on with what spec.adopt says: wgctl adopt ${identity.name}`;
  return new WgctlError("bad-usage", `there is no container ${names.join(", ")}`, {
    hint: begun || "name containers as docker ps -a shows them",
  });
}

function requireUnclaimed(
  id: string,
  name: string,
  group: Adopter,
  others: readonly DesiredGroup[],
): void {
  const owner = others.find(
    (other) =>
      other.kind === "valid" &&
      other.identity.uid !== group.identity.uid &&
      other.adopt?.includes(id) === true,
  );
  if (owner === undefined) return;
  throw new WgctlError("refused", `${name} is adopted by ${owner.identity.name} already`, {
    hint: "let one group adopt it",
  });
}

function requireFree({ labels, name, run }: WorkerFacts): void {
  if (uidOf(labels) !== undefined) {
    throw new WgctlError("refused", `${name} carries the labels of a wgctl worker`, {
      hint: "adopt what somebody else made",
    });
  }
  if (run.kind === "paused" || run.kind === "removing" || run.kind === "dead") {
    const hint = run.kind === "paused" ? { hint: `docker unpause ${name} first` } : {};
    throw new WgctlError("refused", `${name} is ${run.kind}`, hint);
  }
  // What a name ends in says how a worker leaves.
  if (plainName(name) === name) return;
  throw new WgctlError("refused", `${name} is called like a worker that leaves`, {
    hint: `docker rename ${name} ${plainName(name)} first`,
  });
}

async function inspectAll(
  reader: EngineReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Claimed[]> {
  const containers: Claimed[] = [];
  for (const [index, id] of ids.entries()) {
    const found = await reader.inspectWorker(id, signal);
    if (found !== undefined) containers.push({ facts: found.facts, slot: index + 1 });
  }
  return containers;
}

/** True once none of them is there any more. */
export async function isOver(
  reader: EngineReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  return (await inspectAll(reader, ids, signal)).length === 0;
}

/** What makes a manifest say what a group adopts; nothing adopted: the key goes. */
export function adoptEdit({ identity }: DesiredGroup, ids: readonly string[]): GroupEdit {
  const value = ids.length === 0 ? undefined : ids;
  return { uid: identity.uid, path: ["spec", "adopt"], below: "replicas", value };
}
