// Every sample is imported as the golden files say, and what comes of it is valid. UPDATE_GOLDEN=1 writes them anew.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSource } from "../../../src/config/files.ts";
import { type ImportResult, importCompose } from "../../../src/config/import/import.ts";
import { renderImport } from "../../../src/view/import-text.ts";
import { createPaint } from "../../../src/view/style.ts";
import { loadIn } from "../manifests.ts";
import { problemsText } from "../problem-text.ts";

const fixtures = join(import.meta.dirname, "../../../fixtures/compose");
const folder = join(fixtures, "samples");
const samples = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

function importSample(sample: string): ImportResult {
  let made = 0;
  return importCompose({
    path: join(folder, sample),
    services: [],
    images: {},
    projectName: undefined,
    shellProjectName: undefined,
    folder,
    cwd: folder,
    grouped: true,
    schema: undefined,
    makeUid: () => {
      made += 1;
      return `01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a0${made}`;
    },
    read: (path) => readSource(path, folder),
    exists: existsSync,
  });
}

const textOf = ({ groups }: ImportResult) => groups.map(({ text }) => text).join("---\n");

test("there are samples", () => {
  expect(samples.length).toBeGreaterThan(7);
});

test.each(samples)("%s is imported as its golden files say", (sample) => {
  const result = importSample(sample);
  const name = sample.replace(/\.yaml$/, "");
  const report = problemsText(result.problems) + renderImport(result, createPaint(false));
  for (const [path, text] of [
    [join(fixtures, "imported", `${name}.yaml`), textOf(result)],
    [join(fixtures, "imported", `${name}.txt`), report],
  ] as const) {
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, text);
    expect(text).toBe(readFileSync(path, "utf8"));
  }
});

test.each(samples)("what comes of %s is valid", async (sample) => {
  const { groups, problems } = await loadIn(folder, {
    files: ["-"],
    readStdin: async () => textOf(importSample(sample)),
    variables: {
      envFiles: ["samples.env"],
      shell: { SECRET_KEY: "k", MAIL_HOST: "mail" },
      names: ["SECRET_KEY", "MAIL_HOST"],
    },
  });
  expect(problemsText(problems)).toBe("");
  expect(groups.length).toBeGreaterThan(0);
});
