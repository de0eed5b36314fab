// Paths in a compose service, which begin at its file's folder: found, and written as they are seen from another one.

import { posix } from "node:path";
import { splitOutside } from "./texts.ts";
import { type Fields, itemsOf, listFrom, type TextValue, type Value } from "./value.ts";

export type Rewrite = (path: string) => string;

/**
 * The same path seen from another folder. `way` leads from there to the folder that the path was written for; it is
 * empty where both are one.
 */
export function seenFrom(way: string, path: string): string {
  if (way === "" || path === "" || /^[/~]/.test(path)) return path;
  if (path.startsWith("$") && !path.startsWith("$$")) return seenByDefault(way, path);
  if (path.includes("$")) return dotted(`${way}/${path.replace(/^\.\//, "")}`);
  return dotted(posix.join(way, path));
}

/** Of a variable with a relative default only the default can be written anew. */
function seenByDefault(way: string, path: string): string {
  const match = /^(\$\{\w+:?-)(\.[^${}]*)(\}.*)$/s.exec(path);
  return match === null ? path : `${match[1]}${seenFrom(way, match[2] ?? "")}${match[3]}`;
}

function dotted(path: string): string {
  return path.startsWith(".") ? path : `./${path}`;
}

/** True for the source of a mount that is a path on the host; one that begins with a variable is taken for one. */
export function isPath(source: string): boolean {
  return /^([./~]|\$(?!\$))/.test(source);
}

/** The fields of a service with every path on the host replaced. */
export function mapPaths(fields: Fields, replace: Rewrite): Fields {
  const written = new Map(fields);
  for (const [name, map] of Object.entries(PLACES)) {
    const value = fields.get(name);
    if (value !== undefined) written.set(name, map(value, replace));
  }
  return written;
}

const PLACES: Readonly<Record<string, (value: Value, replace: Rewrite) => Value>> = {
  env_file: mapFiles,
  label_file: mapFiles,
  volumes: (value, replace) => mapItems(value, (item) => mapMount(item, replace)),
  security_opt: (value, replace) => mapItems(value, (item) => mapProfile(item, replace)),
};

function mapItems(value: Value, map: (item: Value) => Value): Value {
  return value.kind === "list" ? { ...value, items: value.items.map(map) } : value;
}

function mapFiles(value: Value, replace: Rewrite): Value {
  if (value.kind === "text") return mapText(value, replace);
  return mapItems(value, (item) =>
    item.kind === "text" ? mapText(item, replace) : mapField(item, "path", replace),
  );
}

function mapText(value: TextValue, replace: Rewrite): TextValue {
  return { ...value, text: replace(value.text) };
}

/** A mapping with the text of one of its fields replaced. */
export function mapField(value: Value, name: string, replace: Rewrite): Value {
  const field = value.kind === "map" ? value.entries.get(name) : undefined;
  if (value.kind !== "map" || field?.kind !== "text") return value;
  return { ...value, entries: new Map([...value.entries, [name, mapText(field, replace)]]) };
}

function mapMount(item: Value, replace: Rewrite): Value {
  if (item.kind === "text") {
    const [source = "", ...rest] = splitOutside(item.text, ":");
    if (rest.length === 0 || !isPath(source)) return item;
    return { ...item, text: [replace(source), ...rest].join(":") };
  }
  const type = item.kind === "map" ? item.entries.get("type") : undefined;
  return type?.kind === "text" && type.text === "bind" ? mapField(item, "source", replace) : item;
}

/** A seccomp profile is a file unless it is one of two words. */
function mapProfile(item: Value, replace: Rewrite): Value {
  if (item.kind !== "text") return item;
  const match = /^(seccomp[=:])(.+)$/.exec(item.text);
  if (match === null || ["unconfined", "builtin"].includes(match[2] ?? "")) return item;
  return { ...item, text: `${match[1]}${replace(match[2] ?? "")}` };
}

/** The files that a service reads its environment from; what may be missing is not among them. */
export function requiredEnvFiles(value: Value | undefined): readonly TextValue[] {
  const items = value?.kind === "map" ? listFrom(value.origin, [value]).items : itemsOf(value);
  return items.flatMap((item) => {
    if (item.kind === "text") return [item];
    const path = item.kind === "map" ? item.entries.get("path") : undefined;
    const required = item.kind === "map" ? item.entries.get("required") : undefined;
    const isOptional = required?.kind === "text" && required.text === "false";
    return path?.kind === "text" && !isOptional ? [path] : [];
  });
}
