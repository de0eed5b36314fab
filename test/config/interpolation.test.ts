// Interpolation held against what Compose does. Only over a variable that is not set we fail where it warns.

import { expect, test } from "vitest";
import compose from "../../fixtures/compose/interpolation.json" with { type: "json" };
import { interpolate } from "../../src/config/interpolation.ts";

const variables = new Map([
  ["A", "a"],
  ["EMPTY", ""],
  ["NUM", "5"],
  ["DOLLAR", "x$A"],
]);
const fill = (text: string) => interpolate(text, (name) => variables.get(name));

test.each(compose.filled)("%j becomes %j", (text = "", filled) => {
  expect(fill(text)).toMatchObject({ text: filled, faults: [] });
});

test.each(compose.syntax)("%j is no variable", (text) => {
  expect(fill(text).faults).toMatchObject([{ kind: "syntax" }]);
});

test.each(compose.unset)("%j is not set", (text) => {
  expect(fill(text).faults).toMatchObject([{ kind: "unset" }]);
});

// Compose fills in what it then does not use, and fails over it; a shell does not, and neither do we.
test.each([
  [`\${A:-\${UN:?inner}}`, "a"],
  [`\${UN:+\${UN2:?boom}}`, ""],
  [`\${A:-$UN}`, "a"],
])("%j needs nothing of what it does not use", (text, filled) => {
  expect(fill(text)).toMatchObject({ text: filled, faults: [] });
});

test("the syntax of what is not used counts all the same", () => {
  expect(fill(`\${A:-\${1}}`).faults).toMatchObject([{ kind: "syntax", piece: `\${1}` }]);
});

test("a required variable's reason is not filled in, so that it shows no value", () => {
  const text = `\${UN:?ask $A}`;
  expect(fill(text).faults).toEqual([
    { piece: text, kind: "unset", message: "the variable UN is required: ask $A" },
  ]);
});

test("a text with a variable is known as one, and two dollars are none", () => {
  expect(fill("a$$b").hasVariables).toBe(false);
  expect(fill(`a\${UN:-b}`).hasVariables).toBe(true);
});
