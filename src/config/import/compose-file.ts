// A compose file -> its services with `extends` followed, and everything Compose itself would refuse, in its place.
// Other files are read through a function that is passed in.

import { dirname, relative, resolve } from "node:path";
import type { Problem } from "../../core/model.ts";
import { type Finding, problemAt, quote } from "../problems.ts";
import { templateStrangers } from "../schema/strangers.ts";
import { templateFieldNames } from "../schema/template.ts";
import type { Source } from "../source.ts";
import { hintFor } from "../suggest.ts";
import type { Path } from "../tree.ts";
import { parseYaml } from "../yaml.ts";
import { mergeServices } from "./merge-services.ts";
import { mapPaths, seenFrom } from "./paths.ts";
import { fileFields } from "./treatments.ts";
import {
  type Fields,
  fieldsOf,
  namesIn,
  type Origin,
  readValue,
  textOf,
  type Value,
} from "./value.ts";

/** A file's text by its absolute path, or why it cannot be read. */
export type ReadFile = (path: string) => Source | Problem;

export type Service = {
  readonly name: string;
  readonly fields: Fields;
  /** The service it extends, in whatever file. */
  readonly extended: string | undefined;
  readonly origin: Origin;
};

export type ComposeFile = {
  /** Absolute. */
  readonly path: string;
  readonly fields: Fields;
  readonly services: ReadonlyMap<string, Service>;
};

export type ComposeReading =
  | { readonly kind: "read"; readonly file: ComposeFile }
  | { readonly kind: "failed"; readonly problems: readonly Problem[] };

/** Every field that Compose knows in a service. */
const serviceFields: readonly string[] = [
  ...templateFieldNames,
  ...Object.keys(templateStrangers.refused ?? {}),
  ...Object.keys(templateStrangers.later ?? {}),
];

type Reader = {
  readonly read: ReadFile;
  readonly problems: Problem[];
  /** The top fields of files by absolute path; undefined: it cannot be used, which has been told. */
  readonly files: Map<string, Fields | undefined>;
};

/** Reads the compose file at an absolute path. Never throws. */
export function readComposeFile(path: string, read: ReadFile): ComposeReading {
  const reader: Reader = { read, problems: [], files: new Map() };
  const fields = openFile(path, reader);
  const services = new Map<string, Service>();
  for (const [name, value] of fieldsOf(fields?.get("services")))
    services.set(name, readService(name, value, path, reader));
  if (fields !== undefined) {
    if (services.size === 0) reader.problems.push(withoutServices(fields, reader, path));
    checkReferences(fields, services, reader.problems);
  }
  if (fields === undefined || reader.problems.length > 0)
    return { kind: "failed", problems: reader.problems };
  return { kind: "read", file: { path, fields, services } };
}

/** A problem at the key of a value, or at the value where it has none. */
export function problemOf({ source, span, key }: Origin, path: Path, finding: Finding): Problem {
  return problemAt(source, key ?? span, path, finding);
}

function openFile(path: string, reader: Reader): Fields | undefined {
  if (!reader.files.has(path)) reader.files.set(path, parseFile(path, reader));
  return reader.files.get(path);
}

function parseFile(path: string, { read, problems }: Reader): Fields | undefined {
  const source = read(path);
  if ("message" in source) {
    problems.push(source);
    return undefined;
  }
  const before = problems.length;
  const [document, second] = parseYaml(source);
  problems.push(...(document?.problems ?? []).map(({ problem }) => problem));
  const root = document?.root && readValue(document.root, source);
  if (root !== undefined && root.kind !== "map") {
    const finding = { message: "no compose file", hint: "it holds `services:` and what they are" };
    problems.push(problemOf(root.origin, [], finding));
  }
  if (second?.root !== undefined) {
    const finding = { message: "a second document", hint: "put it into a file of its own" };
    problems.push(problemAt(source, second.root.span, [], finding));
  }
  const fields = fieldsOf(root);
  refuseUnknown(fields, fileFields, [], problems);
  return problems.length > before ? undefined : fields;
}

function refuseUnknown(fields: Fields, known: readonly string[], path: Path, problems: Problem[]) {
  for (const [name, value] of fields) {
    if (known.includes(name) || name.startsWith("x-")) continue;
    const message = `Compose knows no field ${quote(name)} here`;
    problems.push(
      problemOf(value.origin, [...path, name], { message, hint: hintFor(name, known) }),
    );
  }
}

