// The groups of fixtures/groups are there to be run by hand, so they must be valid.

import { join } from "node:path";
import { expect, test } from "vitest";
import { loadIn } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

test("every group of fixtures/groups is valid", async () => {
  const folder = join(import.meta.dirname, "../../fixtures/groups");
  const { problems, groups, complete } = await loadIn(folder);
  expect(problemsText(problems)).toBe("");
  expect(complete).toBe(true);
  expect(groups.map(({ kind, identity }) => `${identity.name} ${kind}`)).toEqual([
    "browsers valid",
    "crawlers valid",
    "mailer valid",
  ]);
});
