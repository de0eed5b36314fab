// The programs that are compared, each with files that ask for the same workers, and how to run them.

import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/process.mjs";

export const WGCTL = join(ROOT, "bin/wgctl.js");

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
