// What happens to the texts of a spec before the schema sees them: variables filled in, placeholders checked.

import type { Problem } from "../core/model.ts";
import { interpolate } from "./interpolation.ts";
import { warnOfLeftovers } from "./leftovers.ts";
import { checkPlaceholders } from "./placeholders.ts";
import { type Finding, problemAt } from "./problems.ts";
import type { Source, Span } from "./source.ts";
import { type EmptyNode, find, mapTexts, type Node, type Path, type TextNode } from "./tree.ts";
import type { Variables } from "./variables.ts";

export type ResolvedTexts = { readonly tree: Node; readonly problems: readonly Problem[] };

/** The document with the variables of its spec filled in. Its metadata holds no variables. */
export function resolveTexts(root: Node, source: Source, variables: Variables): ResolvedTexts {
  const spec = find(root, ["spec"]);
  if (root.kind !== "map" || spec?.key === undefined) return { tree: root, problems: [] };
  const problems: Problem[] = [];
  const value = mapTexts(
    spec.node,
    (node, path) => fillVariables(node, path, source, variables, problems),
    ["spec"],
  );
  const template = find(value, ["template"])?.node;
  const report = (node: TextNode, path: Path, finding: Finding) =>
    problems.push(problemAt(source, node.span, path, finding));
  if (template !== undefined) {
    checkPlaceholders(template, ["spec", "template"], report);
    warnOfLeftovers(template, ["spec", "template"], report);
  }
  const entries = new Map([...root.entries, ["spec", { key: spec.key, value }] as const]);
  return { tree: { ...root, entries }, problems };
}

function fillVariables(
  node: TextNode,
  path: Path,
  source: Source,
  variables: Variables,
  problems: Problem[],
): TextNode | EmptyNode {
  if (!node.text.includes("$")) return node;
  const { text, faults, values, hasVariables } = interpolate(node.text, variables.lookup);
  for (const { piece, kind, ...finding } of faults) {
    const hint = kind === "unset" ? hintUnset(piece, variables) : finding.hint;
    problems.push(
      problemAt(source, spanInside(node, piece, source.text), path, { ...finding, hint }),
    );
  }
  if (text === "" && !keepsEmpty(path)) return { kind: "empty", span: node.span };
  return { ...node, text, written: node.text, ...(hasVariables && { sensitive: values }) };
}

function hintUnset(piece: string, variables: Variables): string {
  const name = /[A-Za-z_][A-Za-z0-9_]*/.exec(piece)?.[0] ?? piece;
  if (piece.includes("?")) return variables.hintFor(name);
  const fallback = `give it a default: \${${name}:-...}`;
  const literal = piece.startsWith("${") ? "" : ` (a literal dollar is $$)`;
  return variables.hintFor(name, fallback + literal);
}

/** An empty variable leaves a field unset, but is a value of its own in lists, environment and labels. */
function keepsEmpty(path: Path): boolean {
  return typeof path.at(-1) === "number" || path.includes("environment") || path.includes("labels");
}

/** Where a piece of a scalar stands in the file; the whole scalar where quoting or folding hides it. */
function spanInside(node: TextNode, piece: string, text: string): Span {
  const at = text.slice(node.span.start, node.span.end).indexOf(piece);
  if (at === -1) return node.span;
  return { start: node.span.start + at, end: node.span.start + at + piece.length };
}
