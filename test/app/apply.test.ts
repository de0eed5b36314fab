// Whole runs of apply on an engine in memory: what is there afterwards, what the status file says, how it ended.

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apply } from "../../src/app/apply.ts";
import type { ApplyOptions } from "../../src/app/apply-types.ts";
import { recallForWriting } from "../../src/app/memory.ts";
import type { ProgressEvent, Reporter } from "../../src/app/reporter.ts";
import type { Workspace } from "../../src/app/workspace.ts";
import { WgctlError } from "../../src/core/errors.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import type { StatusDocument } from "../../src/core/status-types.ts";
import { openJournal } from "../../src/store/journal.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { exited, group, NOW, running, worker } from "../support/scene.ts";

let folder = "";
let runs = 0;
const nameRun = () => `run-${++runs}`;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-apply-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

const OPTIONS: ApplyOptions = {
  prune: false,
  allowMassDelete: false,
  allowOlder: false,
  confirm: false,
  once: false,
  wait: true,
  verify: false,
  actionsPerPass: 100,
  maxActions: Number.POSITIVE_INFINITY,
  timeoutMs: 60_000,
  callDeadlineMs: 30_000,
  detailedExitCode: false,
};

type Setting = Partial<ApplyOptions> & {
  readonly ask?: Reporter["ask"];
  readonly stop?: AbortController;
  readonly onEvent?: (event: ProgressEvent) => void;
  readonly workspace?: Partial<Workspace>;
};

async function run(engine: FakeEngine, groups: readonly DesiredGroup[], setting: Setting = {}) {
  const { ask = async () => true, stop = new AbortController(), onEvent, workspace } = setting;
  const reporter: Reporter = { notify: (event) => onEvent?.(event), ask };
  const memory = await recallForWriting(folder, reporter);
  return apply(
    { ...OPTIONS, ...setting },
    {
      engine,
      reporter,
      memory,
      journal: openJournal(folder, nameRun),
      workspace: { ...workspaceOf(groups), ...workspace },
      mintTaskId: () => "task",
      ticks: () => engine.now,
      now: () => NOW,
    },
    { stop: stop.signal, abort: new AbortController().signal },
  );
}

function workspaceOf(groups: readonly DesiredGroup[]): Workspace {
  return {
    project: undefined,
    groups,
    declared: groups.map(({ identity }) => identity.uid),
    problems: [],
    complete: true,
    narrowed: false,
    stateFolder: folder,
    folder,
  };
}

async function readStatus(): Promise<StatusDocument> {
  return JSON.parse(await readFile(join(folder, "status.json"), "utf8"));
}

async function condition(type: string) {
  const [first] = (await readStatus()).groups;
  return first?.conditions.find((each) => each.type === type);
}

/** Names without revision and phase, and run states. */
const world = (engine: FakeEngine) =>
  engine.world.map((line) => line.replace(/-[0-9a-f]{8}\S*/, ""));

