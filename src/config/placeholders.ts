// Where placeholders may stand in a manifest, and which there are. What they become: src/core/placeholders.ts.

import { parsePlaceholders, placeholderNames } from "../core/placeholders.ts";
import { type Finding, quote } from "./problems.ts";
import { suggest } from "./suggest.ts";
import { type Node, type Path, type TextNode, texts } from "./tree.ts";

type Report = (node: TextNode, path: Path, finding: Finding) => void;

/** Fields of a template whose texts are filled in for each worker. */
const expanded = [
  /^(environment|labels|command|entrypoint|hostname)\b/,
  /^volumes\.\d+(\.source)?$/,
  /^ports\.\d+(\.published)?$/,
  /^devices\.\d+(\.source)?$/,
  /^(gpus|deploy\.resources\.reservations\.devices)\.\d+\.device_ids\.\d+$/,
];

/** Reports unknown placeholders, and known ones where nothing fills them in. `template` is spec.template. */
export function checkPlaceholders(template: Node, base: Path, report: Report): void {
  for (const { node, path } of texts(template, base)) {
    if (!node.text.includes("{{")) continue;
    const inside = path.slice(base.length).join(".");
    const filled = expanded.some((place) => place.test(inside));
    const finding = filled ? findUnknown(node) : findMisplaced(node.text);
    if (finding !== undefined) report(node, path, finding);
  }
}

const literal = 'write {{"{{"}} for literal braces';

function findUnknown({ text, written }: TextNode): Finding | undefined {
  const unknown = parsePlaceholders(text).find((piece) => piece.kind === "unknown");
  if (unknown === undefined) return undefined;
  if (unknown.text === "{{")
    return { message: "a placeholder that is never closed with }}", hint: literal };
  // One that came out of a variable is not shown.
  const shown = (written ?? text).includes(unknown.text) ? ` ${quote(unknown.text)}` : " like this";
  const name = unknown.text.replace(/^\{\{\s*\.?|\s*\}\}$/g, "");
  const near = suggest(name, placeholderNames);
  const all = placeholderNames.map((known) => `{{.${known}}}`).join(", ");
  const hint = near === undefined ? `there are ${all}; ${literal}` : `did you mean {{.${near}}}?`;
  return { message: `no placeholder${shown}`, hint };
}

// Other braces may mean something to whoever reads the value, such as a --format option in a health check.
function findMisplaced(text: string): Finding | undefined {
  const known = parsePlaceholders(text).find(
    (piece) => piece.kind === "placeholder" || /^\{\{\s*\.(Task|Service|Node)\./.test(piece.text),
  );
  if (known === undefined) return undefined;
  return {
    message: "no placeholder is filled in here",
    hint: "they work in environment, command, entrypoint, hostname, labels, sources of volumes and devices, host ports and device_ids",
  };
}
