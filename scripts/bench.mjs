// npm run bench: what speed and size are promised, measured as ratios of medians against peers in one run.
// usage: node scripts/bench.mjs [start-up] [no-op] [converge] [memory] [planner] [scale]; exits 1 when a promise is not kept.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureConverge, measureMemory, measureNoOp, measureStartUp } from "./bench/parts.mjs";
import { composeCommand, IMAGE } from "./bench/programs.mjs";
import { measurePlanner, measureScale } from "./bench/scale.mjs";
import { ensureEngine } from "./lib/ensure-engine.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { ROOT, runShown } from "./lib/process.mjs";
import { loadWorkerImage } from "./lib/worker-image.mjs";

/** @typedef {import("./bench/rows.mjs").Row} Row */

/** @param {readonly Row[]} rows */
function printTable(rows) {
  const table = [{ what: "what", measured: "measured", limit: "limit" }, ...rows];
  const width = (/** @type {"what" | "measured" | "limit"} */ key) =>
    Math.max(...table.map((row) => row[key].length));
  for (const row of table) {
    const verdict = "ok" in row ? (row.ok ? "ok" : "MISSED") : "";
    const cells = /** @type {const} */ (["what", "measured", "limit"]).map((key) =>
      row[key].padEnd(width(key)),
    );
    process.stdout.write(`${[...cells, verdict].join("  ").trimEnd()}\n`);
  }
}

const PARTS = {
  "start-up": measureStartUp,
  "no-op": measureNoOp,
  converge: measureConverge,
  memory: measureMemory,
  planner: measurePlanner,
  scale: measureScale,
};

/** @param {readonly string[]} names */
function chooseParts(names) {
  const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0)
    throw new Error(`no part called ${unknown.join(", ")}: take ${Object.keys(PARTS).join(", ")}`);
  return Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name));
}

/** @param {readonly string[]} names */
async function bench(names) {
  const parts = chooseParts(names);
  await ensureInstalled();
  if ((await runShown(process.execPath, ["scripts/build.mjs"])) !== 0)
    throw new Error("the build failed");
  const plugin = execFileSync(join(ROOT, "scripts/fetch-compose.sh"), { encoding: "utf8" }).trim();
  const engine = await ensureEngine({ agree: async () => true });
  const compose = composeCommand(plugin);
  const folder = mkdtempSync(join(tmpdir(), "wgctl-bench-"));
  const rows = [];
  try {
    await loadWorkerImage(engine.host, IMAGE);
    for (const [name, measure] of parts) {
      process.stderr.write(`measuring ${name} ...\n`);
      rows.push(...(await measure({ host: engine.host, folder, compose })));
    }
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(rows);
  return rows.every(({ ok }) => ok);
}

try {
  process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
