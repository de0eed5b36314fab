// The JSON Schema for editors, made from the schemas that check manifests. Loaded by `wgctl schema` and `wgctl init` only.

import * as z from "zod/mini";
import { workerGroup } from "./schema/group.ts";
import type { Note } from "./schema/note.ts";
import { groupNotes, projectNotes } from "./schema/notes.ts";
import { editorForms } from "./schema/parts.ts";
import { project } from "./schema/project.ts";

type Json = z.core.JSONSchema.BaseSchema;

/** A JSON Schema of both kinds of documents, in the draft that editors know best. */
export function makeJsonSchema(): Json {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "wgctl manifest",
    description: "A group of identical workers, or the project that groups belong to.",
    anyOf: [
      describe(workerGroup, "WorkerGroup", groupNotes),
      describe(project, "Project", projectNotes),
    ],
  };
}

/** The same as the text of a file. */
export function jsonSchemaText(): string {
  return `${JSON.stringify(makeJsonSchema(), undefined, 2)}\n`;
}

function describe(
  schema: z.core.$ZodType,
  title: string,
  notes: Readonly<Record<string, Note>>,
): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema, path }) => adapt(zodSchema, jsonSchema, path),
  });
  annotate(json, "", notes);
  return { title, ...json };
}

const hasVariable = "\\$";

/** What a text means to the schema, as an editor sees it: YAML gives it numbers and booleans as such. */
function adapt(schema: z.core.$ZodType, json: Json, path: readonly PropertyKey[]): void {
  const form = editorForms.get(schema);
  delete json.propertyNames;
  if (form?.kind === "object") {
    if (form.free) json.patternProperties = { "^x-": {} };
  } else if (form?.kind === "words") {
    replace(json, wordsForm(form.words, path));
  } else if (form !== undefined) {
    const pattern = `${textForms[form.kind]}|${hasVariable}`;
    replace(json, { anyOf: [{ type: form.kind }, { type: "string", pattern }] });
  } else if (schema._zod.def.type === "string") {
    replace(json, { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] });
  }
}

/** Only what stands below `spec` may be a variable; apiVersion and kind tell documents apart. */
function wordsForm(words: readonly string[], path: readonly PropertyKey[]): Json {
  const known = { enum: wordsAsYaml(words) };
  if (path.length <= 2) return known;
  return { anyOf: [known, { type: "string", pattern: hasVariable }] };
}

const textForms = {
  integer: "^-?[0-9]+$",
  number: "^[0-9]*\\.?[0-9]+$",
  boolean: "^(true|false)$",
} as const;

/** `true` as a word is a boolean to YAML. */
function wordsAsYaml(words: readonly string[]): (string | boolean)[] {
  return words.flatMap((word) => (word === "true" ? [word, true] : [word]));
}

function replace(json: Json, by: Json): void {
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, by);
}

/** Adds notes to every field, along the path that `notes` names it by. */
function annotate(json: Json, path: string, notes: Readonly<Record<string, Note>>): void {
  const { [path]: note, ...below } = notes;
  if (note !== undefined) {
    const [description, ...examples] = note;
    json.description = description;
    if (examples.length > 0) json.examples = examples;
  }
  // The forms of one field need no copy of its own note.
  for (const form of (json.anyOf ?? []).filter(isJson)) annotate(form, path, below);
  for (const [field, fieldPath] of fieldsOf(json, path))
    if (isJson(field)) annotate(field, fieldPath, notes);
}

function fieldsOf(json: Json, path: string): readonly (readonly [unknown, string])[] {
  const properties = Object.entries(json.properties ?? {}).map(
    ([name, field]) => [field, path === "" ? name : `${path}.${name}`] as const,
  );
  return [...properties, [json.items, `${path}[]`], [json.additionalProperties, `${path}.*`]];
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
