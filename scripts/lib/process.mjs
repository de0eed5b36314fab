// Running other programs and waiting for the world, for scripts. Knows nothing of engines or of wgctl.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * The environment for a measured or tested child: without what makes Node slow, colours its output, or leads
 * wgctl to another engine or state.
 *
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnvironment(extra = {}) {
  const node = ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "FORCE_COLOR", "NODE_V8_COVERAGE"];
  const dropped = [...node, "WGCTL_ENGINE", "WGCTL_STATE_DIR"];
  const kept = Object.entries(process.env).filter(([name]) => !dropped.includes(name));
  return { ...Object.fromEntries(kept), ...extra };
}

/**
 * Runs a program on our own terminal and answers with its exit code; a signal counts as 1.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function runShown(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd: ROOT, stdio: "inherit", ...options });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a program beside others: without input and without a terminal of its own, what it says passed on as it comes.
 * Answers with its exit code; a signal counts as 1. It is asked to end when this process exits before it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function runBeside(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd: ROOT,
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
    const end = () => child.kill();
    process.once("exit", end);
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", end);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs a program to its end without showing it; throws with what it said when it fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 */
export function runQuietly(program, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd,
      env: cleanEnvironment(env),
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}:\n${said}`));
    });
  });
}

/**
 * Path of a program on PATH or in the system folders; undefined: it is not installed.
 *
 * @param {string} program
 */
export function findProgram(program) {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/**
 * Output of a program, trimmed; undefined when it is missing or fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
export function readOutput(program, args) {
  const { status, stdout } = spawnSync(program, [...args], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Waits until the condition holds and gives its value back; throws after the deadline, naming what was awaited.
 *
 * @template T
 * @param {string} what
 * @param {() => T | undefined | false | Promise<T | undefined | false>} condition
 * @param {number} [deadlineMs]
 * @returns {Promise<T>}
 */
export async function waitUntil(what, condition, deadlineMs = 20_000) {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await delay(25);
  }
}

/**
 * True while that process exists and is more than an entry that nobody has collected (Linux).
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !["Z", "X"].includes(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "");
  } catch {
    return false;
  }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function killQuietly(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // it is gone already, which is what was wanted
  }
}
