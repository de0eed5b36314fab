// A private engine by hand: node scripts/engine.mjs start|stop|env|ensure [NAME]. Root only; prints shell variables.

import { ensureEngine } from "./lib/ensure-engine.mjs";
import { findPrivateEngine, stopPrivateEngine } from "./lib/private-engine.mjs";

const USAGE = `usage: node scripts/engine.mjs COMMAND [NAME]

  start   start a private engine called NAME ("hand" unless given), installing what is missing
  ensure  the same, but content with one that runs already
  env     print DOCKER_HOST for it, to be read by eval
  stop    stop it and remove everything it held
`;

/** @typedef {import("./lib/private-engine.mjs").EngineState} EngineState */

/** @param {EngineState} state */
function printVariables(state) {
  process.stdout.write(`export DOCKER_HOST=${state.host}\n`);
  process.stdout.write(`export WGCTL_ENGINE_NETNS=/proc/${state.init}/ns/net\n`);
}

/** @param {string} name */
async function start(name) {
  const running = await findPrivateEngine(name);
  if (running !== undefined)
    throw new Error(`an engine called ${name} runs already: ${running.host}`);
  if (process.getuid?.() !== 0) throw new Error("only root can start a private engine");
  const { state, host } = await ensureEngine({
    agree: async () => true,
    name,
    dieWithParent: false,
  });
  if (state === undefined) throw new Error(`no private engine here; ${host} can be used instead`);
  printVariables(state);
}

/** @param {string} name */
async function find(name) {
  const state = await findPrivateEngine(name);
  if (state === undefined) throw new Error(`no engine called ${name} runs`);
  return state;
}

/** @type {Record<string, (name: string) => Promise<void>>} */
const COMMANDS = {
  start,
  ensure: async (name) => {
    const running = await findPrivateEngine(name);
    return running === undefined ? start(name) : printVariables(running);
  },
  env: async (name) => printVariables(await find(name)),
  stop: async (name) => stopPrivateEngine(await find(name)),
};

const [verb = "", name = "hand"] = process.argv.slice(2);
const command = COMMANDS[verb];
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 3;
} else {
  await command(name).catch((error) => {
    process.stderr.write(`engine: ${error.message}\n`);
    process.exitCode = 1;
  });
}
