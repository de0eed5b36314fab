// npm run demo: shows wgctl at work on a real engine and cleans up after itself. Needs only Node, npm and apt.
// usage: node scripts/demo.mjs [--yes]; --yes agrees to installing Debian's docker.io where it is missing.

import { createInterface } from "node:readline/promises";
import { IMAGES, perform } from "./demo/show.mjs";
import { Stage } from "./demo/stage.mjs";
import { ensureEngine } from "./lib/ensure-engine.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { cleanEnvironment, runShown } from "./lib/process.mjs";
import { loadWorkerImage } from "./lib/worker-image.mjs";

const isAgreed = process.argv.includes("--yes");

/**
 * Asks on a terminal; elsewhere nobody could answer, and whoever started us as root wanted the demo.
 *
 * @param {string} command
 */
async function agree(command) {
  if (isAgreed || !process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`There is no engine here. Run \`${command}\`? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** @param {AbortSignal} signal */
async function prepare(signal) {
  await ensureInstalled();
  const code = await runShown(process.execPath, ["scripts/build.mjs"], { env: cleanEnvironment() });
  if (code !== 0) throw new Error("the build failed");
  signal.throwIfAborted();
  const engine = await ensureEngine({ agree });
  process.stdout.write(`engine: ${engine.host}${engine.state ? " (a private one)" : ""}\n`);
  return engine;
}

/** @param {AbortSignal} signal */
async function demo(signal) {
  const started = performance.now();
  const engine = await prepare(signal);
  const stage = new Stage(engine.host, signal);
  try {
    for (const image of IMAGES) await loadWorkerImage(engine.host, image);
    await perform(stage);
  } finally {
    await stage.clear(IMAGES).finally(engine.stop);
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write(
    `\nAll of it happened and was checked, in ${seconds} s. Nothing is left behind.\n`,
  );
}

const stopped = new AbortController();
for (const [signal, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
]))
  process.on(signal, () => stopped.abort(code));

try {
  await demo(stopped.signal);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    stopped.signal.aborted ? "\ndemo: stopped, cleaned up\n" : `\ndemo: ${why}\n`,
  );
  process.exitCode = stopped.signal.aborted ? stopped.signal.reason : 1;
}
