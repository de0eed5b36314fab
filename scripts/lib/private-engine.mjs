// A Docker engine of our own in its own network, mount and process namespaces, for tests and the demo. Root only.
// The kernel cleans up: when the namespaces' first process dies, every container and mount dies with it.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isReachable } from "./docker-api.mjs";
import {
  cgroupOf,
  engineFolder,
  isOurs,
  readState,
  removeTraces,
  sweepDeadEngines,
} from "./engine-folder.mjs";
import { isAlive, killQuietly, waitUntil } from "./process.mjs";

/** @typedef {import("./engine-folder.mjs").EngineState} EngineState */

// Docker keeps its id and containerd its sockets outside the data root, so both folders are made private too.
const INIT = `
busybox ip link set lo up || ip link set lo up
mkdir -p /etc/docker /run/containerd
mount -t tmpfs tmpfs /etc/docker && mount -t tmpfs tmpfs /run/containerd || exit 1
echo ready > "$1/ready"
while :; do sleep 1000 & wait $!; done
`;

/**
 * Starts an engine and waits until it answers. With `dieWithParent` it cannot outlive this process, however that ends.
 * Throws with the end of the engine's log when it does not come up.
 *
 * @param {{ name?: string, dieWithParent?: boolean }} [options]
 * @returns {Promise<EngineState>}
 */
export async function startPrivateEngine(options = {}) {
  await sweepDeadEngines();
  const folder = engineFolder(options.name ?? `${process.pid}-${randomBytes(3).toString("hex")}`);
  await mkdir(folder, { mode: 0o700 });
  await writeFile(join(folder, "daemon.json"), JSON.stringify(daemonSettings(folder)));
  const holder = spawnHolder(folder, options.dieWithParent ?? true);
  try {
    await waitUntil("the namespaces of a private engine", () => exists(folder, "ready"), 10_000);
    const init = await childOf(holder);
    const daemon = await startDaemon(folder, init);
    const state = { folder, host: hostOf(folder), holder, init, ...daemon };
    await writeFile(join(folder, "engine.json"), JSON.stringify(state));
    return state;
  } catch (error) {
    const log = await readLog(folder);
    killQuietly(holder, "SIGKILL");
    await removeTraces(folder);
    throw new Error(`a private engine did not start on this machine:\n${log}`, { cause: error });
  }
}

/** @param {string} folder */
function daemonSettings(folder) {
  return {
    "cgroup-parent": cgroupOf(folder),
    "exec-opts": ["native.cgroupdriver=cgroupfs"],
    "log-level": "warn",
  };
}

/** @param {string} folder */
const hostOf = (folder) => `unix://${join(folder, "docker.sock")}`;

/**
 * @param {string} folder
 * @param {boolean} dieWithParent
 */
function spawnHolder(folder, dieWithParent) {
  const unshare = [
    "unshare",
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
  ];
  const [program = "", ...args] = [
    ...(dieWithParent ? ["setpriv", "--pdeathsig", "KILL"] : []),
    ...[...unshare, "sh", "-c", INIT, "sh", folder],
  ];
  return spawnDetached(folder, program, args);
}

/**
 * @param {string} folder
 * @param {number} init
 */
async function startDaemon(folder, init) {
  await rm(join(folder, "docker.pid"), { force: true });
  const launcher = spawnDetached(folder, "nsenter", [
    ...["-t", String(init), "--net", "--mount", "--pid", "--root", "dockerd"],
    ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec")],
    ...["--pidfile", join(folder, "docker.pid"), "--config-file", join(folder, "daemon.json")],
    ...["-H", hostOf(folder)],
  ]);
  await waitUntil("a private engine to answer", async () => {
    if (!isAlive(launcher)) throw new Error("dockerd ended");
    return isReachable(hostOf(folder));
  });
  return { launcher, daemon: await childOf(launcher) };
}

/**
 * @param {string} folder
 * @param {string} program
 * @param {readonly string[]} args
 */
function spawnDetached(folder, program, args) {
  const log = openSync(join(folder, "log"), "a");
  const child = spawn(program, [...args], { detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  child.on("error", () => undefined); // no pid then, which the next line reports
  child.unref();
  if (child.pid === undefined) throw new Error(`cannot run ${program}`);
  return child.pid;
}

/**
 * Stops everything the engine runs and removes every trace of it.
 *
 * @param {EngineState} state
 */
export async function stopPrivateEngine(state) {
  if (await isOurs(state)) {
    resumePrivateEngine(state);
    killQuietly(state.holder, "SIGKILL");
    await waitUntil(
      "the private engine to end",
      () => !isAlive(state.init) && !isAlive(state.holder),
    );
  }
  await removeTraces(state.folder);
}

/**
 * Freezes the engine: it accepts connections and answers nothing. Resolves when every thread has stopped, because the
 * signal stops them one by one.
 *
 * @param {EngineState} state
 */
export async function pausePrivateEngine(state) {
  process.kill(state.daemon, "SIGSTOP");
  await waitUntil("dockerd to stop", () => isStopped(state.daemon), 10_000);
}

/** @param {number} pid */
async function isStopped(pid) {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => "")),
  );
  // The state follows the name, which is in parentheses and may hold anything.
  return states.every((text) => text === "" || /^T /.test(text.slice(text.lastIndexOf(")") + 2)));
}

/**
 * Ends a pause; harmless without one. `nsenter` stops itself along with its child and must go on too, to collect it.
 *
 * @param {EngineState} state
 */
export function resumePrivateEngine(state) {
  killQuietly(state.launcher, "SIGCONT");
  killQuietly(state.daemon, "SIGCONT");
}

/**
 * Ends the daemon as a service manager would (its containers stop) and leaves it down until `restartPrivateEngine`.
 *
 * @param {EngineState} state
 */
export async function haltPrivateEngine(state) {
  resumePrivateEngine(state);
  killQuietly(state.daemon, "SIGTERM");
  await waitUntil("dockerd to end", () => !isAlive(state.daemon), 60_000);
}

/**
 * Stops the daemon if it runs and starts it again with the same data, network and socket; answers with the new state.
 *
 * @param {EngineState} state
 * @returns {Promise<EngineState>}
 */
export async function restartPrivateEngine(state) {
  await haltPrivateEngine(state);
  const next = { ...state, ...(await startDaemon(state.folder, state.init)) };
  await writeFile(join(state.folder, "engine.json"), JSON.stringify(next));
  return next;
}

/**
 * The state of a named engine while it runs; undefined otherwise.
 *
 * @param {string} name
 */
export async function findPrivateEngine(name) {
  const state = await readState(engineFolder(name));
  return state !== undefined && (await isOurs(state)) ? state : undefined;
}

/** @param {number} pid */
async function childOf(pid) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.trim().split(" ")[0]);
}

/**
 * @param {string} folder
 * @param {string} file
 */
async function exists(folder, file) {
  return (await readdir(folder)).includes(file);
}

/** @param {string} folder */
async function readLog(folder) {
  const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
  return log.trim().split("\n").slice(-10).join("\n");
}
