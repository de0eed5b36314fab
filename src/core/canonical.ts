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
  if (isList(value)) return `[${value.map((each) => canonicalJson(each ?? null)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(",")}}`;
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
