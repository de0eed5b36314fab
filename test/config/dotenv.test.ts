// Files of variables held against what Compose does.

import { expect, test } from "vitest";
import compose from "../../fixtures/compose/env-file.json" with { type: "json" };
import { parseEnvFile } from "../../src/config/dotenv.ts";

const variables = new Map([
  ["A", "a"],
  ["EMPTY", ""],
]);
const parse = (text: string) => parseEnvFile(text, (name) => variables.get(name));

for (const [text, values] of compose.values)
  test(`${JSON.stringify(text)} is read as Compose reads it`, () => {
    const { faults, values: read } = parse(String(text));
    expect(faults).toEqual([]);
    expect(Object.fromEntries(read)).toEqual(values);
  });

for (const [text, names] of compose.bare)
  test(`${JSON.stringify(text)} names a variable without a value`, () => {
    const { faults, values } = parse(String(text));
    const bare = [...values].flatMap(([name, value]) => (value === undefined ? [name] : []));
    expect(faults).toEqual([]);
    expect(bare).toEqual(names);
  });

test.each(compose.refused)("%j is refused", (text) => {
  expect(parse(text).faults).toHaveLength(1);
});

test("a fault names its line and no value", () => {
  const text = `A=1\nB="x\ny"\n\nC='secret' more-secret\nD=\${UNSET}\nsecret key=1\n`;
  const { faults } = parse(text);
  expect(faults).toMatchObject([
    { line: 5, message: "something stands after the closing quote" },
    { line: 6, message: "the variable UNSET is not set" },
    { line: 7, message: "not the name of a variable before the =" },
  ]);
  expect(JSON.stringify(faults)).not.toContain("secret");
});

test("after a wrong line the next ones are read", () => {
  expect([...parse("a b=1\nC=2").values]).toEqual([["C", "2"]]);
});
