// One text for one meaning, whatever order keys came in: what digests, labels and comparisons are made of.

/** A value of JSON, as types see it; `undefined` members are left out. */
export type Json =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Json[]
  | { readonly [key: string]: Json };

/** JSON with sorted keys and no blanks. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sortKeys(value));
}

function sortKeys(value: Json): Json {
  if (isList(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  // Not by assignment: to a plain object a key named __proto__ is no key.
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

/**
 * Dotted paths at which two values differ, sorted. Maps are compared member by member; a list is one value,
 * because its members have no names a person could be pointed to.
 */
export function differingPaths(one: Json, other: Json, path = ""): readonly string[] {
  if (isRecord(one) && isRecord(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    return keys.flatMap((key) =>
      differingPaths(one[key], other[key], path === "" ? key : `${path}.${key}`),
    );
  }
  return canonicalJson(one ?? null) === canonicalJson(other ?? null) ? [] : [path];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !isList(value);
}