describe("apply", () => {
  it("makes what is missing, waits until it is available, and says so", async () => {
    const engine = new FakeEngine();
    const result = await run(engine, [group({ replicas: 2 })]);
    expect(result).toMatchObject({ exit: 0, ending: "settled", done: 4, passes: 1 });
    expect(world(engine)).toEqual(["mailer-1 running", "mailer-2 running"]);
    expect(await condition("Ready")).toMatchObject({ status: "True", reason: "Converged" });
  });

  it("R2: a second run writes nothing, to the engine or to a file", async () => {
    const engine = new FakeEngine();
    await run(engine, [group()]);
    const before = await stat(join(folder, "status.json"));
    engine.now += 3_600_000;
    const calls = engine.calls.length;
    expect(await run(engine, [group()])).toMatchObject({ exit: 0, done: 0, passes: 0 });
    const after = await stat(join(folder, "status.json"));
    expect(engine.calls).toHaveLength(calls);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  it("R1: does next what follows from what is there, whatever woke it up", async () => {
    const engine = new FakeEngine();
    let waits = 0;
    engine.onWait = () => {
      const [, second] = engine.workers;
      if (second !== undefined && ++waits === 1) engine.put({ ...second, run: exited(100) });
    };
    expect((await run(engine, [group({ replicas: 2 })])).exit).toBe(0);
    expect(engine.world).toEqual([
      expect.stringMatching(/^mailer-1-[0-9a-f]{8} running$/),
      expect.stringMatching(/^mailer-2-[0-9a-f]{8}-2 running$/),
    ]);
  });

  it("R9: drops what has moved since it was planned, and plans afresh on what it is now", async () => {
    const seen = worker(1);
    const engine = new FakeEngine([seen]);
    const outcomes: string[] = [];
    let passes = 0;
    const onEvent = (event: ProgressEvent) => {
      if (event.kind === "action-ended")
        outcomes.push(`${event.action.kind} ${event.outcome.kind}`);
      if (event.kind !== "pass-planned" || ++passes > 1) return;
      engine.put({ ...seen, run: running(1) });
    };
    expect((await run(engine, [group({ replicas: 0 })], { onEvent })).exit).toBe(0);
    expect(outcomes).toEqual([
      ...["rename dropped", "signal skipped"],
      ...["rename done", "signal done", "remove done"],
    ]);
    expect(engine.workers).toEqual([]);
  });

  it("brings a worker removed by hand back under its name, without any file too", async () => {
    const engine = new FakeEngine([worker(1), worker(2), worker(3)]);
    const before = engine.world;
    const gone = new FakeEngine(engine.workers.slice(1));
    expect((await run(gone, [group()])).exit).toBe(0);
    expect(gone.world).toEqual(before);
  });

  it("rolls one by one, never more than replicas and never two in a slot", async () => {
    const old = { spec: { template: { command: ["old"] } } };
    const engine = new FakeEngine([worker(1, old), worker(2, old), worker(3, old)]);
    const counts: number[] = [];
    const onEvent = () => counts.push(engine.existing);
    const result = await run(engine, [group()], { onEvent });
    expect(result).toMatchObject({ exit: 0, ending: "settled" });
    expect(Math.max(...counts)).toBe(3);
    expect(world(engine)).toEqual(["mailer-1 running", "mailer-2 running", "mailer-3 running"]);
    expect(engine.calls.filter((call) => call.startsWith("remove"))).toHaveLength(3);
  });

  it("kills what does not stop once its grace is over, and not before", async () => {
    const engine = new FakeEngine([worker(1), worker(2)]);
    engine.stubborn.add("mailer-2");
    expect((await run(engine, [group({ replicas: 1 })])).exit).toBe(0);
    expect(engine.now).toBeGreaterThanOrEqual(NOW + 10_000);
    expect(engine.calls.map((call) => call.replace(/ mailer\S*/, ""))).toEqual([
      "rename",
      "signal SIGTERM",
      "signal SIGKILL",
      "remove",
    ]);
  });

  it("R4: a create without an answer counts until its time is over, and then is made once", async () => {
    const engine = new FakeEngine();
    engine.fail("create", new WgctlError("engine-conflict", "in use"));
    const result = await run(engine, [group({ replicas: 1 })]);
    expect(result.exit).toBe(0);
    expect(engine.now).toBeGreaterThanOrEqual(NOW + 60_000);
    expect(world(engine)).toEqual(["mailer-1 running"]);
    expect((await readStatus()).groups[0]?.uncertain).toEqual([]);
  });
});

describe("a bounded run", () => {
  it("is not clean after a create of which nobody knows what came", async () => {
    const engine = new FakeEngine();
    engine.fail("create", new WgctlError("engine-conflict", "in use"));
    const result = await run(engine, [group({ replicas: 1 })], { once: true });
    expect(result).toMatchObject({ exit: 1, ending: "bounded" });
  });
});

describe("failures", () => {
  const broken = new WgctlError("engine-failed", "port is already allocated");

  it("are tried again after a rest", async () => {
    const engine = new FakeEngine();
    engine.fail("create", broken, "before", 2);
    expect(await run(engine, [group({ replicas: 1 })])).toMatchObject({
      exit: 0,
      ending: "settled",
    });
    expect(engine.now - NOW).toBeGreaterThanOrEqual(3_000);
  });

  it("end the run after the third in a row", async () => {
    const engine = new FakeEngine();
    engine.fail("create", broken, "before", 99);
    expect(await run(engine, [group()])).toMatchObject({ exit: 1, ending: "settled", passes: 3 });
    expect(await condition("ReplicaFailure")).toMatchObject({
      reason: "PortConflict",
      message: broken.message,
    });
  });

  it("do not keep a run waiting once something else holds the group", async () => {
    const engine = new FakeEngine();
    engine.fail("create", broken);
    const { labels: _, ...foreign } = worker(1);
    engine.onWait = () => engine.put({ ...foreign, labels: {} });
    const result = await run(engine, [group({ replicas: 1 })], { timeoutMs: 5_000 });
    expect(result).toMatchObject({ exit: 3, ending: "settled" });
  });

  it("of a revision that the engine makes no worker of bring the old one back, and are not repeated", async () => {
    const engine = new FakeEngine([worker(1, { spec: { template: { command: ["old"] } } })]);
    engine.fail("create", new WgctlError("engine-rejected", "no such runtime"), "before", 9);
    const desired = [group({ replicas: 1 })];
    const serving = ["mailer-1 running"];
    expect(await run(engine, desired)).toMatchObject({ exit: 6, ending: "settled" });
    expect(world(engine)).toEqual(serving);
    expect(await run(engine, desired)).toMatchObject({ exit: 6, ending: "settled", done: 0 });
    expect(await run(engine, desired, { retry: true })).toMatchObject({ exit: 6, done: 4 });
    expect(world(engine)).toEqual(serving);
  });

  it("of one group do not keep another from its state", async () => {
    const engine = new FakeEngine();
    engine.images = { ...engine.images, "mailer:9": null };
    engine.fail("pull", new WgctlError("engine-denied", "no credentials"));
    const identity = { uid: "other", namespace: "default", name: "other" };
    const broken = group({ replicas: 1, template: { image: "mailer:9" } });
    const result = await run(engine, [broken, group({ replicas: 1 }, { identity })]);
    expect(result).toMatchObject({ exit: 1, ending: "settled" });
    expect(world(engine)).toEqual(["other-1 running"]);
  });
});

describe("what a worker needs and the engine lacks", () => {
  const networks = { networks: { backend: {} } };

  it("is found out before anything is retired for it", async () => {
    const engine = new FakeEngine([1, 2, 3].map((slot) => worker(slot)));
    engine.missingNetworks = ["backend"];
    const result = await run(engine, [group({ template: networks })]);
    expect(result).toMatchObject({ exit: 1, ending: "settled", done: 0 });
    expect(result.plan.groups[0]?.blocks.map(({ code }) => code)).toEqual(["NetworkMissing"]);
    expect(world(engine)).toEqual(["mailer-1 running", "mailer-2 running", "mailer-3 running"]);
  });

  it("does not keep a group from shrinking or from being deleted", async () => {
    const engine = new FakeEngine([1, 2, 3].map((slot) => worker(slot)));
    engine.missingNetworks = ["backend"];
    await run(engine, [group({ replicas: 2, template: networks })]);
    expect(world(engine)).toEqual(["mailer-1 running", "mailer-2 running"]);
    const deletionTimestamp = "2026-11-29T12:00:00Z";
    await run(engine, [group({ template: networks }, { deletionTimestamp })]);
    expect(world(engine)).toEqual([]);
  });
});

describe("R7: an engine that cannot be observed", () => {
  it("makes the conditions Unknown, forgets no worker, and throws", async () => {
    const engine = new FakeEngine();
    await run(engine, [group()]);
    engine.fail("list", new WgctlError("engine-timeout", "no answer"));
    await expect(run(engine, [group()])).rejects.toThrow("no answer");
    expect(await condition("Ready")).toMatchObject({
      status: "Unknown",
      reason: "EngineUnreachable",
    });
    expect((await readStatus()).groups[0]?.workers).toHaveLength(3);
  });

  it("is told from another engine, whose state is not touched", async () => {
    const engine = new FakeEngine();
    await run(engine, [group()]);
    const before = await readFile(join(folder, "status.json"), "utf8");
    const other = new FakeEngine();
    other.id = "OTHER";
    await expect(run(other, [group()])).rejects.toThrow("belongs to engine FAKE");
    expect(other.workers).toEqual([]);
    expect(await readFile(join(folder, "status.json"), "utf8")).toBe(before);
  });
});

describe("the end of a run", () => {
  it("comes with a no: nothing is changed and no file is made", async () => {
    const engine = new FakeEngine();
    const result = await run(engine, [group()], { confirm: true, ask: async () => false });
    expect(result).toMatchObject({ exit: 0, ending: "declined", done: 0 });
    expect(engine.workers).toEqual([]);
    await expect(readStatus()).rejects.toThrow("ENOENT");
  });

  it("comes with a stop at the question", async () => {
    const stop = new AbortController();
    const ask: Reporter["ask"] = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(false));
        stop.abort();
      });
    const engine = new FakeEngine();
    const result = await run(engine, [group()], { confirm: true, ask, stop });
    expect(result).toMatchObject({ ending: "interrupted", done: 0 });
    expect(engine.workers).toEqual([]);
  });

  it("does not count the time that a person takes to answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ask = async () => {
      vi.advanceTimersByTime(2 * OPTIONS.timeoutMs);
      return true;
    };
    const result = await run(new FakeEngine(), [group()], { confirm: true, ask });
    expect(result).toMatchObject({ ending: "settled", exit: 0 });
  });

  it("is not asked for where there is nothing to do", async () => {
    const ask = () => Promise.reject(new Error("asked"));
    const engine = new FakeEngine([worker(1), worker(2), worker(3)]);
    expect((await run(engine, [group()], { confirm: true, ask })).exit).toBe(0);
  });

  it("R8: comes with a stop between actions: what was done is written down", async () => {
    const stop = new AbortController();
    const engine = new FakeEngine();
    const onEvent = (event: ProgressEvent) => {
      if (event.kind === "action-ended") stop.abort();
    };
    const result = await run(engine, [group()], { stop, onEvent });
    expect(result).toMatchObject({ ending: "interrupted", done: 1 });
    expect(world(engine)).toEqual(["mailer-1 created"]);
    expect((await readStatus()).groups[0]?.workers.map(({ state }) => state)).toEqual(["Created"]);
  });

  it("R8: comes when its time is over: nothing new begins", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const engine = new FakeEngine([worker(1)]);
    engine.stubborn.add("mailer-1");
    engine.onWait = () => vi.advanceTimersByTime(OPTIONS.timeoutMs);
    const result = await run(engine, [group({ replicas: 0 })]);
    expect(result).toMatchObject({ ending: "timed-out", exit: 1 });
    expect(world(engine)).toEqual(["mailer-1 running"]);
  });

  it.each<[string, Partial<ApplyOptions>, object, readonly string[]]>([
    [
      "--once: after one pass",
      { once: true },
      { ending: "bounded", passes: 1, exit: 0 },
      ["mailer-1 running", "mailer-2 running", "mailer-3 running"],
    ],
    [
      "--no-wait: with nothing to do right now",
      { wait: false },
      { ending: "bounded", passes: 1, exit: 0 },
      ["mailer-1 running", "mailer-2 running", "mailer-3 running"],
    ],
    [
      "--max-actions: after so many calls",
      { maxActions: 3 },
      { ending: "bounded", done: 3, exit: 0 },
      ["mailer-1 running", "mailer-2 created"],
    ],
    [
      "a small budget: passes follow at once",
      { actionsPerPass: 2 },
      { ending: "settled", passes: 3, exit: 0 },
      ["mailer-1 running", "mailer-2 running", "mailer-3 running"],
    ],
    [
      "--detailed-exitcode",
      { once: true, detailedExitCode: true },
      { exit: 2 },
      ["mailer-1 running", "mailer-2 running", "mailer-3 running"],
    ],
  ])("%s", async (_, options, result, left) => {
    const engine = new FakeEngine();
    expect(await run(engine, [group()], options)).toMatchObject(result);
    expect(world(engine)).toEqual(left);
  });

  it("--verify: an engine that will not keep still is a failure", async () => {
    const engine = new FakeEngine([worker(1), worker(2), worker(3)]);
    const list = engine.listWorkers.bind(engine);
    let looks = 0;
    engine.listWorkers = async (signal) => {
      looks += 1;
      const listing = await list(signal);
      return looks === 1 ? listing : { ...listing, workers: listing.workers.slice(1) };
    };
    const result = await run(engine, [group()], { verify: true });
    expect(result).toMatchObject({ ending: "settled", isUnstable: true, exit: 1 });
  });
});

