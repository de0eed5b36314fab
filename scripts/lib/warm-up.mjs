// The commands whose code goes into the cache: what people and cron run most, on a stand-in for an engine.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStandIn } from "./stand-in-engine.mjs";

const PROJECT = `
apiVersion: wgctl.dev/v1
kind: Project
metadata: {name: warm, uid: 01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a10}
spec: {manifests: [groups/]}
`;

const GROUP = `
apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata: {name: warm, uid: 01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11}
spec:
  replicas: 3
  template:
    image: example/worker:1
    command: ["work", "--queue", mail]
    environment: {QUEUE: mail, WORKER_NAME: "{{.Service.Name}}-{{.Task.Slot}}"}
    healthcheck: {test: ["CMD", "true"], interval: 10s}
    stop_grace_period: 45s
    restart: always
    deploy: {resources: {limits: {cpus: "0.5", memory: 256M}}}
  rollout: {maxUnavailable: 1, minReadySeconds: 0}
`;

/** Command lines in the order they run, with the exit code each must have. */
const COMMANDS = [
  ["--version", 0],
  ["validate", 0],
  ["plan", 0],
  ["apply --yes", 0],
  ["apply --yes", 0],
  ["apply --yes", 0],
  ["status", 0],
  ["plan", 0],
];

/** What finds nothing to do after those, and nothing to read anew. */
const QUIET_COMMANDS = [["apply --yes", 0]];

/** @param {readonly (readonly (string | number)[])[]} lines */
function asJson(lines) {
  return JSON.stringify(lines.map(([line, code]) => ({ argv: String(line).split(" "), code })));
}

/**
 * Runs them through `makeCache`, in a folder and on an engine that are gone afterwards.
 *
 * @param {import("./bundle.mjs").MakeCache} makeCache
 */
export async function warmUp(makeCache) {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-warm-"));
  const socket = join(folder, "engine.sock");
  const close = await startStandIn(socket);
  try {
    await mkdir(join(folder, "groups"));
    await writeFile(join(folder, "wgctl.yaml"), PROJECT);
    await writeFile(join(folder, "groups/warm.yaml"), GROUP);
    const engine = { DOCKER_HOST: `unix://${socket}` };
    await makeCache({ ...engine, WARM_UP: asJson(COMMANDS) }, folder);
    await makeCache({ ...engine, WARM_UP: asJson(QUIET_COMMANDS) }, folder, "-quiet");
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
