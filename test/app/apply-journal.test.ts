// Whole runs of apply and what they tell the journal: before calls and after, and what the next process makes of it.

import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { WgctlError } from "../../src/core/errors.ts";
import { readHistory } from "../../src/store/journal-history.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { group, worker } from "../support/scene.ts";
import { JournaledRuns, outdated, spyOn } from "./journaled-runs.ts";

/** The history, revisions left out: `create mailer-1 done`. */
async function history({ folder }: JournaledRuns): Promise<readonly string[]> {
  const { entries } = await readHistory(folder);
  return entries.map(({ action, worker: name, outcome }) =>
    `${action} ${name} ${outcome}`.replace(/-[0-9a-f]{8}(?= )/, ""),
  );
}

describe("the journal of a run", () => {
  it("has every action, in order, with its group, its reason and the container's id", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine();
    await runs.run(engine, [group({ replicas: 1 })]);
    await runs.run(engine, [group({ replicas: 0 })]);
    expect(await history(runs)).toEqual([
      "create mailer-1 done",
      "start mailer-1 done",
      "rename mailer-1 done",
      "signal mailer-1 done",
      "remove mailer-1 done",
    ]);
    const { entries } = await readHistory(runs.folder);
    const [made] = entries;
    expect(new Set(entries.map(({ container }) => container))).toEqual(new Set(["made-1"]));
    expect(new Set(entries.map(({ revision }) => revision))).toEqual(new Set([made?.revision]));
    expect(made).toMatchObject({
      ...{ namespace: "default", group: "mailer", slot: 1, reason: "missing" },
    });
    expect(entries.at(-1)).toMatchObject({ reason: "scale-down" });
  });

  it("R2: is not touched by a run with nothing to do", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine();
    await runs.run(engine, [group()]);
    const before = statSync(runs.file);
    engine.now += 3_600_000;
    expect(await runs.run(engine, [group()])).toMatchObject({ exit: 0, done: 0 });
    const { ino, mtimeMs, size } = statSync(runs.file);
    expect([ino, mtimeMs, size]).toEqual([before.ino, before.mtimeMs, before.size]);
  });

  it("is not made by a run that has nothing to do", async () => {
    const runs = await JournaledRuns.open();
    await runs.run(new FakeEngine([worker(1), worker(2), worker(3)]), [group()]);
    expect(existsSync(runs.file)).toBe(false);
  });

  it("says before each create and each stop signal that it comes", async () => {
    const runs = await JournaledRuns.open();
    const seen: string[] = [];
    const engine = spyOn(new FakeEngine([outdated(1), outdated(2)]), (call) => {
      const last = readFileSync(runs.file, "utf8").trimEnd().split("\n").at(-1) ?? "";
      const { kind, action } = JSON.parse(last);
      seen.push(`${call} after ${kind} to ${action}`);
    });
    await runs.run(engine, [group({ replicas: 2 })]);
    const [toCreate, toSignal] = ["create after intent to create", "signal after intent to signal"];
    expect(seen).toEqual([toSignal, toCreate, toSignal, toCreate]);
  });

  it("tells what failed in the engine's words, and nothing of what was skipped", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine();
    engine.fail("create", new WgctlError("engine-rejected", "no such command"));
    await runs.run(engine, [group({ replicas: 2 })]);
    const { entries } = await readHistory(runs.folder);
    expect(entries.map(({ action, outcome, words }) => [action, outcome, words])).toEqual([
      ["create", "failed", "no such command"],
    ]);
  });
});

/** The engine stops answering looks once it has got such a call; the answer gives it back. */
function blindAfter(engine: FakeEngine, call: "create" | "signal"): () => void {
  const list = engine.listWorkers.bind(engine);
  let isBlind = true;
  engine.listWorkers = (signal) => {
    const isLate = engine.calls.some((each) => each.startsWith(call));
    if (isBlind && isLate) throw new WgctlError("engine-timeout", "gone");
    return list(signal);
  };
  return () => {
    isBlind = false;
  };
}

describe("what one process did and no status file knows of", () => {
  it("R4: a create without an answer counts for the next one, until its time is over", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine();
    engine.fail("create", new WgctlError("engine-conflict", "in use"));
    const recover = blindAfter(engine, "create");
    await expect(runs.run(engine, [group({ replicas: 1 })])).rejects.toThrow("gone");
    recover();
    const began = engine.now;
    expect((await runs.run(engine, [group({ replicas: 1 })])).exit).toBe(0);
    expect(engine.now - began).toBeGreaterThanOrEqual(59_000);
    expect(await history(runs)).toEqual([
      "create mailer-1 not-found",
      "create mailer-1 done",
      "start mailer-1 done",
    ]);
  });

  it("a stop signal is not sent again, though the engine's event history has forgotten it", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine([worker(1)]);
    engine.stubborn.add("mailer-1");
    const recover = blindAfter(engine, "signal");
    await expect(runs.run(engine, [group({ replicas: 0 })])).rejects.toThrow("gone");
    recover();
    expect((await runs.run(engine, [group({ replicas: 0 })])).exit).toBe(0);
    const signals = engine.calls.filter((call) => call.startsWith("signal"));
    expect(signals.map((call) => call.split(" ")[2])).toEqual(["SIGTERM", "SIGKILL"]);
  });

  it("a line that a crash cut off is warned of once, by the run that goes on from there", async () => {
    const runs = await JournaledRuns.open();
    const engine = new FakeEngine();
    await runs.run(engine, [group({ replicas: 1 })]);
    appendFileSync(runs.file, '{"v":1,"ki');
    await runs.run(engine, [group({ replicas: 1 })]);
    expect(runs.warnings).toEqual([]);
    await runs.run(engine, [group({ replicas: 2 })]);
    await runs.run(engine, [group({ replicas: 3 })]);
    expect(runs.warnings).toEqual([expect.stringContaining("in the middle of a line")]);
    expect((await readHistory(runs.folder)).unreadable).toBe(1);
  });
});
