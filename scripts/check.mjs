// npm test: installs, checks types, lint and walls, builds, runs every test, and counts. Needs only Node, npm and apt.
// Its last line is `N passed, N failed`, where a failed step counts as one failure.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineIsPossible } from "./lib/ensure-engine.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { cleanEnvironment, ROOT, runBeside } from "./lib/process.mjs";
import { addCounts, countResults } from "./lib/test-counts.mjs";

/** @typedef {import("./lib/test-counts.mjs").Counts} Counts */
/** @typedef {{ name: string, program: string, args: readonly string[] }} Step */

/** None needs another. */
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
  announce(STEPS.map(({ name }) => name).join(", "));
  const results = await Promise.all(STEPS.map(succeeds));
  return results.filter((succeeded) => !succeeded).length;
}

/** @param {Step} step */
async function succeeds({ name, program, args }) {
  const code = await runBeside(program, args, { env: cleanEnvironment() });
  process.stdout.write(code === 0 ? `${name}: ok\n` : `${name}: FAILED with exit code ${code}\n`);
  return code === 0;
}

/**
 * Both kinds at the same time: those on an engine mostly wait, and the others compute.
 *
 * @returns {Promise<Counts>}
 */
async function runTests() {
  announce("tests");
  const projects = await chooseProjects();
  return addCounts(await Promise.all(projects.map(runProject)));
}

/**
 * @param {string} project
 * @returns {Promise<Counts>}
 */
async function runProject(project) {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-check-"));
  const results = join(folder, "results.json");
  const reports = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const code = await runBeside(
    join(ROOT, "node_modules/.bin/vitest"),
    ["run", "--project", project, ...reports],
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

/** As vitest's `--project` has them: all, unless a person's machine has no engine. In CI a missing engine is a failure, so nothing is left out. */
async function chooseProjects() {
  if (process.env["CI"] || (await engineIsPossible())) return ["unit", "!unit"];
  process.stdout.write(
    "NOTE: no engine can be started or reached here, so the tests on a real engine are left out.\n" +
      "Run as root on Debian, or set DOCKER_HOST.\n",
  );
  return ["unit"];
}

// An exit takes with it what still runs, and the engines with that; without these lines a signal would not be one.
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }))
  process.once(signal, () => process.exit(128 + number));

await ensureInstalled();
const failedSteps = await countFailedSteps();
const { passed, failed, skipped } = await runTests();
if (skipped > 0) process.stdout.write(`\n${skipped} skipped\n`);
process.stdout.write(`\n${passed} passed, ${failed + failedSteps} failed\n`);
process.exitCode = failed + failedSteps > 0 ? 1 : 0;
