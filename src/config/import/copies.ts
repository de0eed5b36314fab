// Services made by copying, `worker1`, `worker2`, ... -> one group where they differ by nothing but their number.

import { numberIn } from "./choose.ts";
import type { ComposeFile } from "./compose-file.ts";
import { type Draft, listed, type Note } from "./draft.ts";
import { withoutAlias } from "./engine-names.ts";
import { groupName } from "./group-name.ts";
import { describePath, unify } from "./unify.ts";
import { type Fields, mapFrom, textFrom, textOf, textsIn, type Value } from "./value.ts";

export type Grouping = {
  readonly drafts: readonly Draft[];
  /** Sentences: what became one group, and what keeps other copies apart. */
  readonly words: readonly string[];
};

/** The drafts with copies joined, each group in the place of its first. */
export function joinCopies(drafts: readonly Draft[], file: ComposeFile): Grouping {
  const words: string[] = [];
  const joined = new Map<Draft, Draft | undefined>();
  for (const family of familiesOf(drafts)) {
    const result = join(family, drafts, file);
    words.push(result.words);
    if (result.draft === undefined) continue;
    for (const [index, draft] of family.entries())
      joined.set(draft, index === 0 ? result.draft : undefined);
  }
  return {
    drafts: drafts.flatMap((draft) => (joined.has(draft) ? (joined.get(draft) ?? []) : [draft])),
    words,
  };
}

/** Drafts whose services' names differ only by a number, by that number; families of one are none. */
function familiesOf(drafts: readonly Draft[]): readonly (readonly Draft[])[] {
  const families = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const family = numberIn(draft.services.join())?.family;
    if (family !== undefined) families.set(family, [...(families.get(family) ?? []), draft]);
  }
  return [...families.values()]
    .filter(({ length }) => length > 1)
    .map((family) => family.sort((a, b) => numberOf(a) - numberOf(b)));
}

function numberOf({ services }: Draft): number {
  return numberIn(services.join())?.number ?? 0;
}

type Joined = { readonly draft?: Draft; readonly words: string };

function join(family: readonly Draft[], drafts: readonly Draft[], file: ComposeFile): Joined {
  const names = family.flatMap(({ services }) => services);
  const group = groupName(familyName(names[0] ?? ""));
  const others = drafts.filter((draft) => !family.includes(draft));
  const joined =
    whyApart(family, names, file) ??
    (others.some(({ name }) => name === group)
      ? `the group ${group} would have the name of another one`
      : unifyFamily(family));
  if (typeof joined === "string")
    return { words: `${listed(names)} stay groups of their own: ${joined}` };
  return {
    draft: groupOf(family, group, joined),
    words: `${listed(names)} differ only by their number: they are one group, ${group}. --no-group keeps them apart`,
  };
}

/** What keeps copies apart besides their fields. */
function whyApart(
  family: readonly Draft[],
  names: readonly string[],
  file: ComposeFile,
): string | undefined {
  const numbers = family.map(numberOf);
  if (numbers.some((number, index) => number !== (numbers[0] ?? 0) + index))
    return "their numbers leave some out, and slots do not";
  const many = family.find(({ replicas }) => textOf(replicas) !== "1");
  if (many !== undefined) return `${many.services.join()} has replicas of its own`;
  const named = namedByOthers(names, file);
  return named && `${named}, and a group has no name for each slot`;
}

/** The template of all, or what keeps them apart. */
function unifyFamily(family: readonly Draft[]): Fields | string {
  const numbers = family.map(numberOf);
  const templates = family.map(templateOf);
  const template = unify(templates, numbers, []);
  for (const part of [template, unify(family.map(restOf), numbers, [])])
    if (part.kind === "difference") return `${describePath(part.path, templates)} ${part.words}`;
  return template.kind === "map" ? template.entries : new Map();
}

function familyName(name: string): string {
  const [before = "", after = ""] = (numberIn(name)?.family ?? name).split("#");
  return `${before.replace(/[-_.]*0*$/, "")}${after}` || "workers";
}

/** The template, in which no copy has its own name on the networks. */
function templateOf({ template, origin, services }: Draft): Value {
  const entries = [...template].map(([name, value]): readonly [string, Value] =>
    name === "networks" ? [name, withoutAlias(value, services.join())] : [name, value],
  );
  return mapFrom(origin, entries);
}

function restOf({ rest, origin }: Draft): Value {
  return mapFrom(origin, rest);
}

function groupOf(family: readonly Draft[], name: string, template: Fields): Draft {
  const services = family.flatMap((draft) => draft.services);
  const text = `${listed(services)}, one in each slot; on their networks they have no names any more`;
  const [first] = family;
  if (first === undefined) throw new Error("a family without members");
  return {
    ...first,
    name,
    services,
    template,
    replicas: textFrom(first.origin, String(family.length)),
    notes: [
      { field: "replicas", text, path: ["spec", "replicas"] },
      ...rangeNotes(first, template),
      ...eachOnce(family.flatMap(({ notes }) => notes)).filter(
        ({ field }) => field !== "ports" && field !== "networks",
      ),
    ],
  };
}

function eachOnce(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [`${note.field} ${note.text}`, note])).values()];
}

function rangeNotes(first: Draft, template: Fields): readonly Note[] {
  const ports = (fields: Fields) => [...textsIn(mapFrom(first.origin, fields))];
  const before = new Set(ports(first.template).map(({ text }) => text.text));
  const hasRange = ports(template).some(
    ({ text, path }) => path[0] === "ports" && !before.has(text.text),
  );
  if (!hasRange) return [];
  const text = "one host port for each slot: for more workers, widen the range";
  return [{ field: "ports", text, path: ["spec", "template", "ports"] }];
}

const SPEAKING = ["environment", "command", "entrypoint", "links", "healthcheck", "labels"];

/** Who speaks of one of these services by its name, itself aside; undefined: nobody in this file. */
function namedByOthers(names: readonly string[], file: ComposeFile): string | undefined {
  for (const { name, fields } of file.services.values())
    for (const field of SPEAKING) {
      const value = fields.get(field);
      const texts = value === undefined ? [] : [...textsIn(value)].map(({ text }) => text.text);
      const others = names.filter((each) => each !== name);
      const named = others.find((each) => texts.some((text) => holdsName(text, each)));
      if (named !== undefined) return `${name} speaks of ${named} in ${field}`;
    }
  return undefined;
}

function holdsName(text: string, name: string): boolean {
  return text.split(/[^\w.-]+/).includes(name);
}
