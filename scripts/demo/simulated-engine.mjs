// The demo where no engine can be had: wgctl's simulated one, whose world is a JSON file that can be read and edited.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WORKERS } from "./story.mjs";

/** @typedef {{ id: string, name: string, labels: Record<string, string>, state: { kind: string } }} Container */
/** @typedef {{ events: number, names: Record<string, string>, containers: Record<string, Container> }} World */

const STATE_FOLDER = ".wgctl/simulated";
/** @type {World} */
const EMPTY = { events: 0, names: {}, containers: {} };

/**
 * @param {string} home  The project's folder.
 * @returns {import("./story.mjs").DemoEngine}
 */
export function simulatedEngine(home) {
  const file = join(home, STATE_FOLDER, "world.json");
  return {
    name: "simulated, in virtual time",
    environment: { WGCTL_ENGINE: "simulated" },
    stateFolder: STATE_FOLDER,
    lookEveryMs: 1,
    prepare: async () => undefined,
    workers: async () => listWorkers(await readWorld(file)),
    history: {
      now: async () => String((await readWorld(file)).events),
      isQuietSince: async (since) => String((await readWorld(file)).events) === since,
    },
    removal: (name) => ({
      remark: `${name} was taken out of ${STATE_FOLDER}/world.json`,
      remove: () => removeFrom(file, name),
    }),
    prepareFailure: (command) => script(file, command),
    clear: async () => undefined,
  };
}

/**
 * Each version of the file is whole, so it can be read at any moment; before the first there is nothing.
 *
 * @param {string} file
 * @returns {Promise<World>}
 */
async function readWorld(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? EMPTY : JSON.parse(text);
}

/** @param {World} world */
function listWorkers({ containers }) {
  const [key = "", value] = WORKERS.split("=");
  return Object.values(containers)
    .filter(({ labels }) => labels[key] === value)
    .map(({ id, name, state }) => ({ id, name, state: state.kind }));
}

/**
 * Has workers with a command end with code 3, a second after their start.
 *
 * @param {string} file
 * @param {string} command
 */
async function script(file, command) {
  const world = await readWorld(file);
  const life = { match: { command }, end: { after: 1, code: 3 }, log: ["cannot go on"] };
  await writeFile(file, JSON.stringify({ ...world, lives: [life] }));
}

/**
 * @param {string} file
 * @param {string} name
 */
async function removeFrom(file, name) {
  const world = await readWorld(file);
  const id = world.names[name];
  if (id === undefined) throw new Error(`there is no ${name} in the world`);
  delete world.names[name];
  delete world.containers[id];
  await writeFile(file, JSON.stringify(world));
}
