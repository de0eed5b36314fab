// Records how docker compose itself reads the files in fixtures/compose/merging, for imports to be compared with.
// usage: node scripts/record-merging.mjs [--check]   --check writes nothing and fails where the recorded differ. No engine.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./lib/process.mjs";

const FOLDER = join(ROOT, "fixtures/compose/merging");
/** What stands in a recording for the folder above that of the files, and the home folder. */
const PLACES = { above: "/srv/compose", home: "/home/somebody" };

/**
 * The whole file as Compose has it once everything in it is merged, with no variable from outside.
 *
 * @param {string} program
 * @param {string} file
 */
function recordingOf(program, file) {
  const args = ["--file", file, "--profile", "*", "config", "--format", "json"];
  const env = { HOME: PLACES.home, PATH: process.env["PATH"] };
  const text = execFileSync(program, args, { cwd: FOLDER, env, encoding: "utf8" });
  return `${text.replaceAll(dirname(FOLDER), PLACES.above).trimEnd()}\n`;
}

/** @param {boolean} onlyChecks */
function main(onlyChecks) {
  const program = execFileSync(join(ROOT, "scripts/fetch-compose.sh"), { encoding: "utf8" }).trim();
  let differing = 0;
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"))) {
    const recorded = join(FOLDER, file.replace(/\.yaml$/, ".json"));
    const text = recordingOf(program, file);
    const isSame = existsSync(recorded) && readFileSync(recorded, "utf8") === text;
    if (!isSame) differing += 1;
    if (!isSame && !onlyChecks) writeFileSync(recorded, text);
    process.stdout.write(`${isSame ? "same" : onlyChecks ? "DIFFERS" : "written"}  ${file}\n`);
  }
  if (onlyChecks && differing > 0)
    throw new Error(`${differing} recordings are of another compose`);
}

try {
  main(process.argv.includes("--check"));
} catch (error) {
  process.stderr.write(`record-merging: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
