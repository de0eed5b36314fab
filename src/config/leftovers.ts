// Values that other readers of the same YAML take for a number or a boolean and write differently. Here they keep
// their text; a warning says so once, and quotes silence it.

import { type Finding, quote } from "./problems.ts";
import { find, type Node, type Path, type TextNode, texts } from "./tree.ts";

type Report = (node: TextNode, path: Path, finding: Finding) => void;

const otherNumbers = /^[-+]?(0[0-9_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|0b[01_]+|[0-9][0-9_]*_[0-9_]*)$/;
const decimals = /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/;
const otherWords = /^(True|TRUE|False|FALSE|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

/** Warns of unquoted values in environment and labels that Compose would pass on as another text. */
export function warnOfLeftovers(template: Node, base: Path, report: Report): void {
  for (const field of ["environment", "labels"]) {
    const node = find(template, [field])?.node;
    if (node?.kind !== "map") continue;
    for (const { node: value, path } of texts(node, [...base, field]))
      if (!value.quoted && value.written === undefined && readsDifferently(value.text))
        report(value, path, {
          severity: "warning",
          message: `${quote(value.text)} stays as it is written, while Compose passes on another text for it`,
          hint: "put it in quotes if you mean the text",
        });
  }
}

function readsDifferently(text: string): boolean {
  if (otherNumbers.test(text) || otherWords.test(text)) return true;
  return (
    decimals.test(text) &&
    Number.isSafeInteger(Math.trunc(Number(text))) &&
    String(Number(text)) !== text
  );
}
