// Whatever the compose file, importing answers: it never throws, every problem has a place, and what it makes of a
// service is a valid manifest. WGCTL_FUZZ_SEED and WGCTL_FUZZ_RUNS repeat or widen a run.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ImportResult } from "../../../src/config/import/import.ts";
import { treatments } from "../../../src/config/import/treatments.ts";
import { templateFieldNames } from "../../../src/config/schema/template.ts";
import { loadText } from "../manifests.ts";
import { FOLDER, importText } from "./compose.ts";

const seed = Number(process.env["WGCTL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env["WGCTL_FUZZ_RUNS"] ?? 60);
const parameters = { seed, numRuns };
console.info(`fuzz: seed ${seed}, ${numRuns} runs of each`);

const folder = join(import.meta.dirname, "../../../fixtures/compose/samples");
const samples = readdirSync(folder)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join(folder, name), "utf8"));

/** What only a run can have: variables, and files that are not in memory only. */
const OF_THE_RUN = /\bvariable\b|no such file|is required|no regular file/;

async function importsSoundly(text: string): Promise<void> {
  const services = [...text.matchAll(/^ {2}([\w-]+):/gm)].flatMap(([, name = ""]) => name);
  for (const request of [{}, { services }, { grouped: false, folder: `${FOLDER}/groups` }]) {
    const result = importText(text, request);
    for (const { place, message } of result.problems) {
      expect(message).not.toBe("");
      expect(place.line).toBeGreaterThan(0);
      expect(place.line).toBeLessThanOrEqual(text.split("\n").length);
    }
    await isValid(result);
  }
}

async function isValid({ groups }: ImportResult): Promise<void> {
  const { problems, complete, ...loaded } = await loadText(
    groups.map(({ text }) => text).join("---\n"),
  );
  const wrong = problems.filter(
    ({ severity, message }) => severity === "error" && !OF_THE_RUN.test(message),
  );
  expect(wrong).toEqual([]);
  expect(complete).toBe(true);
  expect(loaded.groups.length).toBe(groups.length);
}

/** A text with a piece of it taken out, doubled, or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(
      fc.tuple(
        fc.nat(2000),
        fc.nat(30),
        fc.oneof(fc.string(), fc.constantFrom(..."\t:-{}[]&*!|>%@`'\"#$\n?,12".split(""))),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce(
      (edited, [at, length, piece]) => edited.slice(0, at) + piece + edited.slice(at + length),
      text,
    ),
  );

test("texts near to compose files", { timeout: 300_000 }, () =>
  fc.assert(fc.asyncProperty(mutated, importsSoundly), parameters),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      ...[null, true, 0, 1, 2, "", "a", "a1", "$A", "$$", "{{.Task.Slot}}", "{{.Name}}", "1s"],
      ...["80:80", "81-82:80", "./a:/b", "v:/w", "A=1", "db", "on-failure", "start-first", "~/x"],
    ),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          ...["source", "target", "type", "test", "path", "limits", "replicas", "db", "published"],
          ...[
            "update_config",
            "restart_policy",
            "condition",
            "order",
            "aliases",
            "file",
            "service",
          ],
        ),
      ),
      tie("value"),
      { maxKeys: 3 },
    ),
  ),
}));

const names = [...templateFieldNames, ...Object.keys(treatments)].filter(
  (name) => !name.includes("."),
);

// JSON is YAML, so that any structure is a text without a printer of ours.
const structured = fc
  .record({
    fields: fc.array(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 5 }), {
      minLength: 1,
      maxLength: 3,
    }),
    top: fc.dictionary(fc.constantFrom("networks", "volumes", "secrets", "configs"), value),
  })
  .map(({ fields, top }) =>
    JSON.stringify({
      ...top,
      services: {
        ...Object.fromEntries(
          fields.map((one, index) => [`w${index + 1}`, { image: "a", ...one }]),
        ),
        db: { image: "b" },
      },
    }),
  );

test("any values in the fields of services", { timeout: 300_000 }, () =>
  fc.assert(fc.asyncProperty(structured, importsSoundly), parameters),
);

test("any text", { timeout: 300_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "binary" })), importsSoundly),
    parameters,
  ),
);
