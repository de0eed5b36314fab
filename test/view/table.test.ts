import { expect, test } from "vitest";
import { createPaint } from "../../src/view/style.ts";
import { renderTable } from "../../src/view/table.ts";

const paint = createPaint(false);

test("columns are as wide as their widest cell, and no line ends in blanks", () => {
  const rows = [["NAME", "STATE", "WHY"], ["mailer", "", ""], ["x", "Ready", "because"], ["y"]];
  expect(renderTable(rows, { paint, indent: 2 })).toEqual([
    "  NAME    STATE  WHY",
    "  mailer",
    "  x       Ready  because",
    "  y",
  ]);
});

test("colour does not shift columns", () => {
  const rows = [
    [{ text: "a", tone: "add" as const }, "b"],
    ["long", "c"],
  ];
  expect(renderTable(rows, { paint: createPaint(true) })).toEqual([
    "\u001b[32ma\u001b[39m     b",
    "long  c",
  ]);
});

test("no rows are no lines", () => {
  expect(renderTable([], { paint })).toEqual([]);
});

test.each([
  [undefined, "name  a rather long message"],
  [26, "name  a rather long mes..."],
  [27, "name  a rather long message"],
  [18, "name  a rather..."],
  [10, "name  a rather long message"],
])("width %s", (width, line) => {
  expect(renderTable([["name", "a rather long message"]], { paint, width })).toEqual([line]);
});
