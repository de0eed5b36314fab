// Files of variables with the format raw, held against what Compose does.

import { expect, test } from "vitest";
import compose from "../../fixtures/compose/raw-env-file.json" with { type: "json" };
import { parseRawEnvFile } from "../../src/config/raw-env.ts";
import { revealTemplate } from "../../src/core/seal.ts";
import { folderWith, loadIn, manifest } from "./manifests.ts";

/** The variables of the run. */
const outside: Readonly<Record<string, string>> = { A: "a", EMPTY: "" };

for (const [text, values] of compose.values)
  test(`${JSON.stringify(text)} is read as Compose reads it`, () => {
    const { faults, values: read } = parseRawEnvFile(String(text));
    const joined = [...read].map(([name, value]) => [name, value ?? outside[name]]);
    expect(faults).toEqual([]);
    expect(Object.fromEntries(joined)).toEqual(values);
  });

test.each(compose.refused)("%j is refused", (text) => {
  expect(parseRawEnvFile(text).faults).toHaveLength(1);
});

test("a fault names its line and no value, and what is right is read", () => {
  const { faults, values } = parseRawEnvFile("A=1\nsecret key=secret\n\n=secret\nB='2'\n");
  expect(faults).toMatchObject([{ line: 2 }, { line: 4 }]);
  expect(JSON.stringify(faults)).not.toContain("secret");
  expect([...values]).toEqual([
    ["A", "1"],
    ["B", "'2'"],
  ]);
});

async function environmentOf(files: string) {
  const cwd = folderWith({
    "a.yaml": manifest(`env_file: ${files}`),
    "raw.env": "A='$OUT'\nOUT\n",
    "plain.env": "B='x'\nA=$OUT\n",
    ".env": "OUT=o\n",
  });
  const { groups, problems } = await loadIn(cwd);
  const [group] = groups;
  if (group?.kind !== "valid") return { problems };
  return { environment: revealTemplate(group.spec.template, group.secrets).environment, group };
}

test("the format counts for its own file only, and the later file wins", async () => {
  const raw = "{path: raw.env, format: raw}";
  const one = await environmentOf(`[plain.env, ${raw}]`);
  expect(one.environment).toEqual({ A: "'$OUT'", B: "x", OUT: "o" });
  expect(JSON.stringify(one.group)).not.toContain("'$OUT'");
  expect((await environmentOf(`[${raw}, plain.env]`)).environment).toMatchObject({ A: "o" });
});

test("a raw file is not read as another", async () => {
  const { problems } = await environmentOf("[{path: raw.env, format: dotenv}]");
  expect(problems).toMatchObject([
    { path: "spec.template.env_file[0].format", message: '"dotenv" is not known here' },
  ]);
});
