// Places and frames, where lines end in every way and are longer than a screen.

import { expect, test } from "vitest";
import { frameAt, makeSource, placeAt } from "../../src/config/source.ts";

function frameOf(text: string, part: string): string {
  const start = text.indexOf(part);
  return frameAt(makeSource("a.yaml", text), { start, end: start + part.length });
}

test.each([
  ["first", 1, 1],
  ["b", 2, 1],
  ["c", 2, 4],
  ["d", 4, 1],
])("%s stands at %i:%i", (part, line, column) => {
  const text = "first\nb: c\r\n\nd";
  const place = placeAt(makeSource("a.yaml", text), text.lastIndexOf(part));
  expect(place).toEqual({ file: "a.yaml", line, column });
});

test("a frame is a line between its neighbours", () => {
  expect(frameOf("a: 1\nb: 22\nc: 3\n", "22")).toBe(
    "  1 | a: 1\n> 2 | b: 22\n    |    ^^\n  3 | c: 3",
  );
});

test("a span over several lines is marked in its first", () => {
  expect(frameOf("a: |\n  b\n  c\n", "|\n  b\n  c")).toBe("> 1 | a: |\n    |    ^\n  2 |   b");
});

test("control characters do not reach the terminal", () => {
  expect(frameOf("a: \u001b[31mred\tx\r\n", "red")).toBe("> 1 | a:  [31mred x\n    |         ^^^");
});

test("a long line is shown around the place", () => {
  const frame = frameOf(`${"x".repeat(500)}HERE${"y".repeat(500)}`, "HERE");
  const [line = "", caret = ""] = frame.split("\n");
  expect(line.length).toBeLessThan(120);
  expect(line.indexOf("HERE")).toBe(caret.indexOf("^^^^"));
});

test("numbers of lines are aligned", () => {
  const text = Array.from({ length: 12 }, (_, index) => `k${index}: v`).join("\n");
  expect(frameOf(text, "k8")).toBe("   8 | k7: v\n>  9 | k8: v\n     | ^^\n  10 | k9: v");
});
