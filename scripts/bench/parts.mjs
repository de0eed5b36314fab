// The four parts of the benchmark: start-up, converging, nothing to do, memory. Each measures and answers with rows.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runQuietly } from "../lib/process.mjs";
import { removeAll, startBare } from "./floor.mjs";
import { measureInterleaved, median } from "./measure.mjs";
import { IMAGE, WGCTL, writeCompose, writeProject } from "./programs.mjs";
import { ratioRow } from "./rows.mjs";

/** @typedef {{ host: string, folder: string, compose: import("./programs.mjs").Compose }} Bench */
/** @typedef {import("./rows.mjs").Row} Row */

const NODE = process.execPath;
const PRINT_PEAK = join(ROOT, "scripts/bench/print-peak.cjs");

/** @param {Bench} bench */
export async function measureStartUp({ folder }) {
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  const node =
    (/** @type {string[]} */ ...args) =>
    () =>
      runQuietly(NODE, args, { cwd: folder });
  const times = await measureInterleaved(
    [
      { name: "empty", run: node(empty) },
      { name: "wgctl", run: node(WGCTL, "--version") },
    ],
    30,
  );
  return [
    ratioRow(
      "wgctl --version",
      ["", times["wgctl"] ?? 0],
      ["empty script", times["empty"] ?? 0],
      2,
    ),
  ];
}

/** @param {Bench} bench */
export async function measureConverge({ host, folder, compose }) {
  const count = 50;
  const ours = writeProject(folder, IMAGE, count);
  const theirs = writeCompose(folder, IMAGE, count);
  const body = {
    Image: IMAGE,
    Labels: { floor: "1" },
    HostConfig: { RestartPolicy: { Name: "always" } },
  };
  const floor = (/** @type {number} */ width) => ({
    name: `floor ${width}`,
    run: () => startBare(host, { count, width, body }),
    reset: () => removeAll(host, "floor"),
  });
  const candidates = [
    floor(4),
    floor(8),
    {
      name: "wgctl",
      run: () => apply(host, ours.folder),
      reset: () => removeAll(host, ours.label),
    },
    {
      name: "compose",
      run: () => up(host, compose, theirs.folder),
      reset: () => removeAll(host, theirs.label),
    },
  ];
  const times = await measureInterleaved(candidates, 3, { warmUp: false });
  const best = Math.min(times["floor 4"] ?? 0, times["floor 8"] ?? 0);
  const wgctl = times["wgctl"] ?? 0;
  return [
    ratioRow(`${count} workers to running`, ["", wgctl], ["bare API", best], 1.15),
    ratioRow(`${count} workers to running`, ["", wgctl], ["compose", times["compose"] ?? 0], 0.65),
  ];
}

/** @param {Bench} bench */
export async function measureNoOp({ host, folder, compose }) {
  const rows = [];
  for (const [count, rounds, limit] of /** @type {const} */ ([
    [10, 20, 0.95],
    [100, 10, 1.25],
  ])) {
    const ours = writeProject(folder, IMAGE, count);
    const theirs = writeCompose(folder, IMAGE, count);
    await apply(host, ours.folder);
    await up(host, compose, theirs.folder);
    const candidates = [
      { name: "wgctl", run: () => apply(host, ours.folder) },
      { name: "compose", run: () => up(host, compose, theirs.folder) },
    ];
    const times = await measureInterleaved(candidates, rounds);
    const peer = /** @type {[string, number]} */ (["compose", times["compose"] ?? 0]);
    rows.push(ratioRow(`nothing to do, ${count} workers`, ["", times["wgctl"] ?? 0], peer, limit));
    await removeAll(host, ours.label);
    await removeAll(host, theirs.label);
  }
  return rows;
}

/** @param {Bench} bench */
export async function measureMemory({ host, folder }) {
  const count = 100;
  const ours = writeProject(folder, IMAGE, count);
  const file = join(folder, "peak");
  await apply(host, ours.folder);
  const peaks = [];
  for (let round = 0; round < 5; round++) {
    await apply(host, ours.folder, ["-r", PRINT_PEAK], {
      PEAK_FILE: file,
    });
    peaks.push(Number(readFileSync(file, "utf8")) / 1024);
  }
  await removeAll(host, ours.label);
  const peak = median(peaks);
  return [
    {
      what: `peak memory, ${count} workers`,
      measured: `${peak.toFixed(1)} MB`,
      limit: "80 MB",
      ok: peak < 80,
    },
  ];
}

/**
 * @param {string} host
 * @param {string} cwd
 * @param {readonly string[]} [execArgv]
 * @param {NodeJS.ProcessEnv} [env]
 */
const apply = (host, cwd, execArgv = [], env = {}) =>
  runQuietly(NODE, [...execArgv, WGCTL, "apply", "--yes"], {
    cwd,
    env: { ...env, DOCKER_HOST: host },
  });

/**
 * @param {string} host
 * @param {import("./programs.mjs").Compose} compose
 * @param {string} cwd
 */
const up = (host, { program, words, env }, cwd) =>
  runQuietly(program, [...words, "up", "-d"], { cwd, env: { ...env, DOCKER_HOST: host } });
