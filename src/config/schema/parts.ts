// What schemas are made of: leaves that read text, objects that know what to say of keys they do not have, and
// checks across fields. Every scalar reaches a schema as text (see ../tree.ts).

import * as z from "zod/mini";
import { bad, good, type Reading } from "../forms/reading.ts";
import { hintFor, suggest } from "../suggest.ts";

// Compiling a parser for each object costs more than a run ever parses.
z.config({ jitless: true });

/** What a custom issue carries besides its message. */
export type IssueDetails = {
  readonly hint?: string | undefined;
  /**
   * `value`: the message continues after the value, `name`: after the key (or the item of a list that stands
   * for one); `key`: the key is to be pointed at.
   */
  readonly about?: "value" | "name" | "key";
  /** The key that an unknown one was probably meant to be. */
  readonly meant?: string | undefined;
};

type Issues = z.core.ParsePayload["issues"];
type Step = string | number;

function addIssue(
  issues: Issues,
  input: unknown,
  path: readonly Step[],
  message: string,
  details: IssueDetails,
) {
  issues.push({ code: "custom", input, path: [...path], message, params: { ...details } });
}

export type ScalarForm = "integer" | "number" | "boolean";

/** How an editor is to take a schema whose input is text; see json-schema.ts. */
export type EditorForm =
  | { readonly kind: ScalarForm }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "object"; readonly free: boolean };

/** Written while the schemas are made and never again. */
export const editorForms = z.registry<EditorForm>();

/** A scalar whose text `read` turns into a value; `form` where an editor should not take it for a text. */
export function leaf<T>(read: (text: string) => Reading<T>, form?: ScalarForm) {
  const schema = z.pipe(
    z.string(),
    z.transform((text: string, context): T => {
      const reading = read(text);
      if (reading.ok) return reading.value;
      addIssue(context.issues, text, [], reading.message, { hint: reading.hint, about: "value" });
      return z.NEVER;
    }),
  );
  if (form !== undefined) editorForms.add(schema, { kind: form });
  return schema;
}

/** One of a few words. `later` are words that this version does not take, and what to do instead. */
export function choice<const Word extends string>(
  words: readonly Word[],
  later: Readonly<Record<string, string>> = {},
) {
  const schema = leaf<Word>((text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return good(word);
    const instead = own(later, text);
    if (instead !== undefined) return bad("is not supported by this version", instead);
    return bad("is not known here", hintFor(text, words));
  });
  editorForms.add(schema, { kind: "words", words });
  return schema;
}

/** A text as it stands; `least` characters at least. */
export function text(least = 0) {
  return least === 0
    ? z.string()
    : leaf((value) => (value.length < least ? bad("is empty") : good(value)));
}

/** A field that may be absent; `null` counts as absent, as in Compose and Kubernetes. */
export function maybe<S extends z.core.SomeType>(schema: S) {
  return z.nullish(schema);
}

/** Keys that an object does not take, and what to say of them. */
export type Strangers = {
  /** Never taken: what to do instead. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Not taken by this version: why, or what to do instead. */
  readonly later?: Readonly<Record<string, string>>;
  /** Keys beginning with `x-` are free, as in Compose. */
  readonly free?: boolean;
};

/** An object that takes these fields and no others. */
export function fields<Shape extends z.core.$ZodShape>(shape: Shape, strangers: Strangers = {}) {
  const known = Object.keys(shape);
  const schema = z.strictObject(shape).check(
    always((payload) => {
      payload.issues = payload.issues.flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.flatMap((key) => describeStranger(key, known, strangers, issue.input))
          : [issue],
      );
    }),
  );
  editorForms.add(schema, { kind: "object", free: strangers.free === true });
  return schema;
}

function describeStranger(
  key: string,
  known: readonly string[],
  strangers: Strangers,
  input: unknown,
): Issues {
  if (strangers.free === true && key.startsWith("x-")) return [];
  const issues: Issues = [];
  const instead = own(strangers.refused, key);
  const why = own(strangers.later, key);
  const add = (message: string, hint?: string, meant?: string) =>
    addIssue(issues, input, [key], message, { hint, about: "key", meant });
  if (instead !== undefined) add(`${key} is not for workers`, instead);
  else if (why !== undefined) add(`${key} is not supported by this version`, why);
  else
    add(
      `unknown field ${JSON.stringify(key)}`,
      hintForKey(key, known, strangers),
      suggest(key, known),
    );
  return issues;
}

/** A key may be `constructor`. */
function own(texts: Readonly<Record<string, string>> = {}, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

function hintForKey(
  key: string,
  known: readonly string[],
  strangers: Strangers,
): string | undefined {
  const elsewhere = Object.keys({ ...strangers.refused, ...strangers.later });
  const near = suggest(key, [...known, ...elsewhere]);
  return near !== undefined && elsewhere.includes(near)
    ? `did you mean ${JSON.stringify(near)}? (this version does not take it either)`
    : hintFor(key, known);
}

/** Says what is wrong across fields: at a path below the object, in full sentences. */
export type Complain = (path: readonly Step[], message: string, details?: IssueDetails) => void;

/** A rule across the fields of an object; runs even where some are wrong, and sees only those that are right. */
export function rule<T>(judge: (value: Sound<T>, complain: Complain) => void) {
  return always<T>((payload) => {
    if (typeof payload.value !== "object" || payload.value === null) return;
    const paths = payload.issues.map((issue) => issue.path ?? []);
    const sound = withoutPaths(payload.value, paths) as Sound<T> | undefined;
    if (sound === undefined) return;
    judge(sound, (path, message, details = {}) =>
      addIssue(payload.issues, payload.value, path, message, details),
    );
  });
}

/** A value of which any part may be missing, because it was wrong. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? readonly (Sound<Item> | undefined)[]
  : T extends object
    ? { readonly [Key in keyof T]?: Sound<T[Key]> | undefined }
    : T;

/** A check that runs even where the value is wrong already; the value may then be of any shape. */
export function always<T>(judge: (payload: z.core.ParsePayload<T>) => void) {
  return z.check<T>(judge, { when: () => true });
}

function withoutPaths(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  const below = (key: string) =>
    paths.filter((path) => String(path[0]) === key).map((path) => path.slice(1));
  if (Array.isArray(value))
    return value.map((item, index) => withoutPaths(item, below(String(index))));
  const entries = Object.entries(value).map(([key, item]) => [key, withoutPaths(item, below(key))]);
  return Object.fromEntries(entries);
}
