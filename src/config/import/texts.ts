// Texts of a compose file that keep their variables: cut without cutting those, asked for their names, and made safe
// from our own placeholders. Nothing is filled in.

import { parsePlaceholders } from "../../core/placeholders.ts";
import { interpolate, splitVariables } from "../interpolation.ts";

/** The parts between separators that stand outside variables: `a:${B:-c}:d` has three. */
export function splitOutside(text: string, separator: string): readonly string[] {
  const parts = [""];
  for (const piece of splitVariables(text)) {
    const [first = "", ...more] = isVariable(piece) ? [piece] : piece.split(separator);
    parts.push(`${parts.pop() ?? ""}${first}`, ...more);
  }
  return parts;
}

/** True for a piece that a value takes the place of; `$$` is only a dollar. */
export function isVariable(piece: string): boolean {
  return piece.startsWith("$") && piece !== "$" && piece !== "$$";
}

export type NamedVariables = {
  readonly names: readonly string[];
  /** Those without a default that must be set for the text to have a value. */
  readonly lacks: readonly string[];
  /** Those of them that Compose too refuses to do without: `${A:?}`. */
  readonly required: readonly string[];
};

/** The variables of a text, and which of them must be set; `known` says which are. */
export function variablesOf(text: string, known: (name: string) => boolean): NamedVariables {
  if (!text.includes("$")) return { names: [], lacks: [], required: [] };
  const names = new Set<string>();
  const lookup = (name: string) => {
    names.add(name);
    return known(name) ? "x" : undefined;
  };
  const unset = interpolate(text, lookup).faults.filter(({ kind }) => kind === "unset");
  const nameOf = ({ piece }: { readonly piece: string }) => /[A-Za-z_]\w*/.exec(piece)?.[0] ?? [];
  return {
    names: [...names],
    lacks: [...new Set(unset.flatMap(nameOf))],
    required: unset.filter(({ piece }) => piece.includes("?")).flatMap(nameOf),
  };
}

/** Whether all of a text's variables have a value or a default. */
export function isSettled(text: string): boolean {
  return variablesOf(text, () => false).lacks.length === 0;
}

const SWARM = /^\{\{\s*\.(Task|Service|Node)\./;

/** Braces that are text to Compose stay text; placeholders of Swarm, which are ours too, stay placeholders. */
export function escapeBraces(text: string): string {
  if (!text.includes("{{")) return text;
  const isOurs = parsePlaceholders(text).some(
    (piece) => piece.kind === "placeholder" || (piece.kind === "unknown" && SWARM.test(piece.text)),
  );
  return isOurs ? text : text.replaceAll("{{", '{{"{{"}}');
}
