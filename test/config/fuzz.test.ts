// Whatever the text, loading answers: it never throws, never hangs, and every error has its place. WGCTL_FUZZ_SEED and
// WGCTL_FUZZ_RUNS repeat or widen a run.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEnvFile } from "../../src/config/dotenv.ts";
import { readWords } from "../../src/config/forms/words.ts";
import { interpolate } from "../../src/config/interpolation.ts";
import { writeUids } from "../../src/config/uid.ts";
import { loadIn, someUid } from "./manifests.ts";

const seed = Number(process.env["WGCTL_FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const numRuns = Number(process.env["WGCTL_FUZZ_RUNS"] ?? 300);
const parameters = { seed, numRuns };
console.info(`fuzz: seed ${seed}, ${numRuns} runs of each`);

/** Longest time one text may take, on a busy machine. */
const deadline = 5000;

const fixtures = ["broken", "groups"].flatMap((folder) => {
  const path = join(import.meta.dirname, "../../fixtures", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".yaml"));
  return names.map((name) => readFileSync(join(path, name), "utf8"));
});

async function loadsSoundly(text: string): Promise<void> {
  const start = performance.now();
  const { problems, groups, complete } = await loadIn("/srv/app", {
    files: ["-"],
    readStdin: async () => text,
    advice: true,
  });
  expect(performance.now() - start).toBeLessThan(deadline);
  const lines = text.split("\n").length;
  for (const { place, message } of problems) {
    expect(message).not.toBe("");
    expect(place.line).toBeGreaterThan(0);
    expect(place.line).toBeLessThanOrEqual(lines);
    expect(place.column).toBeGreaterThan(0);
  }
  const isGood = complete && groups.every(({ kind }) => kind === "valid");
  expect(isGood).toBe(problems.every(({ severity }) => severity === "warning"));
}

/** A text with a piece of it taken out, doubled, or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom(...fixtures),
    fc.array(
      fc.tuple(
        fc.nat(2000),
        fc.nat(30),
        fc.oneof(fc.string(), fc.constantFrom(..."\t:-{}[]&*!|>%@`'\"#$\n?,".split(""))),
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

test("texts near to manifests", { timeout: 300_000 }, () =>
  fc.assert(fc.asyncProperty(mutated, loadsSoundly), parameters),
);

test("any text", { timeout: 300_000 }, () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "binary" })), loadsSoundly),
    parameters,
  ),
);

const innerNames = (
  "source target type test path limits reservations devices resources count device_ids capabilities options soft hard " +
  "nofile bind volume propagation subpath format permissions"
).split(" ");

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      0.5,
      1e21,
      "",
      "a",
      "$A",
      "{{.Task.Slot}}",
      "1s",
      "8080:80",
      "/a:/b",
      "/dev/a{{.Task.Slot}}:/dev/b:rw",
      "a.b=::1",
      "seccomp=/dev/zero",
      "0-3",
      "all",
      "__proto__",
    ),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...innerNames)), tie("value"), {
      maxKeys: 3,
    }),
  ),
}));

const fieldNames = (
  "image command entrypoint environment env_file labels volumes networks network_mode ports restart healthcheck " +
  "stop_signal stop_grace_period cpus mem_limit deploy working_dir user hostname tmpfs init logging pull_policy " +
  "platform runtime privileged cap_add security_opt group_add userns_mode ipc pid ulimits sysctls oom_score_adj dns " +
  "dns_search dns_opt extra_hosts devices gpus shm_size memswap_limit secrets configs"
).split(" ");

/** Files by names that the values of a template may happen to be. */
const declaredFiles = fc.oneof(
  value,
  fc.dictionary(
    fc.constantFrom("a", "__proto__"),
    fc.record({
      file: fc.oneof(fc.constantFrom("/dev/null", "/dev/zero", "/etc/hostname"), value),
    }),
  ),
);

// JSON is YAML, so that any structure is a text without a printer of ours.
const structured = fc
  .record({
    replicas: fc.oneof(fc.constant(2), value),
    rollout: fc.oneof(fc.constant(undefined), value),
    secrets: fc.oneof(fc.constant(undefined), declaredFiles),
    configs: fc.oneof(fc.constant(undefined), declaredFiles),
    template: fc.dictionary(fc.constantFrom(...fieldNames), value),
  })
  .map((spec) =>
    JSON.stringify({
      apiVersion: "wgctl.dev/v1",
      kind: "WorkerGroup",
      metadata: { name: "a", uid: someUid },
      spec: { ...spec, template: { image: "a", ...spec.template } },
    }),
  );

test("any values in the fields of a group", { timeout: 300_000 }, () =>
  fc.assert(fc.asyncProperty(structured, loadsSoundly), parameters),
);

test("uids are only ever added", { timeout: 300_000 }, () =>
  fc.assert(
    fc.property(mutated, (text) => {
      const result = writeUids("a.yaml", text, () => someUid);
      if (result.kind === "failed") return;
      expect(result.text.length - text.length).toBeGreaterThanOrEqual(0);
      expect(
        result.text.replaceAll(new RegExp(`(\\r?\\n *|, )?uid: ${someUid}| ${someUid}`, "g"), ""),
      ).toBe(text.replaceAll(new RegExp(`(\\r?\\n *|, )?uid: ${someUid}| ${someUid}`, "g"), ""));
    }),
    parameters,
  ),
);

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      "$",
      "{",
      "}",
      ":-",
      "-",
      "?",
      "+",
      "A",
      "\\",
      "'",
      '"',
      "#",
      " ",
      "\n",
      "=",
      "export ",
    ),
    fc.string(),
  ),
);

test("interpolation, files of variables and commands", { timeout: 300_000 }, () =>
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = parts.join("");
      interpolate(text, () => "value");
      readWords(text);
      for (const { line } of parseEnvFile(text, () => undefined).faults)
        expect(line).toBeLessThanOrEqual(text.split("\n").length);
    }),
    parameters,
  ),
);
