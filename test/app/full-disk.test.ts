// A disk that is full, from any line of the journal on: no call is made that was not announced, what is there is still
// looked at and told, and a run on a disk that is well again goes on.

import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FakeEngine } from "../support/fake-engine.ts";
import { group } from "../support/scene.ts";
import { JournaledRuns, outdated, spyOn } from "./journaled-runs.ts";

const FULL = { code: "state-unwritable", message: expect.stringContaining("ENOSPC") };

/** The journal of runs on a disk that can be filled: what comes then goes to a file that takes nothing. */
class Disk {
  readonly #file: string;
  readonly #kept: string;
  #isFull = false;

  constructor({ file, folder }: JournaledRuns) {
    this.#file = file;
    this.#kept = join(folder, "kept");
  }

  fill(): void {
    if (existsSync(this.#file)) {
      copyFileSync(this.#file, this.#kept);
      rmSync(this.#file);
    }
    symlinkSync("/dev/full", this.#file);
    this.#isFull = true;
  }

  /** What was written before the disk was full is there again. */
  empty(): void {
    if (this.#isFull) rmSync(this.#file);
    this.#isFull = false;
    if (existsSync(this.#kept)) renameSync(this.#kept, this.#file);
  }

  get intents(): number {
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    return text.split('"kind":"intent"').length - 1;
  }
}

const declared = [group({ replicas: 2 })];

/** Rolls two workers while the disk is full from that line on, and again when it is not. Answers with the lines. */
async function rollWithFullDisk(from: number): Promise<number> {
  const runs = await JournaledRuns.open();
  const disk = new Disk(runs);
  const counts: number[] = [];
  const engine = spyOn(new FakeEngine([outdated(1), outdated(2)]), () => {
    counts.push(engine.existing);
  });
  let lines = 0;
  let callsUntilFull = 0;
  const first = runs.run(engine, declared, () => {
    lines += 1;
    if (lines !== from) return;
    disk.fill();
    callsUntilFull = engine.calls.length;
  });
  if (from > 0) {
    await expect(first).rejects.toMatchObject(FULL);
    expect(engine.calls).toHaveLength(callsUntilFull);
    expectObserved(runs, engine);
  }
  await first.catch(() => undefined);
  disk.empty();
  const announced = engine.calls.filter((call) => /^create|^signal .*TERM/.test(call));
  expect(disk.intents).toBe(announced.length);
  expect(await runs.run(engine, declared)).toMatchObject({ exit: 0 });
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  expect(engine.calls.filter((call) => call.startsWith("create"))).toHaveLength(2);
  return lines;
}

/** The status file has the workers that are there. */
function expectObserved({ folder }: JournaledRuns, engine: FakeEngine): void {
  const { groups } = JSON.parse(readFileSync(join(folder, "status.json"), "utf8"));
  const names = groups[0].workers.map(({ name }: { readonly name: string }) => name);
  expect(names.sort()).toEqual(engine.workers.map(({ name }) => name).sort());
}

describe.runIf(process.platform === "linux")("a disk that is full", () => {
  it("is told before the first call of a run", async () => {
    const runs = await JournaledRuns.open();
    new Disk(runs).fill();
    const engine = new FakeEngine([outdated(1), outdated(2)]);
    const before = engine.world;
    await expect(runs.run(engine, [group({ replicas: 3 })])).rejects.toMatchObject(FULL);
    expect([engine.calls, engine.world]).toEqual([[], before]);
  });

  it("from any line of a run on costs nothing but time", async () => {
    const lines = await rollWithFullDisk(0);
    for (let line = 1; line <= lines; line += 1) await rollWithFullDisk(line);
    console.info(`journal: the disk full from each of ${lines} lines on, and well again`);
    expect(lines).toBeGreaterThan(15);
  });
});
