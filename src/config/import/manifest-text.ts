// A draft -> the fields and comments of its manifest, in the order that manifests are written in.

import { apiVersion } from "../schema/group.ts";
import { formatPath } from "../tree.ts";
import { type Draft, listed, type Note } from "./draft.ts";
import { type Comments, printDocument } from "./print.ts";
import { type Fields, mapFrom, textFrom, type Value } from "./value.ts";

export type ManifestRequest = {
  readonly uid: string;
  /** The compose file as people name it. */
  readonly file: string;
  /** The JSON Schema, seen from the manifest's folder; absent: there is none. */
  readonly schema: string | undefined;
};

/** The text of a manifest, with what was changed beside what it is about. */
export function manifestText(draft: Draft, request: ManifestRequest): string {
  return printDocument(manifestFields(draft, request.uid), commentsOf(draft, request));
}

/** The document's fields, without comments. */
export function manifestFields(draft: Draft, uid: string): Fields {
  const { origin, name, replicas, template, rest } = draft;
  const text = (value: string) => textFrom(origin, value);
  const metadata = mapFrom(origin, [
    ["name", text(name)],
    ["uid", text(uid)],
  ]);
  const spec: readonly (readonly [string, Value])[] = [
    ["replicas", replicas],
    ["template", mapFrom(origin, template)],
    ...rest,
  ];
  return new Map<string, Value>([
    ["apiVersion", text(apiVersion)],
    ["kind", text("WorkerGroup")],
    ["metadata", metadata],
    ["spec", mapFrom(origin, spec)],
  ]);
}

const UID_WORDS = "never changes: workers are recognised by it";

function commentsOf(draft: Draft, request: ManifestRequest): Comments {
  const above = new Map<string, readonly string[]>([["", headOf(draft, request)]]);
  for (const note of draft.notes) {
    if (note.path === undefined) continue;
    const path = formatPath(note.path);
    above.set(path, [...(above.get(path) ?? []), besideText(note)]);
  }
  return { above, beside: new Map([["metadata.uid", UID_WORDS]]) };
}

function headOf(draft: Draft, { file, schema }: ManifestRequest): readonly string[] {
  const what = draft.services.length === 1 ? "the service" : "the services";
  return [
    ...(schema === undefined ? [] : [`yaml-language-server: $schema=${schema}`]),
    `Made by \`wgctl import\` from ${what} ${listed(draft.services)} in ${file}.`,
    ...draft.notes.filter(({ path }) => path === undefined).map(noteText),
  ];
}

/** Above its own field a note need not name it. */
function besideText(note: Note): string {
  return note.path?.at(-1) === note.field.split(".").at(-1) ? note.text : noteText(note);
}

/** A note as it stands by itself. */
export function noteText({ field, text }: Note): string {
  return `${field}: ${text}`;
}
