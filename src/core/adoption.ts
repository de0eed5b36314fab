// Containers that somebody else made and a group adopts. No label can be put on them, so the manifest says whose they
// are, and what the labels of a worker would say of them is made up here. Decides nothing about them.

import { TEMPLATE_VERSION, uidOf, type WorkerLabels } from "./labels.ts";
import type { DesiredGroup, GroupIdentity } from "./model.ts";
import { plainName } from "./names.ts";
import type { AdoptedContainer, Snapshot, UnknownWorker, WorkerFacts } from "./observed.ts";
import { expandRange } from "./placeholders.ts";
import type { Template } from "./template.ts";
import type { Worker } from "./worker.ts";

/** Stands for the revision of all of them; no digest is like it. */
const REVISION = "adopted";
const SHORT_ID = 12;

export type Adoptee = Pick<Worker, "facts" | "labels">;

/** What has become of the containers that a group adopts. */
export type Adoption = {
  readonly adoptees: readonly Adoptee[];
  /** The engine does not answer for them. */
  readonly unknown: readonly UnknownWorker[];
  /** Ids of those that are not there any more. */
  readonly gone: readonly string[];
  /** Names of those that carry our labels, and so belong to somebody already. */
  readonly owned: readonly string[];
};

const NONE: Adoption = { adoptees: [], unknown: [], gone: [], owned: [] };

/** Sorts the containers that a group adopts by what the engine shows of them. */
export function adoptionOf(desired: DesiredGroup | undefined, snapshot: Snapshot): Adoption {
  if (desired?.kind !== "valid" || desired.adopt === undefined) return NONE;
  const { adopt, identity } = desired;
  const seen = adopt.map((id, index) => ({ id, slot: index + 1, found: snapshot.adopted?.[id] }));
  const known = seen.flatMap(({ found, slot }) =>
    found?.kind === "known" ? [{ ...found, slot }] : [],
  );
  return {
    adoptees: known.filter(isFree).map((each) => adoptee(each, identity, each.slot)),
    unknown: seen.flatMap(({ found, id }) =>
      found?.kind === "unknown" ? [{ id, name: shortId(id), labels: {} }] : [],
    ),
    gone: seen.flatMap(({ found, id }) => (found === undefined ? [id] : [])),
    owned: known.filter((each) => !isFree(each)).map(({ facts }) => facts.name),
  };
}

type Known = AdoptedContainer & { readonly kind: "known" };

function isFree({ facts }: Known): boolean {
  return uidOf(facts.labels) === undefined;
}

/** With its place in the list for a slot, and its name without a phase for its own. */
function adoptee({ facts, template }: Known, group: GroupIdentity, slot: number): Adoptee {
  const labels: WorkerLabels = {
    ...{ project: undefined, group, slot, attempt: 1, taskId: "", generation: 0, spec: "" },
    ...{ revision: REVISION, template, templateVersion: TEMPLATE_VERSION, nonce: "" },
    ...{ name: plainName(facts.name), commit: undefined, drain: "", reason: "adopted" },
  };
  return { facts, labels };
}

/**
 * Containers in the order of the slots whose host ports they have: no worker is to want a port that another one's
 * predecessor still holds. Those without such a port fill the other slots as they come.
 */
export function bySlotOfPort(
  containers: readonly WorkerFacts[],
  { ports = [] }: Template,
): readonly WorkerFacts[] {
  const published = ports.flatMap((port) => port.published ?? []).filter(differsBySlot);
  const left = new Set(containers);
  const take = (slot: number): WorkerFacts | undefined => {
    const found = [...left].find(({ hostPorts = [] }) =>
      published.some((text) => hostPorts.includes(portInSlot(text, slot))),
    );
    if (found !== undefined) left.delete(found);
    return found;
  };
  const placed = containers.map((_, index) => take(index + 1));
  const rest = [...left];
  return placed.flatMap((each) => each ?? rest.shift() ?? []);
}

function differsBySlot(published: string): boolean {
  return portInSlot(published, 1) !== portInSlot(published, 2);
}

function portInSlot(published: string, slot: number): number {
  const values = { slot, group: "", uid: "", taskId: "", workerName: "" };
  return Number(expandRange(published, values));
}

/** Whether somebody else made it. */
export function isAdopted({ labels }: Pick<Worker, "labels">): boolean {
  return labels.revision === REVISION;
}

/** An id as people know it: `0123456789ab`. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID);
}
