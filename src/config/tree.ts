// A document as read: every scalar is the text that stands in the file, and everything knows its place. What a text
// means (a number, a duration) the schema says, so that `0644`, `no` and `1.10` are never touched on the way.

import type { Span } from "./source.ts";

export type Node = (TextNode | EmptyNode | ListNode | MapNode) & {
  /** Of the tags that its reader knows, `!reset`; absent: it has none. */
  readonly tag?: string;
};

export type TextNode = {
  readonly kind: "text";
  readonly text: string;
  readonly span: Span;
  /** Its text before variables were filled in; absent: nothing was. */
  readonly written?: string;
  /** The values of variables in it, which must not be shown; absent: no variable was asked for. */
  readonly sensitive?: readonly string[];
  readonly quoted: boolean;
};
/** `null`, `~`, or nothing at all. */
export type EmptyNode = { readonly kind: "empty"; readonly span: Span };
export type ListNode = {
  readonly kind: "list";
  readonly items: readonly Node[];
  readonly span: Span;
};
export type MapNode = {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Entry>;
  readonly span: Span;
};
export type Entry = { readonly key: Span; readonly value: Node };

export type Path = readonly (string | number)[];

/** A node and the key it stands under; items of lists have none. */
export type Found = { readonly node: Node; readonly key: Span | undefined };

/** The node at a path, or undefined. */
export function find(root: Node, path: Path): Found | undefined {
  let found: Found | undefined = { node: root, key: undefined };
  for (const step of path) {
    if (found === undefined) return undefined;
    found = child(found.node, step);
  }
  return found;
}

function child(node: Node, step: string | number): Found | undefined {
  if (node.kind === "list") {
    const item = node.items[Number(step)];
    return item && { node: item, key: undefined };
  }
  const entry = node.kind === "map" ? node.entries.get(String(step)) : undefined;
  return entry && { node: entry.value, key: entry.key };
}

/** The text at a path; undefined where there is none. */
export function textAt(root: Node, path: Path): string | undefined {
  const node = find(root, path)?.node;
  return node?.kind === "text" ? node.text : undefined;
}

/** What the schema reads: texts, nulls, arrays and objects without a prototype. */
export function toPlain(node: Node): unknown {
  switch (node.kind) {
    case "text":
      return node.text;
    case "empty":
      return null;
    case "list":
      return node.items.map(toPlain);
    case "map": {
      const plain: Record<string, unknown> = Object.create(null);
      for (const [key, entry] of node.entries) plain[key] = toPlain(entry.value);
      return plain;
    }
  }
}

/** The same tree with every text replaced. */
export function mapTexts(
  node: Node,
  replace: (node: TextNode, path: Path) => TextNode | EmptyNode,
  path: Path = [],
): Node {
  switch (node.kind) {
    case "text":
      return replace(node, path);
    case "empty":
      return node;
    case "list":
      return {
        ...node,
        items: node.items.map((item, index) => mapTexts(item, replace, [...path, index])),
      };
    case "map": {
      const entries = new Map<string, Entry>();
      for (const [key, entry] of node.entries)
        entries.set(key, { ...entry, value: mapTexts(entry.value, replace, [...path, key]) });
      return { ...node, entries };
    }
  }
}

/** Every text with its path, in the order of the file's keys. */
export function* texts(node: Node, path: Path = []): Generator<{ node: TextNode; path: Path }> {
  if (node.kind === "text") yield { node, path };
  if (node.kind === "list")
    for (const [index, item] of node.items.entries()) yield* texts(item, [...path, index]);
  if (node.kind === "map")
    for (const [key, entry] of node.entries) yield* texts(entry.value, [...path, key]);
}

/** `spec.template.ports[0]` */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      const plain = /^[\w-]+$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? plain : `.${plain}`;
    })
    .join("");
}
