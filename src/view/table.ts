// Lines up cells in columns. Knows widths and nothing of what it shows; its texts are single-width characters.

import type { Paint, Tone } from "./style.ts";
import { printable } from "./text.ts";

export type Cell = string | { readonly text: string; readonly tone: Tone };

export type TableLook = {
  readonly paint: Paint;
  /** Blanks before every line. */
  readonly indent?: number;
  /** Width of the terminal; the last column is cut to fit it. Absent: no limit. */
  readonly width?: number | undefined;
};

const GAP = "  ";
/** Where less than this is left, the last column is not cut: a few letters tell nobody anything. */
const MIN_LAST_COLUMN = 12;

/** One line per row, columns as wide as their widest cell, no blanks at line ends. A last cell that is cut ends in dots. */
export function renderTable(
  rows: readonly (readonly Cell[])[],
  look: TableLook,
): readonly string[] {
  const texts = rows.map((row) => row.map((cell) => printable(textOf(cell))));
  const widths = columnWidths(texts);
  const room = roomForLast(widths, look);
  return rows.map((row, index) => line(row, texts[index] ?? [], widths, room, look));
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
}

function roomForLast(widths: readonly number[], { indent = 0, width }: TableLook): number {
  if (width === undefined) return Number.POSITIVE_INFINITY;
  const before = widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, indent);
  const room = width - before;
  return room < MIN_LAST_COLUMN ? Number.POSITIVE_INFINITY : room;
}

function line(
  cells: readonly Cell[],
  texts: readonly string[],
  widths: readonly number[],
  room: number,
  { paint, indent = 0 }: TableLook,
): string {
  let painted = " ".repeat(indent);
  let pending = "";
  cells.forEach((cell, column) => {
    const isLast = column === widths.length - 1;
    const text = isLast ? cut(texts[column] ?? "", room) : (texts[column] ?? "");
    // Padding is put down only once something follows it.
    if (text !== "") {
      painted += pending + (typeof cell === "string" ? text : paint(cell.tone, text));
      pending = "";
    }
    pending += " ".repeat((widths[column] ?? 0) - text.length) + GAP;
  });
  return painted.trimEnd();
}

function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 3).trimEnd()}...`;
}
