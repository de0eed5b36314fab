// Files of variables, `.env` and env_file, in Compose's grammar. The well-kept libraries read another one: of 133 texts
// put to Compose, dotenv with dotenv-expand agrees on 86.

import { interpolate, type Lookup } from "./interpolation.ts";

export type EnvFile = {
  /** By name, in the order of the file; undefined: a name without a value. */
  readonly values: ReadonlyMap<string, string | undefined>;
  /** Values of variables that stand inside values. */
  readonly parts: readonly string[];
  readonly faults: readonly EnvFault[];
};

/** Something wrong in a line, 1-based. The message never holds a value. */
export type EnvFault = { readonly line: number; readonly message: string; readonly hint?: string };

type Reader = {
  readonly text: string;
  readonly values: Map<string, string | undefined>;
  readonly parts: string[];
  readonly faults: EnvFault[];
  readonly lookup: Lookup;
  at: number;
};

/** Reads such a file. Values may name variables: those that `lookup` knows, else those above them in the file. */
export function parseEnvFile(text: string, lookup: Lookup): EnvFile {
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const reader: Reader = { text: plain, values: new Map(), parts: [], faults: [], lookup, at: 0 };
  while (skipBlank(reader)) readAssignment(reader);
  return reader;
}

/** Moves to the next assignment; false at the end. */
function skipBlank(reader: Reader): boolean {
  take(reader, /(?:\s+|#.*)*/y);
  return reader.at < reader.text.length;
}

function readAssignment(reader: Reader): void {
  const start = reader.at;
  take(reader, /export[ \t]+/y);
  const key = take(reader, /[^=:\n]*/y).trim();
  const hasValue = take(reader, /[=:]/y) !== "";
  const wrong = describeKey(key, hasValue);
  if (wrong !== undefined) {
    addFault(reader, start, wrong);
    take(reader, /.*/y);
    return;
  }
  reader.values.set(key, hasValue ? readValue(reader) : undefined);
}

function describeKey(key: string, hasValue: boolean): Omit<EnvFault, "line"> | undefined {
  if (/^[\p{L}\p{N}_.[\]-]+$/u.test(key)) return undefined;
  // What is no name may be the rest of a value, so it is not shown.
  const hint = "write NAME=value, and a value over several lines in quotes";
  return { message: hasValue ? "not the name of a variable before the =" : "no variable", hint };
}

function readValue(reader: Reader): string {
  take(reader, /[ \t]+/y);
  const start = reader.at;
  const quoted = take(reader, /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y);
  if (quoted !== "") return readQuoted(reader, start, quoted);
  const line = take(reader, /.*/y);
  if (/^["']/.test(line)) {
    addFault(reader, start, { message: `a quote (${line.charAt(0)}) that is never closed` });
    reader.at = reader.text.length;
    return "";
  }
  return fillValue(reader, start, line.replace(/ #.*$/, "").trimEnd());
}

function readQuoted(reader: Reader, start: number, quoted: string): string {
  const rest = take(reader, /.*/y);
  if (!/^\s*(#.*)?$/.test(rest))
    addFault(reader, start, {
      message: "something stands after the closing quote",
      hint: "put it into the quotes",
    });
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner.replaceAll("\\'", "'");
  return fillValue(reader, start, inner.replace(/\\([\s\S])/g, unescaped));
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  '"': '"',
  "\\": "\\",
  // Still to be filled in, where two dollars are one.
  $: "$$",
};

function unescaped(whole: string, character: string): string {
  return escapes[character] ?? whole;
}

function fillValue(reader: Reader, start: number, text: string): string {
  const filled = interpolate(text, (name) => reader.lookup(name) ?? reader.values.get(name));
  reader.parts.push(...filled.values);
  for (const { message, hint } of filled.faults)
    addFault(reader, start, { message, ...(hint && { hint }) });
  return filled.text;
}

function addFault(reader: Reader, offset: number, fault: Omit<EnvFault, "line">): void {
  reader.faults.push({ line: reader.text.slice(0, offset).split("\n").length, ...fault });
}

/** The text that a sticky pattern matches here, which is then behind us; empty where it does not match. */
function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const taken = pattern.exec(reader.text)?.[0] ?? "";
  reader.at += taken.length;
  return taken;
}
