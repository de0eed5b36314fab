// Problems as the golden files keep them; kept apart from the view, whose wording of the same facts may change.

import type { Problem } from "../../src/core/model.ts";

/** One problem per paragraph: place, path, message, hint, frame. */
export function problemsText(problems: readonly Problem[]): string {
  return problems.map(problemText).join("\n");
}

function problemText({ severity, place, path, message, hint, frame }: Problem): string {
  const where = `${place.file}:${place.line}:${place.column}`;
  return [
    `${where} ${severity} ${path === "" ? "" : `${path}: `}${message}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...(frame === undefined ? [] : frame.split("\n").map((line) => `  ${line}`.trimEnd())),
    "",
  ].join("\n");
}
