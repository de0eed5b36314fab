// The page of all Compose keys says what the code does.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treatments } from "../../src/config/import/treatments.ts";
import { composePage, serviceKeys } from "./compose-page.ts";

const PAGE = join(import.meta.dirname, "../../docs/compose.md");

test("the page of Compose keys is what the code says", () => {
  const page = composePage();
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, "utf8")).toBe(page);
});

test("it has a row for each key of a service", () => {
  const page = readFileSync(PAGE, "utf8");
  const missing = serviceKeys.filter((key) => !page.includes(`\n| \`${key}\` | `));
  expect(missing).toEqual([]);
});

test("what an import does to a key stands on it", () => {
  const page = readFileSync(PAGE, "utf8");
  const missing = Object.keys(treatments).filter((key) => !page.includes(`\n| \`${key}\` | `));
  expect(missing).toEqual([]);
});
