// Where a private engine lives on disk and what it leaves behind when it is killed. Starts and stops nothing.

import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/**
 * @typedef {object} EngineState What is written to `engine.json` in the engine's folder.
 * @property {string} folder
 * @property {string} host       Value for DOCKER_HOST.
 * @property {number} holder     Pid of `unshare`; killing it ends everything.
 * @property {number} init       Pid of the first process in the namespaces.
 * @property {number} launcher   Pid of `nsenter`, the parent of dockerd.
 * @property {number} daemon     Pid of dockerd.
 */

const PREFIX = "wgctl-engine-";

// A socket's path is limited to 107 bytes, and containerd adds some thirty of its own.
const base = () => (tmpdir().length > 40 ? "/tmp" : tmpdir());

/** @param {string} name */
export const engineFolder = (name) => join(base(), `${PREFIX}${name}`);

/** @param {string} folder */
export const cgroupOf = (folder) => `/${basename(folder)}`;

/** Removes what engines left behind whose processes are gone. */
export async function sweepDeadEngines() {
  const names = (await readdir(base())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const state = await readState(join(base(), name));
    if (state !== undefined && !(await isOurs(state))) await removeTraces(join(base(), name));
  }
}

/**
 * @param {string} folder
 * @returns {Promise<EngineState | undefined>}
 */
export async function readState(folder) {
  try {
    return JSON.parse(await readFile(join(folder, "engine.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * A pid may have been given to a stranger meanwhile, so the command line must name the folder.
 *
 * @param {EngineState} state
 */
export async function isOurs(state) {
  try {
    return (await readFile(`/proc/${state.holder}/cmdline`, "utf8")).includes(state.folder);
  } catch {
    return false;
  }
}

/** @param {string} folder */
export async function removeTraces(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const controllers = await readdir("/sys/fs/cgroup").catch(() => []);
  for (const parent of ["", ...controllers])
    await removeCgroup(join("/sys/fs/cgroup", parent, cgroupOf(folder)));
}

/**
 * A cgroup goes by rmdir alone, leaves first.
 *
 * @param {string} folder
 */
async function removeCgroup(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isDirectory()) await removeCgroup(join(folder, entry.name));
  await rmdir(folder).catch(() => undefined);
}
