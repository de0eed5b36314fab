// Every broken manifest of fixtures/broken with everything that is said of it. UPDATE_GOLDEN=1 writes the texts anew.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/config/load.ts";
import { problemsText } from "./problem-text.ts";

const folder = join(import.meta.dirname, "../../fixtures/broken");
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.slice(0, -".yaml".length));

test.each(names)("%s", async (name) => {
  const loaded = await load({
    files: [join(folder, `${name}.yaml`)],
    project: undefined,
    cwd: folder,
    readStdin: async () => "",
  });
  const groups = loaded.groups.map(({ kind, identity }) => `${identity.name} is ${kind}`);
  const end = loaded.complete ? groups.join(", ") : "the run stops";
  const text = `${problemsText(loaded.problems)}\n=> ${end}\n`;
  const golden = join(folder, `${name}.expected.txt`);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
  expect(text).toBe(readFileSync(golden, "utf8"));
  expect(loaded.problems).not.toEqual([]);
});
