// Two services of one `extends` -> one, merged field by field as Compose merges them. Reads nothing.

import { lastOfEach, word } from "./identities.ts";
import { splitOutside } from "./texts.ts";
import {
  type Fields,
  fieldsOf,
  itemsOf,
  listFrom,
  mapFrom,
  textFrom,
  textOf,
  type Value,
} from "./value.ts";

type Merge = (base: Value, over: Value, path: string) => Value;

/** The fields of a service over those of the one that it extends. */
export function mergeServices(base: Fields, over: Fields): Fields {
  return mergeFields(base, over, "");
}

/** The fields without what `!reset` takes away, for those that are merged into nothing. */
export function withoutResets(fields: Fields): Fields {
  const left = [...fields].filter(([, { tag }]) => tag !== "!reset");
  return new Map(left.map(([name, value]) => [name, withoutInner(value)]));
}

function withoutInner(value: Value): Value {
  if (value.kind === "map") return { ...value, entries: withoutResets(value.entries) };
  if (value.kind !== "list") return value;
  return { ...value, items: leftOf(value.items).map(withoutInner) };
}

function leftOf(items: readonly Value[]): readonly Value[] {
  return items.filter(({ tag }) => tag !== "!reset");
}

function mergeFields(base: Fields, over: Fields, path: string): Fields {
  const merged = new Map(base);
  for (const [name, value] of over) {
    const below = base.get(name);
    const at = path === "" ? name : `${path}.${name}`;
    if (value.tag === "!reset") merged.delete(name);
    else if (below === undefined || value.tag === "!override") merged.set(name, value);
    else merged.set(name, mergeValues(below, value, at));
  }
  return merged;
}

function mergeValues(base: Value, over: Value, path: string): Value {
  const merge = SPECIAL[path] ?? mergeLike;
  if (over.kind === "empty" && merge !== override) return base;
  return base.kind === "empty" ? over : merge(base, over, path);
}

const mergeLike: Merge = (base, over, path) => {
  if (base.kind === "map" && over.kind === "map")
    return { ...over, entries: mergeFields(base.entries, over.entries, path) };
  return base.kind === "list" && over.kind === "list" ? append(base, over, path) : over;
};

/** Nothing at all takes the place of what is below, too. */
const override: Merge = (_, over) => over;

/** One text counts as a list of one. */
const append: Merge = (base, over, path) =>
  listFrom(over.origin, lastOfEach([...itemsOf(base), ...leftOf(itemsOf(over))], path));

/** `NAME=value`, whether written as a list or as a mapping. A name without a value takes the place of one that has one. */
const mergeKeyed: Merge = (base, over, path) => {
  if (base.kind !== "map" || over.kind !== "map")
    return append(keyedList(base), keyedList(over), path);
  const entries = new Map(base.entries);
  for (const [name, value] of over.entries)
    if (value.tag === "!reset") entries.delete(name);
    else entries.set(name, value);
  return { ...over, entries };
};

function keyedList(value: Value): Value {
  if (value.kind !== "map") return value;
  const items = [...withoutResets(value.entries)].map(([name, entry]) =>
    entry.kind === "text"
      ? { ...entry, text: `${name}=${entry.text}` }
      : textFrom(entry.origin, name),
  );
  return listFrom(value.origin, items);
}

/** A host has the addresses of both. */
const mergeHosts: Merge = (base, over, path) => append(hostList(base), hostList(over), path);

function hostList(value: Value): Value {
  const items =
    value.kind === "map"
      ? [...withoutResets(value.entries)].flatMap(([name, addresses]) =>
          itemsOf(addresses).map((one) => textFrom(one.origin, `${name}=${word(one)}`)),
        )
      : leftOf(itemsOf(value)).map(hostItem);
  return listFrom(value.origin, items);
}

/** `host:address` as `host=address`, so that each stands there once. */
function hostItem(item: Value): Value {
  const text = textOf(item) ?? "";
  const [host = "", ...address] = splitOutside(text, ":");
  const isShort = splitOutside(text, "=").length === 1 && address.length > 0;
  return isShort ? textFrom(item.origin, `${host}=${address.join(":")}`) : item;
}

/** A list of names counts as a mapping of names to nothing. */
const mergeNamed: Merge = (base, over, path) => mergeLike(namedMap(base), namedMap(over), path);

function namedMap(value: Value): Value {
  if (value.kind !== "list") return value;
  const entries = leftOf(value.items).flatMap((item) =>
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
  extra_hosts: mergeHosts,
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
