// Random stories on the simulated engine: what may never happen does not, whatever goes wrong, and once nothing goes
// wrong any more the group comes to be as declared, and then nothing is written.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Story, story } from "./scenario.ts";
import { Telling } from "./telling.ts";

/** Fixed, so that a run says the same tomorrow; change them to look elsewhere. */
const SEED = Number(process.env["WGCTL_SIMULATION_SEED"] ?? 20_261_129);
const STORIES = Number(process.env["WGCTL_SIMULATION_STORIES"] ?? 80);

/** Making a bad story smaller may take long; what was found by then is shown. */
const PATIENCE = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true };

/** Runs of so many looks, and a pause after each, in which a quiet world has to get there. */
const RUNS = 60;
const LOOKS = 20;
const PAUSE_SECONDS = 10;

let root: string;
let told = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wgctl-simulation-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function check(one: Story): Promise<void> {
  const folder = join(root, String(++told));
  const telling = await Telling.begin(one, folder);
  for (const event of one.events) {
    await telling.tell(event);
    expect(telling.witness.violations).toEqual([]);
  }
  await settle(telling);
  expectAsDeclared(telling);
  await expectFixedPoint(telling, join(folder, "status.json"));
  await rm(folder, { recursive: true, force: true });
}

async function settle(telling: Telling): Promise<void> {
  telling.calm();
  for (let run = 0; run < RUNS; run += 1) {
    const { result } = await telling.run({ looks: LOOKS, budget: 50, dies: undefined });
    expect(telling.witness.violations).toEqual([]);
    if (result?.ending === "settled" && result.plan.groups.every((each) => each.converged)) return;
    await telling.tell({ kind: "pass", seconds: PAUSE_SECONDS });
  }
  const lines = telling.witness.existing().map(({ name, state }) => `${name} ${state.kind}`);
  throw new Error(`not as declared after ${RUNS} quiet runs: ${lines.join(", ")}`);
}

function expectAsDeclared({ witness, manifest: { replicas, isDeleted } }: Telling): void {
  const there = witness.existing();
  const slots = there.map(({ labels }) => Number(labels["dev.wgctl.slot"])).sort();
  const count = isDeleted ? 0 : replicas;
  expect(slots).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(there.filter(({ state }) => state.kind !== "running")).toEqual([]);
  expect(new Set(there.map(({ labels }) => labels["dev.wgctl.revision"])).size).toBe(
    Math.min(1, count),
  );
}

/** R2: another run writes nothing, to the engine or to the file. */
async function expectFixedPoint(telling: Telling, file: string): Promise<void> {
  const before = await readFile(file, "utf8");
  const { writes } = await telling.run({ looks: LOOKS, budget: 50, dies: undefined });
  expect(writes).toBe(0);
  expect(await readFile(file, "utf8")).toBe(before);
}

describe("random stories", () => {
  it(`keep every promise and come to rest (${STORIES} of seed ${SEED})`, async () => {
    await fc.assert(fc.asyncProperty(story, check), {
      seed: SEED,
      numRuns: STORIES,
      ...PATIENCE,
    });
  }, 120_000);
});
