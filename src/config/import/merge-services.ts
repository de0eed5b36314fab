// Two services of one `extends` -> one, merged field by field as Compose merges them. Reads nothing.

import {
  type Fields,
  fieldsOf,
  itemsOf,
  listFrom,
  mapFrom,
  textFrom,
  type Value,
} from "./value.ts";

type Merge = (base: Value, over: Value, path: string) => Value;

/** The fields of a service over those of the one that it extends. */
export function mergeServices(base: Fields, over: Fields): Fields {
  return mergeFields(base, over, "");
}

function mergeFields(base: Fields, over: Fields, path: string): Fields {
  const merged = new Map(base);
  for (const [name, value] of over) {
    const below = base.get(name);
    const at = path === "" ? name : `${path}.${name}`;
    merged.set(name, below === undefined ? value : mergeValues(below, value, at));
  }
  return merged;
}

function mergeValues(base: Value, over: Value, path: string): Value {
  if (over.kind === "empty") return base;
  const merge = SPECIAL[path] ?? mergeLike;
  return base.kind === "empty" ? over : merge(base, over, path);
}

const mergeLike: Merge = (base, over, path) => {
  if (base.kind === "map" && over.kind === "map")
    return { ...over, entries: mergeFields(base.entries, over.entries, path) };
  return base.kind === "list" && over.kind === "list" ? append(base, over, path) : over;
};

const override: Merge = (_, over) => over;

/** One text counts as a list of one. */
const append: Merge = (base, over, path) =>
  listFrom(over.origin, lastOfEach([...itemsOf(base), ...itemsOf(over)], path));

/** `NAME=value`, whether written as a list or as a mapping. */
const mergeKeyed: Merge = (base, over, path) => {
  if (base.kind === "map" && over.kind === "map") return mergeLike(base, over, path);
  return append(keyedList(base), keyedList(over), path);
};

function keyedList(value: Value): Value {
  if (value.kind !== "map") return value;
  const items = [...value.entries].map(([name, entry]) =>
    entry.kind === "text"
      ? textFrom(entry.origin, `${name}=${entry.text}`, entry.style)
      : textFrom(entry.origin, name),
  );
  return listFrom(value.origin, items);
}

/** A list of names counts as a mapping of names to nothing. */
const mergeNamed: Merge = (base, over, path) => mergeLike(namedMap(base), namedMap(over), path);

function namedMap(value: Value): Value {
  if (value.kind !== "list") return value;
  const entries = value.items.flatMap((item) =>
    item.kind === "text"
      ? [[item.text, { kind: "empty", origin: { ...item.origin, key: item.origin.span } }] as const]
      : [],
  );
  return mapFrom(value.origin, entries);
}

/** Options belong to their driver. */
const mergeLogging: Merge = (base, over, path) => {
  const driver = (value: Value) => itemsOf(fieldsOf(value).get("driver")).map(word).join();
  return [driver(base), ""].includes(driver(over)) || driver(base) === ""
    ? mergeLike(base, over, path)
    : over;
};

const SPECIAL: Readonly<Record<string, Merge>> = {
  command: override,
  entrypoint: override,
  "healthcheck.test": override,
  environment: mergeKeyed,
  labels: mergeKeyed,
  annotations: mergeKeyed,
  sysctls: mergeKeyed,
  extra_hosts: mergeKeyed,
  env_file: append,
  label_file: append,
  dns: append,
  dns_search: append,
  dns_opt: append,
  tmpfs: append,
  networks: mergeNamed,
  depends_on: mergeNamed,
  logging: mergeLogging,
};

/** What items of a list have in common that cannot both be; by default the whole item. */
const IDENTITY: Readonly<Record<string, (item: Value) => string>> = {
  environment: (item) => word(item).split("=", 1).join(),
  labels: (item) => word(item).split("=", 1).join(),
  annotations: (item) => word(item).split("=", 1).join(),
  sysctls: (item) => word(item).split("=", 1).join(),
  volumes: (item) => targetOf(item, 1),
  devices: (item) => targetOf(item, 1),
  tmpfs: (item) => targetOf(item, 0),
  secrets: (item) => targetOf(item, 0),
  configs: (item) => targetOf(item, 0),
};

/** Every item once; a later one stands in the place of the first of its identity. */
function lastOfEach(items: readonly Value[], path: string): readonly Value[] {
  const identity = IDENTITY[path] ?? word;
  return [...new Map(items.map((item) => [identity(item), item])).values()];
}

function targetOf(item: Value, part: number): string {
  if (item.kind !== "text") {
    const fields = fieldsOf(item);
    return word(fields.get("target") ?? fields.get("source") ?? item);
  }
  const parts = item.text.split(":");
  return parts[part] ?? parts[0] ?? "";
}

function word(value: Value): string {
  if (value.kind === "text") return value.text;
  if (value.kind === "empty") return "";
  const inner = value.kind === "list" ? value.items.map(word) : [...value.entries].map(pairWords);
  return JSON.stringify(inner);
}

function pairWords([name, value]: readonly [string, Value]): readonly string[] {
  return [name, word(value)];
}
