// The part of the benchmark about size: planning in the core alone, and a whole `wgctl plan` on an engine that is full.

import { spawnSync } from "node:child_process";
import { Agent } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { callJson, containersPath } from "../lib/docker-api.mjs";
import { cleanEnvironment, ROOT, runQuietly } from "../lib/process.mjs";
import { inParallel, removeAll } from "./floor.mjs";
import { measureInterleaved, median } from "./measure.mjs";
import { IMAGE, WGCTL, writeProject } from "./programs.mjs";
import { limitRow, ratioRow } from "./rows.mjs";

/** @typedef {import("./parts.mjs").Bench} Bench */
/** @typedef {import("./rows.mjs").Row} Row */

const NODE = process.execPath;
const IN_FLIGHT = 8;
const LOOK = join(ROOT, "scripts/bench/look.cjs");

/**
 * The planner alone, in processes of its own. A run pays for the first plan of its process, in which nothing is compiled
 * yet, and for one after each pass.
 *
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function measurePlanner({ folder }) {
  const program = join(folder, "planner.mjs");
  await build({
    entryPoints: [join(ROOT, "scripts/bench/planner.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
    logLevel: "error",
  });
  const rounds = Array.from({ length: 9 }, () => ({
    small: runPlanner(program, ["first", "100", "5"]),
    large: runPlanner(program, ["first", "1000", "50"]),
    again: runPlanner(program, ["again", "1000", "50"]),
  }));
  const small = median(rounds.map((round) => round.small));
  const large = median(rounds.map((round) => round.large));
  const again = median(rounds.map((round) => round.again));
  const roll = median(Array.from({ length: 3 }, () => runPlanner(program, ["roll", "100"])));
  return [
    limitRow("planning 1,000 workers in 50 groups", again, 50),
    limitRow("  as the first plan of a process", large, 100),
    ratioRow(
      "  the first against that of 100 workers in 5 groups",
      ["", large],
      ["100", small],
      10,
    ),
    limitRow("planning a rolling change of 100 workers one by one, all passes", roll, 500),
  ];
}

/**
 * Milliseconds, as the program prints them.
 *
 * @param {string} program
 * @param {readonly string[]} args
 */
function runPlanner(program, args) {
  const ended = spawnSync(NODE, [program, ...args], {
    encoding: "utf8",
    env: cleanEnvironment(),
  });
  if (ended.status !== 0) throw new Error(`planner ${args.join(" ")}: ${ended.stderr}`);
  return Number(ended.stdout);
}

/**
 * @param {Bench} bench
 * @returns {Promise<Row[]>}
 */
export async function measureScale({ host, folder }) {
  const rows = [];
  /** @type {Record<number, number>} */
  const took = {};
  for (const count of [100, 1000]) {
    const project = writeProject(folder, IMAGE, count);
    await fill(host, project, count);
    const env = { DOCKER_HOST: host };
    const cwd = project.folder;
    const times = await measureInterleaved(
      [
        { name: "plan", run: () => runQuietly(NODE, [WGCTL, "plan"], { cwd, env }) },
        { name: "look", run: () => runQuietly(NODE, [LOOK, host, project.label], { cwd }) },
      ],
      7,
    );
    await removeAll(host, project.label);
    const [plan, look] = [times["plan"] ?? 0, times["look"] ?? 0];
    took[count] = plan;
    const row = ratioRow(
      `wgctl plan, ${count} containers`,
      ["", plan],
      ["list and inspect", look],
      2,
    );
    if (count === 1000) rows.push(row);
  }
  const growth = ratioRow(
    "  1,000 against 100 of them",
    ["", took[1000] ?? 0],
    ["100", took[100] ?? 0],
    10,
  );
  return [...rows, growth];
}

/**
 * Makes the workers of a group that only miss their start: wgctl makes the first, the others are made like it.
 *
 * @param {string} host
 * @param {{ folder: string, label: string }} project
 * @param {number} count
 */
async function fill(host, { folder, label }, count) {
  const env = { DOCKER_HOST: host };
  const args = [WGCTL, "apply", "--yes", "--once", "--max-actions", "2"];
  await runQuietly(NODE, args, { cwd: folder, env });
  const [first] = await callJson(host, "GET", containersPath({ label: [label] }));
  const { Config: config, HostConfig: hostConfig } = await callJson(
    host,
    "GET",
    `/containers/${first.Id}/json`,
  );
  const ofSlot = (/** @type {string} */ text, /** @type {number} */ slot) =>
    text.replace(/^(bench-\d+)-1-/, `$1-${slot}-`);
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  await inParallel(IN_FLIGHT, count - 1, async (at) => {
    const slot = at + 2;
    const name = ofSlot(config.Labels["dev.wgctl.name"], slot);
    const labels = { ...config.Labels, "dev.wgctl.slot": String(slot), "dev.wgctl.name": name };
    const body = { ...config, Hostname: "", Labels: labels, HostConfig: hostConfig };
    await callJson(host, "POST", `/containers/create?name=${name}`, { body, agent });
  });
  agent.destroy();
}
