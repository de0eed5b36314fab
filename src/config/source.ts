// The text of one file and where things stand in it: places and code frames. Knows nothing of YAML.

import type { Place } from "../core/model.ts";

/** A stretch of a text: offsets in UTF-16 units, the end not included. */
export type Span = { readonly start: number; readonly end: number };

export type Source = {
  /** As a person names it: relative to the working directory where it lies below it. */
  readonly file: string;
  readonly text: string;
  /** Offset of the first character of every line. */
  readonly lineStarts: readonly number[];
};

/** Longest part of a line that a frame shows. */
const frameWidth = 100;

export function makeSource(file: string, text: string): Source {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1))
    lineStarts.push(at + 1);
  return { file, text, lineStarts };
}

/** The 1-based line and column of an offset. */
export function placeAt(source: Source, offset: number): Place {
  const line = lineIndexAt(source, offset);
  return { file: source.file, line: line + 1, column: offset - (source.lineStarts[line] ?? 0) + 1 };
}

/**
 * The line of a span between its neighbours, a caret under every character of the span in that line.
 * Control characters become blanks, so that a file cannot write to the terminal.
 */
export function frameAt(source: Source, span: Span): string {
  const line = lineIndexAt(source, span.start);
  const column = span.start - (source.lineStarts[line] ?? 0);
  const from = column > frameWidth - 20 ? column - 40 : 0;
  const width = String(line + 2).length;
  const rows: string[] = [];
  for (let at = Math.max(0, line - 1); at <= line + 1 && at < source.lineStarts.length; at += 1) {
    const text = shownLine(source, at)
      .slice(from, from + frameWidth)
      .trimEnd();
    if (at !== line && text === "" && at > line) continue;
    rows.push(`${at === line ? ">" : " "} ${String(at + 1).padStart(width)} | ${text}`.trimEnd());
    if (at === line)
      rows.push(`  ${" ".repeat(width)} | ${caretAt(source, span, line, column, from)}`);
  }
  return rows.join("\n");
}

function caretAt(source: Source, span: Span, line: number, column: number, from: number): string {
  const length = shownLine(source, line).trimEnd().length;
  const end = Math.min(span.end - (source.lineStarts[line] ?? 0), length, from + frameWidth);
  return " ".repeat(column - from) + "^".repeat(Math.max(1, end - column));
}

function shownLine(source: Source, line: number): string {
  const next = source.lineStarts[line + 1] ?? source.text.length + 1;
  const text = source.text.slice(source.lineStarts[line] ?? 0, next - 1);
  return text.replace(/\p{Cc}/gu, " ");
}

function lineIndexAt(source: Source, offset: number): number {
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((source.lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
