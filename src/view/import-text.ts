// What an import has to say besides the manifests: what it changed and why, what it left out, what else is needed.

import type { Paint } from "./style.ts";
import { printable } from "./text.ts";

/** What is told of an import. All texts are sentences without a final stop. */
export type ImportReport = {
  readonly groups: readonly {
    readonly name: string;
    readonly services: readonly string[];
    readonly notes: readonly string[];
  }[];
  readonly leftOut: readonly { readonly service: string; readonly reason: string }[];
  readonly words: readonly string[];
};

/** Paragraphs with a heading each, ending in a newline; empty where there is nothing to say. */
export function renderImport({ groups, leftOut, words }: ImportReport, paint: Paint): string {
  return [
    ...groups.map(({ name, services, notes }) =>
      paragraph(paint("strong", name), fromWords(services), notes),
    ),
    paragraph(
      paint("strong", "left out"),
      ", --service NAME asks for them",
      leftOut.map(({ service, reason }) => `${service}: ${reason}`),
    ),
    paragraph(paint("strong", "to do"), "", words),
  ].join("");
}

function fromWords(services: readonly string[]): string {
  return `, from the ${services.length === 1 ? "service" : "services"} ${services.join(", ")}`;
}

function paragraph(title: string, rest: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `${title}${rest}:\n${lines.map((line) => `  - ${printable(line)}\n`).join("")}`;
}
