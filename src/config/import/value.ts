// Values on their way from a compose file into a manifest: what they say, how they are written, and where that stands.

import type { Problem } from "../../core/model.ts";
import { type Finding, problemAt } from "../problems.ts";
import type { Source, Span } from "../source.ts";
import { formatPath, type Node, type Path } from "../tree.ts";

/** Where a value was read: the value itself, and the key it stands under. */
export type Origin = { readonly source: Source; readonly span: Span; readonly key?: Span };

export type Style = "plain" | "double" | "single" | "literal" | "folded";

export type Value = TextValue | EmptyValue | ListValue | MapValue;
export type TextValue = {
  readonly kind: "text";
  readonly text: string;
  readonly style: Style;
  readonly origin: Origin;
};
export type EmptyValue = { readonly kind: "empty"; readonly origin: Origin };
export type ListValue = {
  readonly kind: "list";
  readonly items: readonly Value[];
  readonly flow: boolean;
  readonly origin: Origin;
};
export type MapValue = {
  readonly kind: "map";
  readonly entries: Fields;
  readonly flow: boolean;
  readonly origin: Origin;
};
export type Fields = ReadonlyMap<string, Value>;

const STYLES: Readonly<Record<string, Style>> = {
  '"': "double",
  "'": "single",
  "|": "literal",
  ">": "folded",
};

/** A node of a file with the way it is written there. */
export function readValue(node: Node, source: Source, key?: Span): Value {
  const origin: Origin = { source, span: node.span, ...(key && { key }) };
  const first = source.text.charAt(node.span.start);
  switch (node.kind) {
    case "empty":
      return { kind: "empty", origin };
    case "text":
      return { kind: "text", text: node.text, style: STYLES[first] ?? "plain", origin };
    case "list":
      return {
        kind: "list",
        items: node.items.map((item) => readValue(item, source)),
        flow: first === "[",
        origin,
      };
    case "map": {
      const entries = [...node.entries].map(
        ([name, entry]) => [name, readValue(entry.value, source, entry.key)] as const,
      );
      return { kind: "map", entries: new Map(entries), flow: first === "{", origin };
    }
  }
}

/** A text that stands for what was written at `origin`. */
export function textFrom(origin: Origin, text: string, style: Style = "plain"): TextValue {
  return { kind: "text", text, style, origin };
}

export function listFrom(origin: Origin, items: readonly Value[], flow = false): ListValue {
  return { kind: "list", items, flow, origin };
}

export function mapFrom(
  origin: Origin,
  entries: Iterable<readonly [string, Value]>,
  flow = false,
): MapValue {
  return { kind: "map", entries: new Map(entries), flow, origin };
}

/** The fields of a mapping; none for anything else. */
export function fieldsOf(value: Value | undefined): Fields {
  return value?.kind === "map" ? value.entries : new Map();
}

/** The items of a list; of a single text that text, for fields that take both. */
export function itemsOf(value: Value | undefined): readonly Value[] {
  if (value?.kind === "list") return value.items;
  return value?.kind === "text" ? [value] : [];
}

/** The text of a value that is one. */
export function textOf(value: Value | undefined): string | undefined {
  return value?.kind === "text" ? value.text : undefined;
}

/** The names in a list of names, or the keys of a mapping. */
export function namesIn(value: Value | undefined): readonly string[] {
  if (value?.kind === "map") return [...value.entries.keys()];
  return itemsOf(value).flatMap((item) => textOf(item) ?? []);
}

/** The same value with its texts, and what is empty, replaced; each is told with its formatted path. */
export function mapScalars(
  value: Value,
  path: Path,
  replace: (scalar: TextValue | EmptyValue, at: string) => Value,
): Value {
  switch (value.kind) {
    case "text":
    case "empty":
      return replace(value, formatPath(path));
    case "list":
      return {
        ...value,
        items: value.items.map((item, index) => mapScalars(item, [...path, index], replace)),
      };
    case "map": {
      const entries = [...value.entries].map(
        ([key, entry]) => [key, mapScalars(entry, [...path, key], replace)] as const,
      );
      return { ...value, entries: new Map(entries) };
    }
  }
}

/** Every text in a value, with its path. */
export function* textsIn(
  value: Value,
  path: Path = [],
): Generator<{ readonly text: TextValue; readonly path: Path }> {
  if (value.kind === "text") yield { text: value, path };
  if (value.kind === "list")
    for (const [index, item] of value.items.entries()) yield* textsIn(item, [...path, index]);
  if (value.kind === "map")
    for (const [key, entry] of value.entries) yield* textsIn(entry, [...path, key]);
}

/** A problem at the key of a value, or at the value where it has none. */
export function problemOf({ source, span, key }: Origin, path: Path, finding: Finding): Problem {
  return problemAt(source, key ?? span, path, finding);
}
