// Services made by copying, `worker1`, `worker2`, ... -> one group where they differ by nothing but their number.

import { numberIn } from "./choose.ts";
import type { ComposeFile } from "./compose-file.ts";
import { type Draft, listed } from "./draft.ts";
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
  const names = family.map(({ services }) => services.join());
  const apart = (why: string) => ({ words: `${listed(names)} stay groups of their own: ${why}` });
  const numbers = family.map(numberOf);
  const [first] = family;
  if (first === undefined) return apart("there is none");
  if (numbers.some((number, index) => number !== (numbers[0] ?? 0) + index))
    return apart("their numbers leave some out, and slots do not");
  const many = family.find(({ replicas }) => textOf(replicas) !== "1");
  if (many !== undefined) return apart(`${many.services.join()} has replicas of its own`);
  const named = namedByOthers(names, file);
  if (named !== undefined) return apart(`${named}, and a group has no name for each slot`);
  const name = groupName(familyName(names[0] ?? ""));
  if (drafts.some((draft) => !family.includes(draft) && draft.name === name))
    return apart(`the group ${name} would have the name of another one`);
  const templates = family.map(templateOf);
  const template = unify(templates, numbers, []);
  const rest = unify(family.map(restOf), numbers, []);
  for (const part of [template, rest])
    if (part.kind === "difference")
      return apart(`${describePath(part.path, templates)} ${part.words}`);
  return {
    draft: groupOf(first, family, name, template.kind === "map" ? template.entries : new Map()),
    words: `${listed(names)} differ only by their number: they are one group, ${name}. --no-group keeps them apart`,
  };
}

function familyName(name: string): string {
  const [before = "", after = ""] = (numberIn(name)?.family ?? name).split("#");
  return `${before.replace(/[-_.]+$/, "")}${after}` || "workers";
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

function groupOf(first: Draft, family: readonly Draft[], name: string, template: Fields): Draft {
  const services = family.flatMap((draft) => draft.services);
  const text = `${listed(services)}, one in each slot; on their networks they have no names any more`;
  return {
    ...first,
    name,
    services,
    template,
    replicas: textFrom(first.origin, String(family.length)),
    notes: [
      { field: "replicas", text, path: ["spec", "replicas"] },
      ...first.notes.filter(({ field }) => field !== "ports" && field !== "networks"),
    ],
  };
}

/** Who speaks of one of these services by its name; undefined: nobody in this file. */
function namedByOthers(names: readonly string[], file: ComposeFile): string | undefined {
  for (const { name, fields } of file.services.values()) {
    if (names.includes(name)) continue;
    for (const field of [
      "environment",
      "command",
      "entrypoint",
      "links",
      "healthcheck",
      "labels",
    ]) {
      const value = fields.get(field);
      const words = value === undefined ? [] : [...textsIn(value)].map(({ text }) => text.text);
      const named = names.find((each) => words.some((text) => holdsName(text, each)));
      if (named !== undefined) return `${name} speaks of ${named} in ${field}`;
    }
  }
  return undefined;
}

function holdsName(text: string, name: string): boolean {
  return text.split(/[^\w.-]+/).includes(name);
}
