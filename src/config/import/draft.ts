// A group on its way from a service to a manifest: what is known of it so far, and what there is to say.

import type { Problem } from "../../core/model.ts";
import type { Path } from "../tree.ts";
import type { ComposeFile, Service } from "./compose-file.ts";
import { treatments } from "./treatments.ts";
import { type Fields, type Origin, problemOf, textFrom, type Value } from "./value.ts";

/** Something that was changed, and why. */
export type Note = {
  /** The field of the service that it is about, `deploy.mode`. */
  readonly field: string;
  readonly text: string;
  /** The field of the manifest that it stands above; absent: at the head. */
  readonly path?: Path;
};

/** What a translation knows besides the service. */
export type Context = {
  readonly file: ComposeFile;
  /** The project's name to Compose, which its networks and volumes begin with. */
  readonly project: string;
  /** Leads from the manifest's folder to the compose file's; empty where both are one. */
  readonly way: string;
  /** Images given for services, by their names. */
  readonly images: Readonly<Record<string, string>>;
  /** A name with its variables filled in; undefined where one is not set. */
  readonly fill: (text: string) => string | undefined;
};

export type Draft = {
  /** One, or several that became one group. */
  readonly services: readonly string[];
  readonly name: string;
  readonly origin: Origin;
  readonly replicas: Value;
  readonly template: Fields;
  /** Fields of the spec below the template. */
  readonly rest: Fields;
  readonly notes: readonly Note[];
};

/** A draft that is still worked on. */
export type Drafting = {
  readonly service: Service;
  readonly context: Context;
  readonly template: Map<string, Value>;
  readonly rest: Map<string, Value>;
  readonly notes: Note[];
  readonly problems: Problem[];
  replicas: Value;
};

/** A drafting of a service with nothing in it. */
export function beginDraft(service: Service, context: Context): Drafting {
  return {
    service,
    context,
    template: new Map(),
    rest: new Map(),
    notes: [],
    problems: [],
    replicas: textFrom(service.origin, "1"),
  };
}

export function note(drafting: Drafting, field: string, text: string, path?: Path): void {
  drafting.notes.push({ field, text, ...(path && { path }) });
}

/** Says of a field that it is left out, for the reason that the table of treatments has. */
export function noteDropped(drafting: Drafting, field: string): void {
  note(drafting, field, `left out; ${treatments[field]?.words ?? "it means nothing to a worker"}`);
}

/** Keeps the service from being imported. */
export function refuse(
  { service, problems }: Drafting,
  field: string,
  origin: Origin,
  message: string,
  hint?: string,
): void {
  problems.push(
    problemOf(origin, ["services", service.name, ...field.split(".")], { message, hint }),
  );
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** `one`, or `many` where there are more. */
export function inNumber(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
