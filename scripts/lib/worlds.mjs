// Tries the planner on random worlds in a process of its own: bundled, because a test runner makes them twice as slow.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { cleanEnvironment, ROOT } from "./process.mjs";

/** The heap it may have, in megabytes: a leak ends the run. */
const HEAP = 192;

/**
 * What came of the worlds: how many plans were judged, the most calls and passes for each worker and slot that a quiet
 * world took to come to rest, how often each promise was put to the test, and what broke one, the smallest world found.
 *
 * @typedef {{
 *   plans: number,
 *   worst: { calls: number, passes: number },
 *   tried: Readonly<Record<string, number>>,
 *   broken?: string,
 * }} Tried
 */

/**
 * Progress goes to our stderr. Throws when the process ends without a result.
 *
 * @param {number} worlds
 * @param {number} seed
 * @returns {Promise<Tried>}
 */
export async function tryWorlds(worlds, seed) {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-worlds-"));
  const outfile = join(folder, "worlds.mjs");
  try {
    await build({
      ...{ entryPoints: [join(ROOT, "test/core/plan/worlds/soak.ts")], outfile, bundle: true },
      ...{ platform: "node", format: "esm", target: "node20", logLevel: "warning" },
    });
    return JSON.parse(
      await outputOf([`--max-old-space-size=${HEAP}`, outfile, String(worlds), String(seed)]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<string>}
 */
function outputOf(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      env: cleanEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(said);
      else reject(new Error(`the worlds ended with ${signal ?? code}`));
    });
  });
}

/**
 * A whole number from 1 on, or the fallback where there is no text.
 *
 * @param {string | undefined} text
 * @param {number} fallback
 */
export function wholeNumber(text, fallback) {
  const number = text === undefined ? fallback : Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${text} is no whole number`);
  return number;
}
