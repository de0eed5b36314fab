// The programs that are compared, each with files that ask for the same workers, and how to run them.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment, ROOT } from "../lib/process.mjs";

/** @typedef {{ args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv }} Command  To be run with Node unless `program` is given. */

export const WGCTL = join(ROOT, "bin/wgctl.js");

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
 * A folder with a wgctl project of one group; answers with the folder and the label its workers carry.
 *
 * @param {string} parent
 * @param {string} image
 * @param {number} replicas
 */
export function writeProject(parent, image, replicas) {
  const folder = join(parent, `wgctl-${replicas}`);
  const uid = randomUUID();
  mkdirSync(join(folder, "groups"), { recursive: true });
  writeFileSync(
    join(folder, "wgctl.yaml"),
    `apiVersion: wgctl.dev/v1
kind: Project
metadata: {name: bench-${replicas}, uid: ${randomUUID()}}
spec: {manifests: [groups/]}
`,
  );
  writeFileSync(
    join(folder, "groups/bench.yaml"),
    `apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata: {name: bench-${replicas}, uid: ${uid}}
spec:
  replicas: ${replicas}
  template: {image: "${image}", network_mode: bridge, restart: always}
  rollout: {minReadySeconds: 0}
`,
  );
  return { folder, label: `dev.wgctl.uid=${uid}` };
}

/**
 * The same for compose.
 *
 * @param {string} parent
 * @param {string} image
 * @param {number} replicas
 */
export function writeCompose(parent, image, replicas) {
  const project = `compose-${replicas}`;
  const folder = join(parent, project);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "compose.yaml"),
    `name: ${project}
services:
  worker:
    image: "${image}"
    network_mode: bridge
    restart: always
    deploy: {replicas: ${replicas}}
`,
  );
  return { folder, label: `com.docker.compose.project=${project}` };
}