describe("pruning", () => {
  const project = {
    name: "payments",
    uid: "project-1",
    root: "/p",
    manifests: [],
    context: undefined,
    actionsPerPass: 100,
    prune: false,
    env: [],
  };
  const identity = { uid: "gone", namespace: "default", name: "gone" };
  const orphaned = () =>
    new FakeEngine([
      worker(1, { project: "project-1" }),
      worker(1, { identity, project: "project-1", id: "orphan" }),
    ]);

  it("takes the workers of a group that left, and no others", async () => {
    const engine = orphaned();
    const result = await run(engine, [group({ replicas: 1 })], {
      prune: true,
      workspace: { project },
    });
    expect(result.exit).toBe(0);
    expect(world(engine)).toEqual(["mailer-1 running"]);
  });

  it("is refused before anything is touched", async () => {
    const engine = orphaned();
    const refused = run(engine, [], { prune: true, workspace: { project } });
    await expect(refused).rejects.toThrow("no manifest declares a group");
    expect(engine.workers).toHaveLength(2);
  });

  it("is not so much as mentioned where only a part was read", async () => {
    const narrowed = { project, narrowed: true };
    const whole = await run(orphaned(), [group({ replicas: 1 })], { workspace: { project } });
    const part = await run(orphaned(), [group({ replicas: 1 })], { workspace: narrowed });
    expect([whole.plan.orphans.length, part.plan.orphans.length]).toEqual([1, 0]);
  });
});