function withoutServices(fields: Fields, { read }: Reader, path: string): Problem {
  const finding = { message: "a compose file without services", hint: "is it the right file?" };
  for (const value of fields.values()) return problemOf(value.origin, ["services"], finding);
  const source = read(path);
  return "message" in source ? source : problemAt(source, { start: 0, end: 1 }, [], finding);
}

function readService(name: string, value: Value, path: string, reader: Reader): Service {
  const extended = extendedBy(fieldsOf(value).get("extends"))?.service;
  const fields = followExtends(name, value, path, [], reader) ?? new Map();
  return { name, fields, extended, origin: value.origin };
}

type Extended = { readonly service: string; readonly file: string | undefined };

function extendedBy(value: Value | undefined): Extended | undefined {
  const fields = fieldsOf(value);
  const service = textOf(value) ?? textOf(fields.get("service"));
  return service === undefined ? undefined : { service, file: textOf(fields.get("file")) };
}

/** The fields of a service and of those that it extends; `trail` holds the services on the way to it. */
function followExtends(
  name: string,
  value: Value,
  path: string,
  trail: readonly string[],
  reader: Reader,
): Fields | undefined {
  const at = ["services", name];
  const refuse = (origin: Origin, message: string, hint?: string) => {
    reader.problems.push(problemOf(origin, at, { message, hint }));
    return undefined;
  };
  if (value.kind !== "map")
    return refuse(value.origin, `the service ${name} is no mapping`, "give it an image at least");
  refuseUnknown(value.entries, serviceFields, at, reader.problems);
  const own = value.entries.get("extends");
  const fields: Fields = new Map([...value.entries].filter(([field]) => field !== "extends"));
  if (own === undefined || own.kind === "empty") return fields;
  const extended = extendedBy(own);
  if (extended === undefined) return refuse(own.origin, "extends names no service");
  const there = extended.file === undefined ? path : resolve(dirname(path), extended.file);
  const step = JSON.stringify([path, name]);
  if (trail.includes(step))
    return refuse(own.origin, `the service ${name} extends itself`, "take one extends out");
  const base = fieldsOf(openFile(there, reader)?.get("services")).get(extended.service);
  if (base === undefined) {
    if (openFile(there, reader) === undefined) return undefined;
    return refuse(own.origin, `there is no service ${quote(extended.service)} to extend`);
  }
  const below = followExtends(extended.service, base, there, [...trail, step], reader);
  const way = relative(dirname(path), dirname(there));
  return (
    below &&
    mergeServices(
      mapPaths(below, (one) => seenFrom(way, one)),
      fields,
    )
  );
}

/** What a service names has to be there, or Compose refuses the file. */
function checkReferences(
  top: Fields,
  services: ReadonlyMap<string, Service>,
  problems: Problem[],
): void {
  for (const { name, fields } of services.values()) {
    for (const kind of ["networks", "secrets", "configs"] as const) {
      const known = [
        ...fieldsOf(top.get(kind)).keys(),
        ...(kind === "networks" ? ["default"] : []),
      ];
      const used = kind === "networks" ? namesIn(fields.get(kind)) : sourcesIn(fields.get(kind));
      missing(used, known, kind, name, fields, problems);
    }
    if (!top.has("include"))
      missing(neededBy(fields), [...services.keys()], "depends_on", name, fields, problems);
  }
}

/** The services that have to be there for this one. */
function neededBy(fields: Fields): readonly string[] {
  const needs = fields.get("depends_on");
  const isOptional = (name: string) =>
    textOf(fieldsOf(fieldsOf(needs).get(name)).get("required")) === "false";
  return namesIn(needs).filter((name) => !isOptional(name));
}

function missing(
  used: readonly string[],
  known: readonly string[],
  kind: string,
  service: string,
  fields: Fields,
  problems: Problem[],
): void {
  const origin = fields.get(kind)?.origin;
  for (const one of used.filter((each) => !known.includes(each))) {
    if (origin === undefined) continue;
    const where = kind === "depends_on" ? "services" : kind;
    const message = `${service} names ${quote(one)}, which is not among the ${where} of this file`;
    problems.push(
      problemOf(origin, ["services", service, kind], { message, hint: hintFor(one, known) }),
    );
  }
}

/** The names of secrets or configs, of either form. */
export function sourcesIn(value: Value | undefined): readonly string[] {
  if (value?.kind !== "list") return [];
  return value.items.flatMap((item) => textOf(item) ?? textOf(fieldsOf(item).get("source")) ?? []);
}
