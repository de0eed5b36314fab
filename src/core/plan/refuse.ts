// What forbids touching a group at all, or keeps it from starting anything. Workers stay as they are.

import { TEMPLATE_VERSION, uidOf } from "../labels.ts";
import { readPhase } from "../names.ts";
import type { NameHolder } from "../observed.ts";
import type { Draft } from "./draft.ts";
import type { Scene } from "./scene.ts";
import type { Block } from "./types.ts";

/** Hex digits of a commit that people read. */
const SHORT_COMMIT = 10;

/** Workers that somebody else made or owns: then not even a deletion may touch the group. */
export function foreignHands(scene: Scene): Block | undefined {
  return newerVersion(scene) ?? otherOwner(scene) ?? ownAdopted(scene);
}

/** What the manifest itself says against planning the group; deletion comes before it. */
export function declaredRefusal({ desired, spec }: Scene): Block | undefined {
  if (desired?.kind === "invalid") {
    return {
      code: "InvalidSpec",
      message: "the manifest has errors; its workers are left alone until it is mended",
    };
  }
  if (spec?.suspend === true) {
    return { code: "Suspended", message: "spec.suspend is true: observed and reported only" };
  }
  return undefined;
}

function newerVersion({ workers }: Scene): Block | undefined {
  const newer = workers.find(({ labels }) => labels.templateVersion > TEMPLATE_VERSION);
  if (newer === undefined) return undefined;
  return {
    code: "NewerVersion",
    message: `${newer.labels.name} was made by a newer wgctl; use that one`,
  };
}

/** The fence: an older checkout must not undo what a newer one did, not even by a deletion. */
export function newerCommit({ workers, newerCommits }: Scene): Block | undefined {
  const made = workers.find(
    ({ labels: { commit } }) => commit !== undefined && newerCommits.includes(commit),
  );
  if (made === undefined) return undefined;
  return {
    code: "NewerCommit",
    message: `${made.labels.name} was made from commit ${made.labels.commit?.slice(0, SHORT_COMMIT)}, and this checkout is older; update it, or add --allow-older`,
  };
}

/** Without a project label a worker is ours by its UID; with another project's it is theirs. */
function otherOwner({ workers, projectUid }: Scene): Block | undefined {
  const theirs = workers.find(
    ({ labels }) => labels.project !== undefined && labels.project !== projectUid,
  );
  if (theirs === undefined) return undefined;
  return {
    code: "OwnershipConflict",
    message: `${theirs.labels.name} belongs to project ${theirs.labels.project}, ${projectUid === undefined ? "and this run has no project" : `not to ${projectUid}`}`,
  };
}

/** Whoever carries our labels has an owner by them, and cannot get another. */
function ownAdopted({ adoption: { owned } }: Scene): Block | undefined {
  const [name] = owned;
  if (name === undefined) return undefined;
  return {
    code: "OwnershipConflict",
    message: `spec.adopt names ${name}, which carries the labels of a worker; take it out`,
  };
}

/** A container that is not ours on a name that this pass or a later one would use. */
export function nameConflict({ namesToCome, scene }: Draft): Block | undefined {
  const { holders } = scene.snapshot;
  for (const name of namesToCome) {
    const holder = holders[name];
    if (holder === undefined || isOurs(holder, name, scene) || isOfGroup(holder, scene)) continue;
    return {
      code: "NameConflict",
      message: `the name ${name} is taken by a container that is not ours; rename or remove it`,
    };
  }
  return undefined;
}

function isOurs(holder: NameHolder, name: string, { identity }: Scene): boolean {
  const claimed = holder.labels["dev.wgctl.name"] ?? "";
  return uidOf(holder.labels) === identity.uid && readPhase(name, claimed).kind === "own";
}

/** One that is adopted by the group makes way. */
function isOfGroup({ id }: NameHolder, { workers }: Scene): boolean {
  return workers.some(({ facts }) => facts.id === id);
}

/** Workers that the engine lists and does not answer for. */
export function unknownWorkers({ unknown }: Scene): Block | undefined {
  if (unknown.length === 0) return undefined;
  const names = unknown.map(({ name }) => name).sort();
  return {
    code: "WorkerUnknown",
    message: `the engine does not answer for ${names.join(", ")}`,
  };
}

/** Why a group that may be touched must start and retire nothing for now; undefined: it may. */
export function hindrance({ outlook, scene }: Draft): Block | undefined {
  const { hold, snapshot, spec } = scene;
  // Before all else: nobody knows who is available, so not even a shrinking group may lose one.
  const unknown = unknownWorkers(scene);
  if (unknown !== undefined) return unknown;
  // A revision that has failed is tried no more: what its worker came to must not keep its predecessor stopped.
  const isDone = outlook.isBlocked && hold?.isOfNew === true;
  if (hold !== undefined && !isDone) return { code: hold.code, message: hold.message };
  const networks = Object.keys(spec?.template.networks ?? {}).sort();
  const missing = networks.filter((name) => snapshot.missingNetworks.includes(name));
  if (missing.length > 0) {
    return {
      code: "NetworkMissing",
      message: `network ${missing.join(", ")} does not exist on the engine; create it first`,
    };
  }
  return undefined;
}
