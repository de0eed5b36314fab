// Whole runs over a worker that is drained: when it is told, asked and stopped, and what a run that is cut short leaves.

import { expect, test } from "vitest";
import type { DrainPolicy } from "../../src/core/model.ts";
import { readHistory } from "../../src/store/journal-history.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { group, worker } from "../support/scene.ts";
import { JournaledRuns } from "./journaled-runs.ts";

const DRAIN: DrainPolicy = {
  quiet: { kind: "signal", signal: "SIGTSTP" },
  waitFor: { exec: ["bin/idle"], timeoutSeconds: 60 },
};

const leaving = (drain: DrainPolicy = DRAIN) => [group({ replicas: 0, drain })];

/** Calls without names: `signal SIGTSTP`. */
const calls = (engine: FakeEngine) =>
  engine.calls.map((each) => each.replace(/ mailer-\S+/, "").replace(/ undefined/, ""));

test("it is quieted, asked until it is idle, and then stopped", async () => {
  const runs = await JournaledRuns.open();
  const engine = new FakeEngine([worker(1)]);
  engine.commands.set("bin/idle", 1);
  const idleAt = engine.now + 7_000;
  engine.onWait = () => engine.now >= idleAt && engine.commands.set("bin/idle", 0);
  expect(await runs.run(engine, leaving())).toMatchObject({ exit: 0, ending: "settled" });
  const made = calls(engine);
  expect(made.slice(0, 3)).toEqual(["rename", "signal SIGTSTP", "exec bin/idle"]);
  expect(made.slice(-3)).toEqual(["rename", "signal SIGTERM", "remove"]);
  const asked = made.filter((call) => call === "exec bin/idle").length;
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(asked).toBeLessThanOrEqual(5);
});

test("what it answers is neither counted nor written down", async () => {
  const runs = await JournaledRuns.open();
  const engine = new FakeEngine([worker(1)]);
  const { done } = await runs.run(engine, leaving());
  const { entries } = await readHistory(runs.folder);
  expect(entries.map(({ action }) => action)).toEqual([
    ...["rename", "quiet", "rename", "signal", "remove"],
  ]);
  expect(done).toBe(entries.length);
});

test("a run that was to be quieted and never was is told again by the next", async () => {
  const runs = await JournaledRuns.open();
  const engine = new FakeEngine([worker(1)]);
  const drain: DrainPolicy = { quiet: { kind: "exec", exec: ["bin/quiet"] } };
  const once = () => runs.run(engine, leaving(drain), undefined, { once: true });
  await once();
  expect(calls(engine)).toEqual(["rename", "exec bin/quiet"]);
  await once();
  expect(calls(engine).slice(2)).toEqual(["rename", "signal SIGTERM"]);
});

test("--once asks and acts on the answer in one run", async () => {
  const runs = await JournaledRuns.open();
  const engine = new FakeEngine([worker(1)]);
  const once = async () => {
    engine.calls.length = 0;
    const { ending } = await runs.run(engine, leaving(), undefined, { once: true });
    return [ending, ...calls(engine)];
  };
  engine.commands.set("bin/idle", 1);
  expect(await once()).toEqual(["bounded", "rename", "signal SIGTSTP"]);
  expect(await once()).toEqual(["bounded", "exec bin/idle"]);
  engine.now += 1_000;
  engine.commands.set("bin/idle", 0);
  expect(await once()).toEqual(["bounded", "exec bin/idle", "rename", "signal SIGTERM"]);
});

test("the label keeps how it is drained, as a manifest says it", async () => {
  const runs = await JournaledRuns.open();
  const engine = new FakeEngine();
  const template = { stop_signal: "SIGQUIT", stop_grace_period: 45 };
  const idle = { exec: ["bin/idle"] };
  await runs.run(engine, [group({ replicas: 1, template, drain: { ...DRAIN, idle } })]);
  const label = engine.workers[0]?.labels["dev.wgctl.drain"] ?? "";
  expect(label).toBe(
    '{"graceSeconds":45,"quiet":{"signal":"SIGTSTP"},"signal":"SIGQUIT",' +
      '"waitFor":{"exec":["bin/idle"],"timeoutSeconds":60}}',
  );
});
