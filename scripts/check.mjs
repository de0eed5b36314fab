// npm test: installs, checks types, lint and walls, builds, runs every test, and counts. Needs only Node, npm and apt.
// Its last line is `N passed, N failed`, where a failed step counts as one failure.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineIsPossible } from "./lib/ensure-engine.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { cleanEnvironment, ROOT, runShown } from "./lib/process.mjs";
import { countResults } from "./lib/test-counts.mjs";

/** @typedef {import("./lib/test-counts.mjs").Counts} Counts */

const STEPS = [
  { name: "types", program: "node_modules/.bin/tsc", args: [] },
  {
    name: "lint and walls",
    program: "node_modules/.bin/biome",
    args: ["check", "--error-on-warnings", "src", "test", "scripts", "bin"],
  },
  { name: "build", program: process.execPath, args: ["scripts/build.mjs"] },
];

/** @param {string} name */
const announce = (name) => process.stdout.write(`\n== ${name}\n`);

async function countFailedSteps() {
  let failed = 0;
  for (const { name, program, args } of STEPS) {
    announce(name);
    const code = await runShown(program, args, { env: cleanEnvironment() });
    if (code !== 0) failed += 1;
    process.stdout.write(code === 0 ? `${name}: ok\n` : `${name}: FAILED with exit code ${code}\n`);
  }
  return failed;
}

/** @returns {Promise<Counts>} */
async function runTests() {
  announce("tests");
  const folder = mkdtempSync(join(tmpdir(), "wgctl-check-"));
  const results = join(folder, "results.json");
  const vitest = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const code = await runShown(
    join(ROOT, "node_modules/.bin/vitest"),
    [...vitest, ...(await chooseProjects())],
    { env: cleanEnvironment() },
  );
  try {
    return countResults(JSON.parse(readFileSync(results, "utf8")), code);
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All projects, unless a person's machine has no engine. In CI a missing engine is a failure, so nothing is left out. */
async function chooseProjects() {
  if (process.env["CI"] || (await engineIsPossible())) return [];
  process.stdout.write(
    "NOTE: no engine can be started or reached here, so the tests on a real engine are left out.\n" +
      "Run as root on Debian, or set DOCKER_HOST.\n",
  );
  return ["--project", "unit"];
}

await ensureInstalled();
const failedSteps = await countFailedSteps();
const { passed, failed, skipped } = await runTests();
if (skipped > 0) process.stdout.write(`\n${skipped} skipped\n`);
process.stdout.write(`\n${passed} passed, ${failed + failedSteps} failed\n`);
process.exitCode = failed + failedSteps > 0 ? 1 : 0;
