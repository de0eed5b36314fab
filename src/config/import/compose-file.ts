// A compose file -> its services with `extends` followed, and everything Compose itself would refuse, in its place.
// Other files are read through a function that is passed in.

import { dirname, relative, resolve } from "node:path";
import type { Problem } from "../../core/model.ts";
import { problemAt, quote } from "../problems.ts";
import { templateStrangers } from "../schema/strangers.ts";
import { templateFieldNames } from "../schema/template.ts";
import type { Source } from "../source.ts";
import { hintFor } from "../suggest.ts";
import type { Path } from "../tree.ts";
import { parseYaml } from "../yaml.ts";
import { mergeServices } from "./merge-services.ts";
import { mapPaths, seenFrom } from "./paths.ts";
import { checkReferences } from "./references.ts";
import { fileFields } from "./treatments.ts";
import {
  type Fields,
  fieldsOf,
  type Origin,
  problemOf,
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
    reader.problems.push(...checkReferences(fields, services));
  }
  if (fields === undefined || reader.problems.length > 0)
    return { kind: "failed", problems: reader.problems };
  return { kind: "read", file: { path, fields, services } };
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
  const fields = followExtends(value, { path, name, trail: [] }, reader) ?? new Map();
  return { name, fields, extended, origin: value.origin };
}

type Extended = { readonly service: string; readonly file: string | undefined };

function extendedBy(value: Value | undefined): Extended | undefined {
  const fields = fieldsOf(value);
  const service = textOf(value) ?? textOf(fields.get("service"));
  return service === undefined ? undefined : { service, file: textOf(fields.get("file")) };
}

/** Where a service stands: its file, its name, and the steps of `extends` that led there. */
type Standing = {
  readonly path: string;
  readonly name: string;
  readonly trail: readonly string[];
};

/** The fields of a service and of those that it extends; undefined where that cannot be had, which has been told. */
function followExtends(value: Value, standing: Standing, reader: Reader): Fields | undefined {
  const { path, name } = standing;
  if (value.kind !== "map") {
    const finding = {
      message: `the service ${name} is no mapping`,
      hint: "give it an image at least",
    };
    reader.problems.push(problemOf(value.origin, ["services", name], finding));
    return undefined;
  }
  refuseUnknown(value.entries, serviceFields, ["services", name], reader.problems);
  const own = value.entries.get("extends");
  const fields: Fields = new Map([...value.entries].filter(([field]) => field !== "extends"));
  if (own === undefined || own.kind === "empty") return fields;
  const base = findBase(own, standing, reader);
  const below = base && followExtends(base.value, base.standing, reader);
  if (below === undefined) return undefined;
  const way = relative(dirname(path), dirname(base?.standing.path ?? path));
  const seen = mapPaths(below, (one) => seenFrom(way, one));
  return mergeServices(seen, fields);
}

type Base = { readonly value: Value; readonly standing: Standing };

function findBase(own: Value, { path, name, trail }: Standing, reader: Reader): Base | undefined {
  const refuse = (message: string, hint?: string) => {
    reader.problems.push(problemOf(own.origin, ["services", name], { message, hint }));
    return undefined;
  };
  const extended = extendedBy(own);
  if (extended === undefined) return refuse("extends names no service");
  const step = JSON.stringify([path, name]);
  if (trail.includes(step))
    return refuse(`the service ${name} extends itself`, "take one extends out");
  const there = extended.file === undefined ? path : resolve(dirname(path), extended.file);
  const file = openFile(there, reader);
  const value = fieldsOf(file?.get("services")).get(extended.service);
  if (value !== undefined)
    return { value, standing: { path: there, name: extended.service, trail: [...trail, step] } };
  return file && refuse(`there is no service ${quote(extended.service)} to extend`);
}
