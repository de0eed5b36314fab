// Which services are workers: those that are named, else those that nobody else waits for or reaches from outside.

import type { ComposeFile, Service } from "./compose-file.ts";
import { inNumber, listed } from "./draft.ts";
import { publishedPort } from "./rules.ts";
import { itemsOf, namesIn, textOf } from "./value.ts";

/** A service that is not imported though nothing is wrong with it, and why: continues `<service>: `. */
export type LeftOut = { readonly service: string; readonly reason: string };

export type Choice = {
  readonly chosen: readonly Service[];
  readonly leftOut: readonly LeftOut[];
  /** Names that are no services. */
  readonly unknown: readonly string[];
};

/** Those named in `names`, or without any those that look like workers. In the order of the file. */
export function chooseServices(file: ComposeFile, names: readonly string[]): Choice {
  const all = [...file.services.values()];
  const unknown = names.filter((name) => !file.services.has(name));
  if (names.length > 0)
    return { chosen: all.filter(({ name }) => names.includes(name)), leftOut: [], unknown };
  return { ...chooseByLooks(all), unknown };
}

/** Where all that could be workers are reached from outside, those are. */
function chooseByLooks(all: readonly Service[]): Omit<Choice, "unknown"> {
  const inside = all.map((service) => [service, whyInside(service, all)] as const);
  const strict = inside.map(
    ([service, reason]) => [service, reason ?? whyServer(service, all)] as const,
  );
  const isNone = strict.every(([, reason]) => reason !== undefined);
  const reasons = isNone ? inside : strict;
  return {
    chosen: reasons.flatMap(([service, reason]) => (reason === undefined ? [service] : [])),
    leftOut: reasons.flatMap(([{ name }, reason]) =>
      reason === undefined ? [] : [{ service: name, reason }],
    ),
  };
}

/** Why a service is no worker that is looked at from inside the file. */
function whyInside(service: Service, all: readonly Service[]): string | undefined {
  const { name, fields } = service;
  const profiles = namesIn(fields.get("profiles"));
  if (profiles.length > 0)
    return `only in the ${inNumber(profiles.length, "profile", "profiles")} ${listed(profiles)}`;
  const waiting = namesOf(
    all.filter((one) => namesIn(one.fields.get("depends_on")).includes(name)),
  );
  if (waiting.length > 0)
    return `${listed(waiting)} ${inNumber(waiting.length, "waits", "wait")} for it`;
  const built = namesOf(all.filter((other) => isBuiltOn(other, service)));
  const runs = fields.has("command") || fields.has("entrypoint");
  if (built.length > 0 && !runs && !isCopy(service, all))
    return `${listed(built)} ${inNumber(built.length, "is", "are")} built on it`;
  return undefined;
}

function whyServer(service: Service, all: readonly Service[]): string | undefined {
  const port = hostPortsOf(service)[0];
  if (port === undefined || isCopy(service, all)) return undefined;
  return `it is reached at host port ${port}`;
}

function namesOf(services: readonly Service[]): readonly string[] {
  return services.map(({ name }) => name);
}

function hostPortsOf({ fields }: Service): readonly string[] {
  return itemsOf(fields.get("ports")).flatMap((port) => publishedPort(port) ?? []);
}

/** True where a service takes fields from another one, by `extends` or a merge key. */
function isBuiltOn(service: Service, base: Service): boolean {
  if (service === base) return false;
  if (service.extended === base.name) return true;
  const { source, span } = base.origin;
  return [...service.fields.values()].some(
    ({ origin: { key, source: from } }) =>
      from === source && key !== undefined && span.start <= key.start && key.end <= span.end,
  );
}

/** The name of a numbered service without its number, and the number; undefined for one without a number. */
export function numberIn(
  name: string,
): { readonly family: string; readonly number: number } | undefined {
  const match = /^(.*?)(0|[1-9]\d{0,5})(\D*)$/.exec(name);
  return match === null
    ? undefined
    : { family: `${match[1]}#${match[3]}`, number: Number(match[2]) };
}

/** One of several services of the same image whose names differ by a number: nobody writes a server like that. */
function isCopy(service: Service, all: readonly Service[]): boolean {
  const family = numberIn(service.name)?.family;
  const image = textOf(service.fields.get("image"));
  return all.some(
    (other) =>
      other !== service &&
      family !== undefined &&
      numberIn(other.name)?.family === family &&
      textOf(other.fields.get("image")) === image,
  );
}
