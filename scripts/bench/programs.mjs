// The programs that are compared, each with files that ask for the same workers, and how to run them.

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../lib/process.mjs";

export const IMAGE = "wgctl-bench-worker:1";
export const WGCTL = join(ROOT, "bin/wgctl.js");

/**
 * How compose is called.
 *
 * @typedef {{ program: string, words: readonly string[], env: NodeJS.ProcessEnv }} Compose
 */

/**
 * `docker compose`, as people type it: the docker CLI with the given plugin. Without that CLI, the plugin by itself.
 *
 * @param {string} plugin
 * @returns {Compose}
 */
export function composeCommand(plugin) {
  if (spawnSync("docker", ["--version"]).status !== 0)
    return { program: plugin, words: [], env: {} };
  const config = join(dirname(plugin), "docker-config");
  mkdirSync(join(config, "cli-plugins"), { recursive: true });
  copyFileSync(plugin, join(config, "cli-plugins/docker-compose"));
  return { program: "docker", words: ["compose"], env: { DOCKER_CONFIG: config } };
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
