// npm run test:mutation: breaks named decisions one by one in a copy of the sources and expects a red test for each.
// usage: node scripts/mutate.mjs [--write] [part of a name ...]; --write puts the table into docs/reliability.md.

import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, ROOT } from "./lib/process.mjs";
import { MUTATIONS } from "./mutations.mjs";

/** @typedef {import("./mutations.mjs").Mutation} Mutation */
/** @typedef {{ mutation: Mutation, verdict: "caught" | "SURVIVED" | "broken", by: string }} Judged */

const COPIED = [
  "src",
  "test",
  "scripts",
  "fixtures",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
];
const PAGE = join(ROOT, "docs/reliability.md");
const BEGIN = "<!-- mutations: written by npm run test:mutation -- --write -->";
const END = "<!-- end of mutations -->";

/** A copy of the sources that may be broken. */
async function makeRoom() {
  const room = await mkdtemp(join(tmpdir(), "wgctl-mutation-"));
  for (const name of COPIED) await cp(join(ROOT, name), join(room, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(room, "node_modules"));
  return room;
}

/**
 * The text of a mutation's file with that one decision changed.
 *
 * @param {Mutation} mutation
 */
async function mutated({ name, file, from, to }) {
  const text = await readFile(join(ROOT, file), "utf8");
  const pieces = text.split(from);
  if (pieces.length !== 2)
    throw new Error(`"${name}": its text stands ${pieces.length - 1} times in ${file}, not once`);
  return pieces.join(to);
}

/**
 * Runs the tests of a mutation in a room where it has been made.
 *
 * @param {string} room
 * @param {Mutation} mutation
 * @returns {Promise<Judged>}
 */
async function judge(room, mutation) {
  const path = join(room, mutation.file);
  await writeFile(path, await mutated(mutation));
  try {
    const report = join(room, "report.json");
    await rm(report, { force: true });
    await runTests(room, mutation.tests, report);
    return { mutation, ...verdictOf(JSON.parse(await readFile(report, "utf8"))) };
  } finally {
    await cp(join(ROOT, mutation.file), path);
  }
}

/**
 * @param {string} room
 * @param {readonly string[]} tests
 * @param {string} report
 * @returns {Promise<void>}
 */
function runTests(room, tests, report) {
  const vitest = join(room, "node_modules/vitest/vitest.mjs");
  const args = ["run", "--project", "unit", "--bail", "1", "--reporter", "json"];
  const child = spawn(process.execPath, [vitest, ...args, "--outputFile", report, ...tests], {
    cwd: room,
    env: cleanEnvironment({ WGCTL_WORLDS: "600", VITEST_MAX_WORKERS: "1" }),
    stdio: "ignore",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

/**
 * Red must come from a test that failed, not from code that no longer loads.
 *
 * @param {{ numTotalTests: number, numFailedTests: number, testResults: { assertionResults: { status: string, fullName: string }[] }[] }} report
 * @returns {Pick<Judged, "verdict" | "by">}
 */
function verdictOf({ numTotalTests, numFailedTests, testResults }) {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === "failed");
  if (failed !== undefined) return { verdict: "caught", by: failed.fullName };
  if (numTotalTests === 0 || numFailedTests > 0) return { verdict: "broken", by: "no test ran" };
  return { verdict: "SURVIVED", by: "" };
}

/** @param {readonly Judged[]} all */
function table(all) {
  const rows = all.map(({ mutation: { name, file }, verdict, by }) => {
    const where = file.replace(/^src\//, "");
    return `| ${name} | \`${where}\` | ${verdict === "caught" ? by.replaceAll("|", "\\|") : `**${verdict}**`} |`;
  });
  return ["| decision that is broken | in | caught by |", "|---|---|---|", ...rows].join("\n");
}

/** @param {string} text */
async function writeTable(text) {
  const page = await readFile(PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`${PAGE} lacks the marks ${BEGIN} and ${END}`);
  await writeFile(PAGE, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`);
}

/** @param {readonly string[]} args */
async function main(args) {
  const words = args.filter((arg) => arg !== "--write");
  const chosen = MUTATIONS.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  for (const mutation of chosen) await mutated(mutation); // a list that has rotted says so before anything runs
  /** @type {Map<Mutation, Judged>} */
  const judged = new Map();
  const queue = [...chosen];
  const work = async () => {
    const room = await makeRoom();
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const one = await judge(room, next);
        judged.set(next, one);
        process.stderr.write(`${one.verdict.padEnd(8)}  ${next.name}\n`);
      }
    } finally {
      await rm(room, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  const all = chosen.flatMap((mutation) => judged.get(mutation) ?? []);
  const caught = all.filter(({ verdict }) => verdict === "caught").length;
  const text = table(all);
  process.stdout.write(`${text}\n\n${caught} of ${all.length} caught\n`);
  if (args.includes("--write")) await writeTable(`${text}\n\n${caught} of ${all.length} caught.`);
  return caught === all.length;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
