// Where in a text a key of a mapping is to be written, and how it has to look there. Knows the forms of YAML; what the
// spliced text means is checked by set-keys.ts.

import type { Finding } from "./problems.ts";
import type { Span } from "./source.ts";
import type { Entry, MapNode, Node } from "./tree.ts";

/** Text that takes the place of a stretch; an empty stretch is where it goes in. */
export type Splice = { readonly at: number; readonly until: number; readonly insert: string };

/** Why nothing can be spliced, and what to point at. */
export type Obstacle = Finding & { readonly span: Span };

/** Plain or quoted in YAML without escapes, a UUID, a time; or a list of such. */
export type KeyValue = string | readonly string[];

type Wanted = { readonly value: KeyValue; readonly below: string };

/** A value as it stands in a file, in these quotes: a list in brackets. */
export function written(value: KeyValue, quote = ""): string {
  const text = (each: string) => `${quote}${each}${quote}`;
  return typeof value === "string" ? text(value) : `[${value.map(text).join(", ")}]`;
}

/** The text with all splices done, in whatever order they come. They do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let spliced = "";
  let from = 0;
  for (const { at, until, insert } of [...splices].sort((a, b) => a.at - b.at)) {
    spliced += text.slice(from, at) + insert;
    from = until;
  }
  return spliced + text.slice(from);
}

/** The splice that sets `key` in the mapping that is the value of an entry. */
export function spliceKey(
  { key: section, value: map }: Entry,
  { value, below }: Wanted,
  key: string,
  text: string,
): Splice | Obstacle {
  if (map.kind !== "map") return { span: section, message: `no mapping to write ${key} to` };
  const hint = `write ${key}: ${written(value)} into this document's own mapping by hand`;
  if (map.span.start < section.start)
    return { span: section, message: `${key} belongs into a mapping that is an alias`, hint };
  const old = map.entries.get(key);
  if (old === undefined) return insertKey(map, key, value, below, text);
  if (!isInside(old.key, map.span))
    return { span: section, message: `${key} is merged from elsewhere`, hint };
  return replaceValue(old, key, value, text);
}

/** Where a value stands; `empty` is what there is of nothing, `~` or `null`. */
function replaceValue(
  { key: span, value: old }: Entry,
  key: string,
  value: KeyValue,
  text: string,
): Splice | Obstacle {
  const { start, end } = old.span;
  const hint = `write ${key}: ${written(value)} by hand`;
  if (!isReplaceable(old, value, text))
    return {
      span,
      message: `${key} is no ${typeof value === "string" ? "single value" : "list in brackets"}`,
      hint,
    };
  if (start < span.end && start !== span.start) return shared(span, key, hint, "comes from");
  if (start === span.start) return { at: span.end, until: span.end, insert: `: ${written(value)}` };
  const between = text.slice(span.end, start);
  if (!/^\s*:\s*$/.test(between)) return shared(span, key, hint, "has");
  const first = text.charAt(start);
  if (first === "|" || first === ">") return { span, message: `${key} is a block of text`, hint };
  if (start === end) return insertion(span.end + between.indexOf(":") + 1, ` ${written(value)}`);
  const quote = quoteIn(text.charAt(first === "[" ? start + 1 : start));
  return { at: start, until: end, insert: written(value, quote) };
}

function isReplaceable({ kind, span }: Node, value: KeyValue, text: string): boolean {
  if (kind === "empty") return true;
  if (typeof value === "string") return kind === "text";
  return kind === "list" && text.charAt(span.start) === "[";
}

function quoteIn(first: string): string {
  return first === '"' || first === "'" ? first : "";
}

function shared(span: Span, key: string, hint: string, how: string): Obstacle {
  return { span, message: `the value of ${key} ${how} an anchor, a tag or a comment`, hint };
}

function insertKey(
  map: MapNode,
  key: string,
  value: KeyValue,
  below: string,
  text: string,
): Splice {
  const neighbour = neighbourOf(map, below, text);
  const isFlow = text.charAt(map.span.start) === "{";
  const { start } = neighbour?.key ?? map.span;
  const quote = isFlow && text.charAt(start) === '"' ? '"' : "";
  const pair = `${quote}${key}${quote}: ${written(value, quote)}`;
  if (isFlow) return insertInFlow(map, neighbour, pair, text);
  const lineBreak = `${newLineOf(text)}${indentAt(text, start)}`;
  return neighbour === undefined
    ? insertion(start, pair + lineBreak)
    : insertion(lineEndAfter(text, neighbour.value.span.end), lineBreak + pair);
}

/** The own entry with that name whose value ends where it can be written after. */
function neighbourOf(map: MapNode, name: string, text: string): Entry | undefined {
  const entry = map.entries.get(name);
  if (entry === undefined || !isInside(entry.key, map.span)) return undefined;
  const { value } = entry;
  const isHere = value.kind === "text" && isInside(value.span, map.span);
  const isBlock = "|>".includes(text.charAt(value.span.start));
  return isHere && value.span.start >= entry.key.end && !isBlock ? entry : undefined;
}

/** In braces: a line of its own where the entry before has one, else on the same line. */
function insertInFlow(
  map: MapNode,
  neighbour: Entry | undefined,
  pair: string,
  text: string,
): Splice {
  if (neighbour === undefined) {
    const comma = map.entries.size === 0 ? "" : ", ";
    return insertion(map.span.start + 1, `${pair}${comma}`);
  }
  const { end } = neighbour.value.span;
  const lineEnd = lineEndAfter(text, end);
  const isAlone = /^[ \t]*,[ \t]*(#.*)?$/.test(text.slice(end, lineEnd));
  if (!isAlone) return insertion(end, `, ${pair}`);
  const indent = indentAt(text, neighbour.key.start);
  return insertion(lineEnd, `${newLineOf(text)}${indent}${pair},`);
}

function insertion(at: number, insert: string): Splice {
  return { at, until: at, insert };
}

export function isInside(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Before the line break, which may be two characters. */
export function lineEndAfter(text: string, offset: number): number {
  const lineFeed = text.indexOf("\n", offset);
  const end = lineFeed === -1 ? text.length : lineFeed;
  return text.charAt(end - 1) === "\r" ? end - 1 : end;
}

function newLineOf(text: string): string {
  return text.slice(0, text.indexOf("\n") + 1).endsWith("\r\n") ? "\r\n" : "\n";
}

/** Blanks up to the column of an offset; tabs stay tabs. */
function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(lineStart, offset).replace(/\S/g, " ");
}
