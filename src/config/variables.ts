// Compose's `$` in values: finds variables, and makes `$$` a plain dollar.

import { type Finding, quote } from "./problems.ts";
import type { Span } from "./source.ts";
import { mapTexts, type Node, type Path, type TextNode } from "./tree.ts";

type Report = (span: Span, path: Path, finding: Finding) => void;

const dollar = /\$(?:(\$)|[A-Za-z_][A-Za-z0-9_]*|\{[^{}]*\}?|)/g;

/** The tree with `$$` made `$`. Variables are reported: this version does not fill them in. */
export function resolveDollars(root: Node, base: Path, text: string, report: Report): Node {
  return mapTexts(
    root,
    (node, path) => {
      if (!node.text.includes("$")) return node;
      for (const match of node.text.matchAll(dollar))
        if (match[1] === undefined)
          report(spanInside(node, match[0], text), path, {
            message: `variables such as ${quote(match[0])} are not supported by this version`,
            hint: "write $$ for a literal dollar",
          });
      return { ...node, text: node.text.replaceAll("$$", "$"), template: node.text };
    },
    base,
  );
}

/** Where a piece of a scalar stands in the file; the whole scalar where quoting or folding hides it. */
function spanInside(node: TextNode, piece: string, text: string): Span {
  const at = text.slice(node.span.start, node.span.end).indexOf(piece);
  if (at === -1) return node.span;
  return { start: node.span.start + at, end: node.span.start + at + piece.length };
}
