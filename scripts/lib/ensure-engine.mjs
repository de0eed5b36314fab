// Finds or makes an engine for the demo and the tests: a private one for root, else the one that is reachable.

import { randomBytes } from "node:crypto";
import { isReachable } from "./docker-api.mjs";
import { findPrivateEngine, startPrivateEngine, stopPrivateEngine } from "./private-engine.mjs";
import { findProgram, readOutput, runShown } from "./process.mjs";
import { hasStaticBusybox } from "./worker-image.mjs";

/** @typedef {import("./private-engine.mjs").EngineState} EngineState */
/** @typedef {{ host: string, state: EngineState | undefined, stop: () => Promise<void> }} FoundEngine */

const PACKAGES = ["docker.io", "iptables", "busybox-static"];

/** What a person types to get what is missing. */
export const INSTALL_COMMAND = `apt-get install -y --no-install-recommends ${PACKAGES.join(" ")}`;

/**
 * An engine to use, and how to leave it. As root that is a private one; what is missing is installed first if `agree`
 * says so. Throws, with the command that would help, when there is none to be had.
 *
 * @param {{ agree: (command: string) => Promise<boolean>, packages?: readonly string[], name?: string, dieWithParent?: boolean }} options
 * @returns {Promise<FoundEngine>}
 */
export async function ensureEngine(options) {
  if (process.getuid?.() !== 0)
    return useReachable("not root, so no private engine can be started");
  await installMissing(options);
  try {
    return leavable(await startPrivateEngine(options));
  } catch (error) {
    return useReachable(error instanceof Error ? error.message : String(error));
  }
}

/** @param {EngineState} state */
function leavable(state) {
  const stop = async () => {
    // a test may have restarted the daemon meanwhile, and only the folder knows
    const name = state.folder.slice(state.folder.lastIndexOf("wgctl-engine-") + 13);
    await stopPrivateEngine((await findPrivateEngine(name)) ?? state);
  };
  return { host: state.host, state, stop };
}

/** @param {string} why */
async function useReachable(why) {
  const host = findHost();
  if (await isReachable(host)) return { host, state: undefined, stop: async () => undefined };
  throw new Error(
    `no engine: ${why}, and nothing answers at ${host}.\n` +
      `Set DOCKER_HOST to one that does, or install one: sudo ${INSTALL_COMMAND}`,
  );
}

/** The host the docker CLI would use, as far as it can be told without it. */
function findHost() {
  const set = process.env["DOCKER_HOST"];
  if (set !== undefined && set !== "") return set;
  const byContext = readOutput("docker", [
    "context",
    "inspect",
    "-f",
    "{{.Endpoints.docker.Host}}",
  ]);
  return byContext || "unix:///var/run/docker.sock";
}

/** @param {{ agree: (command: string) => Promise<boolean>, packages?: readonly string[] }} options */
async function installMissing({ agree, packages = [] }) {
  const missing = [...listMissing(), ...packages.filter((name) => !findProgram(name))];
  if (missing.length === 0) return;
  const install = ["install", "-y", "--no-install-recommends", ...missing];
  const command = `apt-get ${install.join(" ")}`;
  if (!findProgram("apt-get"))
    throw new Error(
      `no engine: dockerd, iptables and a static busybox are needed, missing: ${missing.join(", ")}`,
    );
  if (!(await agree(command))) throw new Error(`no engine: to install one, run ${command}`);
  await runApt(["update", "-q"]);
  await runApt(install);
}

function listMissing() {
  const found = [findProgram("dockerd"), findProgram("iptables"), hasStaticBusybox() || undefined];
  return PACKAGES.filter((_, at) => found[at] === undefined);
}

/** @param {readonly string[]} args */
async function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // its output goes to stderr, so that a command which prints variables stays usable
  const code = await runShown("apt-get", args, { env, stdio: ["ignore", 2, 2] });
  if (code !== 0) throw new Error(`apt-get ${args.join(" ")} failed with exit code ${code}`);
}

/** A short id for one run, used as a prefix and a label value. */
export const newRunId = () => `run-${randomBytes(4).toString("hex")}`;

/** True when `ensureEngine` has a chance here: root with an engine installed or installable, or one that answers. */
export async function engineIsPossible() {
  const asRoot = process.getuid?.() === 0 && (listMissing().length === 0 || findProgram("apt-get"));
  return Boolean(asRoot) || isReachable(findHost());
}
