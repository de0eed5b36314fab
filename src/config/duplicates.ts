// One UID for two documents, one name with two UIDs, one container for two groups: errors that name both places.

import { shortId } from "../core/adoption.ts";
import type { DesiredGroup, Problem } from "../core/model.ts";
import type { IdentityPlaces } from "./document.ts";
import { problemAt } from "./problems.ts";
import { placeAt, type Source, type Span } from "./source.ts";

/** A group with where its identity stands. */
export type LocatedGroup = {
  readonly group: DesiredGroup;
  readonly source: Source;
  readonly places: IdentityPlaces;
};

/** Problems for groups that share what only one may have, at the later of the two. */
export function findDuplicates(groups: readonly LocatedGroup[]): readonly Problem[] {
  const byUid = new Map<string, LocatedGroup>();
  const byName = new Map<string, LocatedGroup>();
  return groups.flatMap((one) => {
    const { uid, namespace, name } = one.group.identity;
    const sameUid = claim(byUid, uid, one);
    const sameName = claim(byName, `${namespace}/${name}`, one);
    if (sameUid !== undefined) return [describeUid(one, sameUid)];
    return sameName === undefined ? [] : [describeName(one, sameName)];
  });
}

/** Problems for groups that adopt what an earlier one adopts: nothing may have two owners. */
export function findSharedAdoptions(groups: readonly LocatedGroup[]): readonly Problem[] {
  const byId = new Map<string, LocatedGroup>();
  return groups.flatMap((one) => {
    const ids = one.group.kind === "valid" ? (one.group.adopt ?? []) : [];
    return ids.flatMap((id) => {
      const first = claim(byId, id, one);
      return first === undefined ? [] : [describeAdoption(id, one, first)];
    });
  });
}

function describeAdoption(id: string, one: LocatedGroup, first: LocatedGroup): Problem {
  const { name } = first.group.identity;
  return problemAt(one.source, one.places.adopt, ["spec", "adopt"], {
    message: `the container ${shortId(id)} is adopted by ${name} already (${where(first, first.places.adopt)})`,
    hint: "let one group adopt it",
  });
}

/** Whoever had the key before; the first keeps it. */
function claim(taken: Map<string, LocatedGroup>, key: string, one: LocatedGroup) {
  const first = taken.get(key);
  if (first === undefined) taken.set(key, one);
  return first;
}

function describeUid(one: LocatedGroup, first: LocatedGroup): Problem {
  const { name, uid } = first.group.identity;
  return problemAt(one.source, one.places.uid, ["metadata", "uid"], {
    message: `the uid ${uid} is already that of ${name} (${where(first, first.places.uid)})`,
    hint: "take the uid out of the newer of the two, and let `wgctl uid --write FILE` write another",
  });
}

function describeName(one: LocatedGroup, first: LocatedGroup): Problem {
  const { name, namespace } = one.group.identity;
  return problemAt(one.source, one.places.name, ["metadata", "name"], {
    message: `a second group ${name} in the namespace ${namespace} (the first: ${where(first, first.places.name)})`,
    hint: "rename one of them, or give it another namespace",
  });
}

function where({ source }: LocatedGroup, span: Span): string {
  const { file, line, column } = placeAt(source, span.start);
  return `${file}:${line}:${column}`;
}
