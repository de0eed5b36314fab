// What an import says, as a person reads it.

import { expect, test } from "vitest";
import { renderImport } from "../../src/view/import-text.ts";
import { createPaint } from "../../src/view/style.ts";

const plain = createPaint(false);
const nothing = { groups: [], leftOut: [], words: [] };

test("groups with their notes, what is left out, and what is to be done", () => {
  const report = {
    groups: [
      { name: "worker", services: ["worker1", "worker2"], notes: ["tty: left out", "a: b"] },
      { name: "beat", services: ["beat"], notes: ["c: d"] },
    ],
    leftOut: [{ service: "db", reason: "beat waits for it" }],
    words: ["a network must be there"],
  };
  expect(renderImport(report, plain)).toBe(`worker, from the services worker1, worker2:
  - tty: left out
  - a: b
beat, from the service beat:
  - c: d
left out, --service NAME asks for them:
  - db: beat waits for it
to do:
  - a network must be there
`);
});

test("nothing where there is nothing to say", () => {
  expect(renderImport(nothing, plain)).toBe("");
  const silent = { ...nothing, groups: [{ name: "a", services: ["a"], notes: [] }] };
  expect(renderImport(silent, plain)).toBe("");
});

test("names of a file cannot steer a terminal", () => {
  const leftOut = [{ service: "d\u001b[2Jb", reason: "a\nb" }];
  expect(renderImport({ ...nothing, leftOut }, plain)).toContain("  - d?[2Jb: a b\n");
});
