// Sets single keys in the text of a YAML file by splicing: to parse and print it again would change comments, quotes,
// `0644` and long numbers. What it made it reads again, and fails where anything else would mean something else.
// Writes no file.

import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../core/model.ts";
import { cutKey } from "./cut-key.ts";
import { problemAt } from "./problems.ts";
import { makeSource, placeAt, type Source } from "./source.ts";
import {
  applySplices,
  type KeyValue,
  type Obstacle,
  type Splice,
  spliceKey,
  written,
} from "./splice-key.ts";
import { type Entry, find, type Node, toPlain } from "./tree.ts";
import { parseYaml, type YamlDocument } from "./yaml.ts";

/** A file to be edited: its text in documents, and the byte order mark it begins with. */
export type EditedFile = {
  readonly mark: string;
  readonly source: Source;
  readonly documents: readonly YamlDocument[];
};

/** A key of one of the two mappings at the top of a document. */
export type KeyPath = readonly ["metadata" | "spec", string];

export type KeySetting = {
  /** Index in the file's documents. */
  readonly document: number;
  readonly path: KeyPath;
  /** Undefined: the key is taken out. */
  readonly value: KeyValue | undefined;
  /** The key of the same mapping that a new one goes below, if that can be. */
  readonly below: string;
};

export type KeysSet =
  /** The whole text, and the line in it where each setting stands. */
  | { readonly kind: "set"; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: "failed"; readonly problems: readonly Problem[] };

export function openFile(file: string, text: string): EditedFile {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const source = makeSource(file, text.slice(mark.length));
  return { mark, source, documents: parseYaml(source) };
}

/** Sets each key, in a line of its own where it is new. Keys that are there get another value in their place, or go. */
export function setKeys(file: EditedFile, settings: readonly KeySetting[]): KeysSet {
  const problems = problemsOf(file);
  if (problems.length > 0) return failed(problems);
  const splices: Splice[] = [];
  const obstacles: Problem[] = [];
  for (const setting of settings) {
    const splice = findSplice(file, setting);
    if (splice === undefined) continue;
    if ("at" in splice) splices.push(splice);
    else obstacles.push(problemAt(file.source, splice.span, setting.path, splice));
  }
  if (obstacles.length > 0) return failed(obstacles);
  return readAgain(file, settings, applySplices(file.source.text, splices));
}

/** What YAML has against the file; while there is anything, no key can be set. */
export function problemsOf({ documents }: EditedFile): readonly Problem[] {
  return documents.flatMap(({ problems }) => problems.map(({ problem }) => problem));
}

function failed(problems: readonly Problem[]): KeysSet {
  return { kind: "failed", problems };
}

/** Undefined: nothing is to be done. */
function findSplice(file: EditedFile, setting: KeySetting): Splice | Obstacle | undefined {
  const root = file.documents[setting.document]?.root;
  const [section, key] = setting.path;
  const entry = root?.kind === "map" ? root.entries.get(section) : undefined;
  if (entry === undefined)
    return {
      span: root?.span ?? { start: 0, end: 0 },
      message: `no ${section} to write ${key} to`,
    };
  const { value, below } = setting;
  return value === undefined
    ? cutKey(entry, key, file.source.text)
    : spliceKey(entry, { value, below }, key, file.source.text);
}

/** The new text, if it means what the old one did but for the settings. */
function readAgain(
  { mark, source, documents }: EditedFile,
  settings: readonly KeySetting[],
  text: string,
): KeysSet {
  const edited = makeSource(source.file, text);
  const again = parseYaml(edited);
  const wrong = settings.find(
    ({ document, path, value }) =>
      !isDeepStrictEqual(plainAt(rootOf(again[document]), path), value),
  );
  const rest = (all: readonly YamlDocument[]) =>
    all.map((document, index) =>
      toPlain(
        without(
          rootOf(document),
          settings.filter((one) => one.document === index),
        ),
      ),
    );
  const isGood = again.every(({ problems }) => problems.length === 0);
  if (isGood && wrong === undefined && isDeepStrictEqual(rest(documents), rest(again))) {
    const lines = settings.map((setting) => lineOf(setting, again, edited));
    return { kind: "set", text: mark + text, lines };
  }
  return failed([whereWrong(wrong ?? settings[0], source, documents)]);
}

const nothing: Node = { kind: "empty", span: { start: 0, end: 0 } };

function plainAt(root: Node, path: KeyPath): unknown {
  const node = find(root, path)?.node;
  return node && toPlain(node);
}

function rootOf(document: YamlDocument | undefined): Node {
  return document?.root ?? nothing;
}

/** A document without the keys that were set in it. */
function without(root: Node, settings: readonly KeySetting[]): Node {
  if (root.kind !== "map") return root;
  const entries = [...root.entries].map(([name, entry]): readonly [string, Entry] => {
    const keys = settings.flatMap(({ path }) => (path[0] === name ? [path[1]] : []));
    return [name, { ...entry, value: leaveOut(entry.value, keys) }];
  });
  return { ...root, entries: new Map(entries) };
}

function leaveOut(node: Node, keys: readonly string[]): Node {
  if (node.kind !== "map") return node;
  return { ...node, entries: new Map([...node.entries].filter(([name]) => !keys.includes(name))) };
}

function lineOf(
  { document, path }: KeySetting,
  documents: readonly YamlDocument[],
  source: Source,
): number {
  return placeAt(source, find(rootOf(documents[document]), path)?.key?.start ?? 0).line;
}

function whereWrong(
  setting: KeySetting | undefined,
  source: Source,
  documents: readonly YamlDocument[],
): Problem {
  const path = setting?.path ?? [];
  const root = rootOf(documents[setting?.document ?? 0]);
  const span = find(root, path.slice(0, 1))?.key ?? root.span;
  return problemAt(source, span, path, {
    message: `${path.at(-1)} cannot be set here without a change to something else`,
    hint: byHand(setting),
  });
}

function byHand(setting: KeySetting | undefined): string {
  const [section, key] = setting?.path ?? [];
  return setting?.value === undefined
    ? `take ${key} out of ${section} by hand`
    : `write ${key}: ${written(setting.value)} into ${section} by hand`;
}
