// npm run demo: shows wgctl at work and cleans up after itself: on a real engine, or on the simulated one where none can
// be had. Needs only Node and npm, and apt for an engine of its own.
// usage: node scripts/demo.mjs [--yes] [--simulated]; --yes agrees to installing Debian's docker.io where it is missing.

import { createInterface } from "node:readline/promises";
import { chooseEngine } from "./demo/choose-engine.mjs";
import { perform } from "./demo/show.mjs";
import { Stage } from "./demo/stage.mjs";
import { ensureEngine } from "./lib/ensure-engine.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { cleanEnvironment, runShown } from "./lib/process.mjs";

const isAgreed = process.argv.includes("--yes");
const isSimulated = process.argv.includes("--simulated");

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
async function build(signal) {
  await ensureInstalled();
  const code = await runShown(process.execPath, ["scripts/build.mjs"], { env: cleanEnvironment() });
  if (code !== 0) throw new Error("the build failed");
  signal.throwIfAborted();
}

/** @param {Stage} stage */
async function raiseCurtain(stage) {
  const tell = (/** @type {string} */ text) => void process.stdout.write(text);
  const ensure = () => ensureEngine({ agree });
  const engine = await chooseEngine({ isSimulated, home: stage.home, ensure, tell });
  stage.enter(engine);
  tell(`engine: ${engine.name}\n`);
  await engine.prepare();
}

/** @param {AbortSignal} signal */
async function demo(signal) {
  const started = performance.now();
  await build(signal);
  const stage = new Stage(signal);
  try {
    await raiseCurtain(stage);
    await perform(stage);
  } finally {
    await stage.clear();
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
