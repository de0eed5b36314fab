// YAML nodes -> our tree: aliases followed, merge keys merged, duplicate keys and foreign tags refused. The YAML
// library would do this only while making plain values, where places are lost and bad aliases throw.

import {
  type Alias,
  isAlias,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  Scalar,
  type YAMLMap,
} from "yaml";
import { type Finding, quote } from "./problems.ts";
import type { Span } from "./source.ts";
import type { Entry, Node } from "./tree.ts";

type Report = (span: Span, finding: Finding) => void;

type Reader = {
  readonly report: Report;
  /** Tags that stay with their nodes, besides those of YAML itself. */
  readonly tags: readonly string[];
  /** The latest node with each anchor, in the order of the file, as YAML defines aliases. */
  readonly anchors: Map<string, ParsedNode>;
  /** What each alias meant when it was first met; an anchor may be given again later. */
  readonly targets: Map<Alias.Parsed, ParsedNode>;
  /** Nodes whose inside is being read, to find an alias inside its own anchor. */
  readonly open: Set<ParsedNode>;
  aliased: number;
  depth: number;
  problems: number;
};

/** Most values that aliases may add up to in one document; a bomb doubles its way far beyond it. */
const aliasLimit = 20_000;
const depthLimit = 100;

/**
 * Reads a document's contents; what is wrong goes to `report`, and the tree then serves no purpose. `tags` are those
 * that mean something to whoever asks.
 */
export function readTree(contents: ParsedNode, report: Report, tags: readonly string[]): Node {
  return readNode(contents, newReader(report, tags), false);
}

function newReader(report: Report, tags: readonly string[]): Reader {
  const maps = { anchors: new Map(), targets: new Map(), open: new Set<ParsedNode>() };
  const reader: Reader = {
    ...maps,
    tags,
    aliased: 0,
    depth: 0,
    problems: 0,
    report: (span, finding) => {
      reader.problems += 1;
      report(span, finding);
    },
  };
  return reader;
}

function readNode(node: ParsedNode, reader: Reader, inAlias: boolean): Node {
  const span = spanOfNode(node);
  if (isAlias(node)) return readAlias(node, span, reader);
  if (inAlias && !countAliased(span, reader)) return { kind: "empty", span };
  if (!inAlias && node.anchor !== undefined) reader.anchors.set(node.anchor, node);
  checkTag(node, span, reader);
  const read = readUntagged(node, span, reader, inAlias);
  return node.tag !== undefined && reader.tags.includes(node.tag)
    ? { ...read, tag: node.tag }
    : read;
}

function readUntagged(
  node: Exclude<ParsedNode, Alias.Parsed>,
  span: Span,
  reader: Reader,
  inAlias: boolean,
): Node {
  if (isScalar(node)) return readScalar(node, span);
  if (reader.depth >= depthLimit) {
    reader.report(span, { message: "nested too deeply to be read", hint: "nest less" });
    return { kind: "empty", span };
  }
  reader.open.add(node);
  reader.depth += 1;
  const read: Node = isSeq(node)
    ? { kind: "list", span, items: node.items.map((item) => readNode(item, reader, inAlias)) }
    : { kind: "map", span, entries: readEntries(node, reader, inAlias) };
  reader.depth -= 1;
  reader.open.delete(node);
  return read;
}

function readAlias(alias: Alias.Parsed, span: Span, reader: Reader): Node {
  const name = alias.source;
  const target = reader.targets.get(alias) ?? reader.anchors.get(name);
  const empty: Node = { kind: "empty", span };
  if (target === undefined) {
    const hint = `an alias needs an anchor &${name} before it in the same document`;
    reader.report(span, { message: `no anchor for the alias *${name}`, hint });
    return empty;
  }
  if (reader.open.has(target)) {
    reader.report(span, { message: `the alias *${name} stands inside its own anchor` });
    return empty;
  }
  reader.targets.set(alias, target);
  return readNode(target, reader, true);
}

function countAliased(span: Span, reader: Reader): boolean {
  reader.aliased += 1;
  if (reader.aliased === aliasLimit + 1)
    reader.report(span, {
      message: `the aliases of this document add up to more than ${aliasLimit} values`,
      hint: "write it out, or split it",
    });
  return reader.aliased <= aliasLimit;
}

