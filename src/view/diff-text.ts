// Lines of a difference as text, and how the text of a file changes.

import { structuredPatch } from "diff";
import type { Paint } from "./style.ts";
import type { DiffLine } from "./template-diff.ts";
import { printable } from "./text.ts";

/** One line, indented below what it belongs to. */
export function diffText({ kind, text }: DiffLine, paint: Paint): string {
  const shown = printable(text);
  switch (kind) {
    case "added":
      return paint("add", `    + ${shown}`);
    case "removed":
      return paint("remove", `    - ${shown}`);
    case "around":
      return paint("faint", `      ${shown}`);
  }
}

const CONTEXT_LINES = 2;

/** The name of a file and its changed lines with two around them, a line of dots between places that lie apart. */
export function renderFileDiff(file: string, before: string, after: string, paint: Paint): string {
  const [old, edited] = [shownLines(before), shownLines(after)];
  const { hunks } = structuredPatch("", "", old, edited, "", "", { context: CONTEXT_LINES });
  const places = hunks.map(({ lines }) => lines.map((line) => diffText(fileLine(line), paint)));
  const lines = places.flatMap((each, index) => (index === 0 ? each : ["      ...", ...each]));
  return `${[paint("strong", printable(file)), ...lines].join("\n")}\n`;
}

/** Line ends and the byte order mark are no news. */
function shownLines(text: string): string {
  return `${text
    .replace(/^\uFEFF/, "")
    .replace(/\r?\n/g, "\n")
    .replace(/\n$/, "")}\n`;
}

function fileLine(line: string): DiffLine {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "around";
  return { kind, text: line.slice(1) };
}
