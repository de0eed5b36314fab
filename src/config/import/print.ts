// Fields and comments -> the text of a manifest. Every scalar is written as it was, or quoted where it has to be.

import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { formatPath, type Path } from "../tree.ts";
import type { Fields, MapValue, Style, Value } from "./value.ts";

/** Comments by the formatted path of their field. */
export type Comments = {
  /** Paragraphs above a field; those of "" head the document. */
  readonly above: ReadonlyMap<string, readonly string[]>;
  /** In the line of a single value. */
  readonly beside: ReadonlyMap<string, string>;
};

export const noComments: Comments = { above: new Map(), beside: new Map() };

/** Widest comment, without its indentation. */
const COMMENT_WIDTH = 92;

const TYPES = {
  plain: Scalar.PLAIN,
  double: Scalar.QUOTE_DOUBLE,
  single: Scalar.QUOTE_SINGLE,
  literal: Scalar.BLOCK_LITERAL,
  folded: Scalar.BLOCK_FOLDED,
} as const satisfies Record<Style, Scalar.Type>;

/** One YAML document, ending in a newline. */
export function printDocument(fields: Fields, comments: Comments): string {
  // Only texts and nothing: what would be a number elsewhere needs no quotes, for none of our readers makes one of it.
  const document = new Document(undefined, { schema: "failsafe", customTags: ["null"] });
  const map = makeMap(fields, false, [], comments);
  const first = map.items[0];
  if (first !== undefined) comment(first.key, comments.above.get(""));
  document.contents = map;
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

type PrintedMap = YAMLMap<Scalar<string>, Scalar | YAMLMap | YAMLSeq>;

function makeMap(fields: Fields, flow: boolean, path: Path, comments: Comments): PrintedMap {
  const map: PrintedMap = new YAMLMap();
  map.flow = flow;
  for (const [name, value] of fields) {
    const at = [...path, name];
    const key = makeScalar(name, "plain");
    const above = flow ? undefined : comments.above.get(formatPath(at));
    comment(key, above);
    map.items.push(new Pair(key, makeNode(value, at, comments)));
  }
  return map;
}

function makeNode(value: Value, path: Path, comments: Comments) {
  switch (value.kind) {
    case "text":
      return besides(makeScalar(value.text, value.style), comments.beside.get(formatPath(path)));
    case "empty":
      return Object.assign(new Scalar(null), { source: "" });
    case "map":
      return makeMap(value.entries, isFlow(value), path, comments);
    case "list": {
      const list = new YAMLSeq();
      list.flow = value.flow || value.items.length === 0;
      list.items = value.items.map((item, index) => makeNode(item, [...path, index], comments));
      return list;
    }
  }
}

function isFlow({ flow, entries }: MapValue): boolean {
  return flow || entries.size === 0;
}

function makeScalar(text: string, style: Style): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = TYPES[style];
  return scalar;
}

function besides(scalar: Scalar<string>, text: string | undefined): Scalar<string> {
  if (text !== undefined) scalar.comment = ` ${text}`;
  return scalar;
}

function comment(node: Scalar, paragraphs: readonly string[] | undefined): void {
  if (paragraphs === undefined || paragraphs.length === 0) return;
  const lines = paragraphs.flatMap((text) => wrap(text.replace(/\p{Cc}/gu, " ")));
  const before = node.commentBefore === undefined ? [] : [node.commentBefore];
  node.commentBefore = [...lines.map((line) => ` ${line}`), ...before].join("\n");
}

/** Lines of a paragraph; a long word has a line of its own. Further lines are set in by two. */
function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > COMMENT_WIDTH) {
      lines.push(line);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