function readScalar(node: Scalar.Parsed, span: Span): Node {
  const quoted = node.type !== Scalar.PLAIN;
  const text = node.source ?? String(node.value ?? "");
  const isNull =
    !quoted && node.tag !== "tag:yaml.org,2002:str" && /^(|~|null|Null|NULL)$/.test(text);
  return isNull ? { kind: "empty", span } : { kind: "text", text, span, quoted };
}

const knownTags = ["str", "int", "float", "bool", "null", "map", "seq"];

function checkTag(node: ParsedNode, span: Span, reader: Reader): void {
  if (isAlias(node) || node.tag === undefined || node.tag === "!") return;
  if (reader.tags.includes(node.tag)) return;
  if (knownTags.some((tag) => node.tag === `tag:yaml.org,2002:${tag}`)) return;
  const message = `the YAML tag ${quote(node.tag)} has no meaning here`;
  reader.report(span, { message, hint: "take the tag out" });
}

type YamlPair = Pair<ParsedNode, ParsedNode | null>;

function readEntries(
  map: YAMLMap.Parsed,
  reader: Reader,
  inAlias: boolean,
): ReadonlyMap<string, Entry> {
  const own = new Map<string, Entry>();
  const merged: ReadonlyMap<string, Entry>[] = [];
  let firstMerge: Span | undefined;
  for (const pair of map.items) {
    const span = spanOfNode(pair.key);
    const value = () => readValue(pair, span, reader, inAlias);
    if (isMergeKey(pair.key)) {
      if (firstMerge !== undefined) reportSecondMerge(span, reader);
      else merged.push(...readMerge(value, span, reader));
      firstMerge ??= span;
      continue;
    }
    const key = readKey(pair.key, span, reader);
    if (key === undefined) continue;
    if (own.has(key))
      reader.report(span, { message: `the key ${quote(key)} stands here twice`, hint: "keep one" });
    own.set(key, { key: span, value: value() });
  }
  return mergeEntries(own, merged);
}

/** A mapping's own keys win over merged ones, and earlier merged ones over later. */
function mergeEntries(
  own: Map<string, Entry>,
  merged: readonly ReadonlyMap<string, Entry>[],
): ReadonlyMap<string, Entry> {
  for (const source of merged)
    for (const [key, entry] of source) if (!own.has(key)) own.set(key, entry);
  return own;
}

function readValue(pair: YamlPair, key: Span, reader: Reader, inAlias: boolean): Node {
  return pair.value === null ? { kind: "empty", span: key } : readNode(pair.value, reader, inAlias);
}

function isMergeKey(key: ParsedNode): boolean {
  return isScalar(key) && key.type === Scalar.PLAIN && key.source === "<<";
}

function reportSecondMerge(span: Span, reader: Reader): void {
  reader.report(span, {
    message: "a second `<<` in one mapping",
    hint: "merge both with one key: `<<: [*first, *second]`",
  });
}

/** What could not be read has been told already, and is not told again for being no mapping. */
function readMerge(
  read: () => Node,
  key: Span,
  reader: Reader,
): readonly ReadonlyMap<string, Entry>[] {
  const before = reader.problems;
  const value = read();
  return reader.problems > before ? [] : mergeSources(value, key, reader);
}

function mergeSources(
  value: Node,
  key: Span,
  reader: Reader,
): readonly ReadonlyMap<string, Entry>[] {
  const nodes = value.kind === "list" ? value.items : [value];
  return nodes.flatMap((node) => {
    if (node.kind === "map") return [node.entries];
    reader.report(key, {
      message: "`<<` merges something that is no mapping",
      hint: "write `<<: *anchor` with the anchor on a mapping, or a list of such aliases",
    });
    return [];
  });
}

function readKey(key: ParsedNode, span: Span, reader: Reader): string | undefined {
  const node = isAlias(key) ? reader.anchors.get(key.source) : key;
  if (!isAlias(key) && key.anchor !== undefined) reader.anchors.set(key.anchor, key);
  const text = isScalar(node) ? (node.source ?? "") : "";
  if (text !== "" && text !== "__proto__") return text;
  reader.report(span, { message: "a key must be a text", hint: "write `key: value`" });
  return undefined;
}

function spanOfNode(node: ParsedNode): Span {
  return { start: node.range[0], end: node.range[1] };
}
