// How the mounted files of two templates differ, file by file: a person is told which one was edited.

import { canonicalJson, type Json } from "./canonical.ts";

/** Fields of a template that hold mounted files. */
export const FILE_FIELDS = ["secrets", "configs"] as const;

/** `secrets[/run/secrets/app]` each, sorted. */
export type FileDifferences = {
  /** Mounts that are new or gone, or of another file. */
  readonly mounts: readonly string[];
  /** Those that differ in nothing but what is in the file. */
  readonly contents: readonly string[];
};

/** Compares the mounted files of two templates; what is no template has none. */
export function compareFiles(one: Json, other: Json): FileDifferences {
  const mounts: string[] = [];
  const contents: string[] = [];
  for (const field of FILE_FIELDS) {
    const [before, after] = [filesIn(one, field), filesIn(other, field)];
    for (const target of new Set([...before.keys(), ...after.keys()])) {
      const [old, desired] = [before.get(target), after.get(target)];
      if (isSame(old, desired)) continue;
      const isEdited = old && desired && isSame({ ...old, content: desired["content"] }, desired);
      (isEdited ? contents : mounts).push(`${field}[${target}]`);
    }
  }
  return { mounts: mounts.sort(), contents: contents.sort() };
}

type Fields = { readonly [key: string]: Json };

function filesIn(template: Json, field: string): ReadonlyMap<string, Fields> {
  const files = isFields(template) ? template[field] : undefined;
  const list = Array.isArray(files) ? files.filter(isFields) : [];
  return new Map(list.map((file) => [String(file["target"]), file]));
}

function isFields(value: Json): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: Fields | undefined, other: Fields | undefined): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
