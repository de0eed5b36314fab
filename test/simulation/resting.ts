// How a story ends once nothing goes wrong any more: as declared, and then at rest.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Telling } from "./telling.ts";

/** Runs of so many looks, and a pause after each, in which a quiet world has to get there. */
const RUNS = 60;
const LOOKS = 20;
const PAUSE_SECONDS = 10;

/**
 * Lets runs go on in a quiet world until the group is as declared; no promise may be broken meanwhile. Somebody asks for
 * another try of what has failed: its cause is gone.
 */
export async function settle(telling: Telling): Promise<void> {
  telling.calm();
  for (let run = 0; run < RUNS; run += 1) {
    const { result } = await telling.run({ looks: LOOKS, budget: 50, retry: true });
    expect(telling.witness.violations).toEqual([]);
    if (result?.ending === "settled" && result.plan.groups.every((each) => each.converged)) return;
    await telling.tell({ kind: "pass", seconds: PAUSE_SECONDS });
  }
  const lines = telling.witness.existing().map(({ name, state }) => `${name} ${state.kind}`);
  throw new Error(`not as declared after ${RUNS} quiet runs: ${lines.join(", ")}`);
}

/** One running worker of one revision in each slot that is declared, and nothing else. */
export function expectAsDeclared({ witness, manifest: { replicas, isDeleted } }: Telling): void {
  const there = witness.existing();
  const slots = there.map(({ labels }) => Number(labels["dev.wgctl.slot"])).sort();
  const count = isDeleted ? 0 : replicas;
  expect(slots).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(there.filter(({ state }) => state.kind !== "running")).toEqual([]);
  expect(new Set(there.map(({ labels }) => labels["dev.wgctl.revision"])).size).toBe(
    Math.min(1, count),
  );
}

/** R2: another run writes nothing, to the engine or to any file of the state folder. */
export async function expectFixedPoint(telling: Telling, folder: string): Promise<void> {
  const before = await filesIn(folder);
  const { writes } = await telling.run({ looks: LOOKS, budget: 50 });
  expect(writes).toBe(0);
  expect(await filesIn(folder)).toEqual(before);
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}
