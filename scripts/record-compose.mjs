// Records what docker compose makes of the worker services in fixtures/compose, for wgctl to be compared with.
// usage: node scripts/record-compose.mjs [--check]   --check writes nothing and fails where the recorded differ. Root only.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  EXTERNAL_VOLUME,
  loadImages,
  placeSample,
  SAMPLES,
  VARIABLES,
} from "./lib/compose-samples.mjs";
import { callJson, containersPath } from "./lib/docker-api.mjs";
import { ensureEngine } from "./lib/ensure-engine.mjs";
import { normalInspect } from "./lib/normal-inspect.mjs";
import { cleanEnvironment, ROOT } from "./lib/process.mjs";

/** @typedef {import("./lib/compose-samples.mjs").Sample} Sample */
/** @typedef {{ host: string, program: string, parent: string, about: object }} Bench */

const RECORDED = join(ROOT, "fixtures/compose/recorded");

/**
 * @param {Bench} bench
 * @param {string} folder
 * @param {Sample} sample
 */
function createAll({ host, program }, folder, { name, project, services }) {
  const once = services.flatMap((service) => ["--scale", `${service}=1`]);
  const args = [
    ...["--project-name", project, "--file", `${name}.yaml`, "--env-file", "samples.env"],
    ...["--profile", "*", "up", "--no-start", "--no-deps", "--no-build", "--pull", "never"],
    ...[...once, ...services],
  ];
  const env = cleanEnvironment({ ...VARIABLES, DOCKER_HOST: host });
  execFileSync(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
}

/**
 * The recording of every worker service of one sample, by file name.
 *
 * @param {Bench} bench
 * @param {Sample} sample
 * @returns {Promise<readonly (readonly [string, string])[]>}
 */
async function record(bench, sample) {
  const folder = placeSample(sample, bench.parent);
  createAll(bench, folder, sample);
  const { project } = sample;
  const files = [];
  for (const service of sample.services) {
    const label = ["project", "service"].map(
      (key, at) => `com.docker.compose.${key}=${[project, service][at]}`,
    );
    const [found] = await callJson(bench.host, "GET", containersPath({ label }));
    const wire = await callJson(bench.host, "GET", `/containers/${found.Id}/json`);
    const container = normalInspect(wire, { folder, project });
    const text = `${JSON.stringify({ ...bench.about, container }, undefined, 2)}\n`;
    files.push(/** @type {const} */ ([`${sample.name}.${service}.json`, text]));
  }
  return files;
}

/**
 * @param {string} file
 * @param {string} text
 */
function isAsRecorded(file, text) {
  try {
    return readFileSync(join(RECORDED, file), "utf8") === text;
  } catch {
    return false;
  }
}

/** @param {string} host */
async function openBench(host) {
  const program = execFileSync(join(ROOT, "scripts/fetch-compose.sh"), { encoding: "utf8" }).trim();
  const compose = execFileSync(program, ["version", "--short"], { encoding: "utf8" }).trim();
  const { Version: engine } = await callJson(host, "GET", "/version");
  await loadImages(host);
  await callJson(host, "POST", "/volumes/create", { body: { Name: EXTERNAL_VOLUME } });
  const parent = mkdtempSync(join(tmpdir(), "wgctl-record-"));
  return { host, program, parent, about: { compose, engine } };
}

/** @param {boolean} onlyChecks */
async function main(onlyChecks) {
  const engine = await ensureEngine({ agree: async () => true });
  const bench = await openBench(engine.host);
  let differing = 0;
  try {
    for (const sample of SAMPLES) {
      for (const [file, text] of await record(bench, sample)) {
        const isSame = isAsRecorded(file, text);
        if (!isSame) differing += 1;
        if (!isSame && !onlyChecks) writeFileSync(join(RECORDED, file), text);
        process.stdout.write(`${isSame ? "same" : onlyChecks ? "DIFFERS" : "written"}  ${file}\n`);
      }
    }
  } finally {
    rmSync(bench.parent, { recursive: true, force: true });
    await engine.stop();
  }
  if (onlyChecks && differing > 0)
    throw new Error(`${differing} recordings are of another compose`);
}

try {
  await main(process.argv.includes("--check"));
} catch (error) {
  process.stderr.write(`record-compose: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
