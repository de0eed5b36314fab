// What `restart` and `delete` write into manifests: one key for each group. Decides, and neither reads nor writes files.

import type { GroupEdit } from "../config/edit-groups.ts";
import { stdinName } from "../config/files.ts";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup } from "../core/model.ts";

export type HandVerb = "restart" | "delete";

/** A manifest to edit, as a person names it, and the groups in it that are meant. */
export type ManifestEdits = {
  readonly file: string;
  readonly groups: readonly DesiredGroup[];
  readonly edits: readonly GroupEdit[];
};

export type HandPlan = {
  /** One for each file, in the order in which the groups were named. */
  readonly manifests: readonly ManifestEdits[];
  /** Groups in which the key is set already, so that nothing is to be written. */
  readonly settled: readonly DesiredGroup[];
};

/** What to write for these groups at this time (ms); throws `refused` where one of them cannot have it. */
export function planByHand(verb: HandVerb, groups: readonly DesiredGroup[], now: number): HandPlan {
  const settled = groups.filter((group) => verb === "delete" && isLeaving(group));
  const open = groups.filter((group) => !settled.includes(group));
  const files = new Map<string, DesiredGroup[]>();
  for (const group of open) {
    requireEditable(verb, group);
    const { file } = group.place;
    files.set(file, [...(files.get(file) ?? []), group]);
  }
  const manifests = [...files].map(([file, members]) => ({
    file,
    groups: members,
    edits: members.map((group) => editOf(verb, group, now)),
  }));
  return { manifests, settled };
}

function isLeaving({ deletionTimestamp }: DesiredGroup): boolean {
  return deletionTimestamp !== undefined;
}

function requireEditable(verb: HandVerb, group: DesiredGroup): void {
  const { identity } = group;
  requireFile(group);
  if (verb === "restart" && isLeaving(group)) {
    throw new WgctlError("refused", `${identity.name} is being deleted and gets no new workers`, {
      hint: "take its deletionTimestamp out first",
    });
  }
}

/** Throws `refused` for a group that came from no file. */
export function requireFile({ identity, place }: DesiredGroup): void {
  if (place.file !== stdinName) return;
  throw new WgctlError("refused", `${identity.name} came from standard input`, {
    hint: "name its file with -f, so that it can be edited",
  });
}

function editOf(verb: HandVerb, group: DesiredGroup, now: number): GroupEdit {
  const { uid } = group.identity;
  if (verb === "delete") {
    const value = timeText(now);
    return { uid, path: ["metadata", "deletionTimestamp"], below: "uid", value };
  }
  const old = group.kind === "valid" ? group.spec.restartNonce : "";
  return { uid, path: ["spec", "restartNonce"], below: "replicas", value: nextNonce(old, now) };
}

/** A time to the second, and always a later one than the nonce before, where that is such a time. */
export function nextNonce(old: string, now: number): string {
  const before = Date.parse(old);
  const isOurs = !Number.isNaN(before) && timeText(before) === old;
  return timeText(isOurs ? Math.max(now, before + 1000) : now);
}

function timeText(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
}
