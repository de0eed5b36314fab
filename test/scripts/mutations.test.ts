// The list of mutations must not rot: each names a text that stands once in its file, and tests that are there.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/process.mjs";
import { MUTATIONS } from "../../scripts/mutations.mjs";

it.each(MUTATIONS.map((each) => [each.name, each] as const))(
  "%s",
  (_, { file, from, to, tests }) => {
    const times = readFileSync(join(ROOT, file), "utf8").split(from).length - 1;
    expect(`${file}: ${times}`).toBe(`${file}: 1`);
    expect(to).not.toBe(from);
    expect(tests.filter((test) => !existsSync(join(ROOT, test)))).toEqual([]);
  },
);

it("names each once, and at least a hundred", () => {
  const names = MUTATIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(100);
});
