// Makes problems that are complete enough to be shown alone: place, path, frame, hint.

import type { Problem } from "../core/model.ts";
import { frameAt, placeAt, type Source, type Span } from "./source.ts";
import { find, formatPath, type Node, type Path } from "./tree.ts";

export type Finding = {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly severity?: "error" | "warning";
};

/** Names of files of variables: one that is given for a manifest by mistake must not be shown. */
const variableFile = /\.env(\.[^/]*)?$/;

/** A problem at a stretch of a file. */
export function problemAt(source: Source, span: Span, path: Path, finding: Finding): Problem {
  return {
    severity: finding.severity ?? "error",
    place: placeAt(source, span.start),
    path: formatPath(path),
    message: finding.message,
    ...(finding.hint !== undefined && { hint: finding.hint }),
    ...(!variableFile.test(source.file) && { frame: frameAt(source, span) }),
  };
}

/** A problem about a file as a whole, before any of its text is known. */
export function problemOfFile(file: string, finding: Finding): Problem {
  const place = { file, line: 1, column: 1 };
  const { message, hint } = finding;
  return { severity: "error", place, path: "", message, ...(hint !== undefined && { hint }) };
}

/**
 * The stretch to point at for a path: a text itself, the key of a collection or of an empty value, and for
 * what is missing the nearest thing above it.
 */
export function spanOf(root: Node, path: Path, at: "key" | "value" = "value"): Span {
  const found = find(root, path);
  if (found === undefined)
    return path.length === 0 ? root.span : spanOf(root, path.slice(0, -1), "key");
  if (found.key !== undefined && (at === "key" || found.node.kind !== "text")) return found.key;
  if (found.node.kind === "map") return firstKey(found.node.entries) ?? found.node.span;
  return found.node.span;
}

function firstKey(entries: ReadonlyMap<string, { readonly key: Span }>): Span | undefined {
  for (const entry of entries.values()) return entry.key;
  return undefined;
}

/** By file, then place; the same problem at the same place (reached through two aliases) only once. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems) {
    const { file, line, column } = problem.place;
    const key = JSON.stringify([file, line, column, problem.message]);
    if (!seen.has(key)) seen.set(key, problem);
  }
  return [...seen.values()].sort(compareProblems);
}

function compareProblems(a: Problem, b: Problem): number {
  if (a.place.file !== b.place.file) return a.place.file < b.place.file ? -1 : 1;
  return a.place.line - b.place.line || a.place.column - b.place.column;
}

/** A value as a message shows it: quoted, on one line, not too long. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return JSON.stringify(short);
}

/** A missing UID with the command that writes one, for this very file. */
export function hintUid(problem: Problem): Problem {
  if (problem.path !== "metadata.uid" || problem.message !== "uid is missing") return problem;
  return { ...problem, hint: `\`wgctl uid --write ${problem.place.file}\` writes one` };
}
