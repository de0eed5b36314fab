import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/engine/simulated/script.ts";
import { never, openBench, SECOND } from "./bench.ts";

const timeout = { code: "engine-timeout" };

describe("a fault", () => {
  it("before the effect leaves everything as it was, once", async () => {
    const { create, engine } = openBench({
      faults: [{ call: "createWorker", effect: { kind: "fail-before", code: "engine-failed" } }],
    });
    await expect(create()).rejects.toMatchObject({ code: "engine-failed" });
    expect((await engine.listWorkers(never)).workers).toEqual([]);
    await create();
  });

  it("after the effect loses the answer alone", async () => {
    const { create, facts } = openBench({
      faults: [
        { call: "createWorker", effect: { kind: "fail-after", code: "engine-unreachable" } },
      ],
    });
    await expect(create("mailer-1")).rejects.toMatchObject({ code: "engine-unreachable" });
    expect(await facts("mailer-1")).toMatchObject({ name: "mailer-1" });
  });

  it("that is late holds the name, shows nothing, and has its effect after the deadline", async () => {
    const { create, facts, engine } = openBench({
      faults: [{ call: "createWorker", effect: { kind: "late", seconds: 40 } }],
    });
    const began = engine.ticks();
    await expect(create("mailer-1")).rejects.toMatchObject(timeout);
    expect(engine.ticks() - began).toBe(30 * SECOND);
    expect(await facts("mailer-1")).toBeUndefined();
    expect(await engine.findHolders(["mailer-1"], never)).toEqual({});
    await expect(create("mailer-1")).rejects.toMatchObject({ code: "engine-conflict" });
    engine.advance(10 * SECOND);
    expect(await facts("mailer-1")).toMatchObject({ run: { kind: "created" } });
  });

  it("that is late and cut off answers at once", async () => {
    const { start, create, run, engine } = openBench();
    const id = await create();
    const effect = { kind: "late", seconds: 5, code: "engine-unreachable" } as const;
    engine.world.faults.push({ call: "startWorker", effect });
    const began = engine.ticks();
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({
      code: "engine-unreachable",
    });
    expect(engine.ticks()).toBe(began);
    expect(await run(id)).toEqual({ kind: "created" });
    engine.advance(5 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "running", startedAt: began + 5 * SECOND });
    await start("mailer-2");
  });

  it("that is late on what has gone by then does nothing", async () => {
    const { create, engine, facts } = openBench();
    const id = await create("mailer-1");
    const effect = { kind: "late", seconds: 5, code: "engine-timeout" } as const;
    engine.world.faults.push({ call: "renameWorker", effect });
    await expect(engine.renameWorker(id, "mailer-1.kept-1", never)).rejects.toMatchObject(timeout);
    await engine.removeWorker(id, never);
    engine.advance(10 * SECOND);
    expect(await facts(id)).toBeUndefined();
    expect(engine.world.names).toEqual({});
  });

  it("in a rename holds both names until it has happened", async () => {
    const { create, engine, facts } = openBench();
    const id = await create("old-1");
    engine.world.faults.push({ call: "renameWorker", effect: { kind: "slow", seconds: 2 } });
    const renaming = engine.renameWorker(id, "new-1", never);
    await expect(create("old-1")).rejects.toMatchObject({ code: "engine-conflict" });
    await expect(create("new-1")).rejects.toMatchObject({ code: "engine-conflict" });
    expect(await facts(id)).toMatchObject({ name: "old-1" });
    expect(await engine.findHolders(["new-1"], never)).toEqual({});
    await renaming;
    expect(await facts(id)).toMatchObject({ name: "new-1" });
    await create("old-1");
  });

  it("that is slow takes virtual time, and shows a removal under way", async () => {
    const { create, engine, run } = openBench();
    const id = await create();
    engine.world.faults.push({ call: "removeWorker", effect: { kind: "slow", seconds: 3 } });
    const began = engine.ticks();
    const removing = engine.removeWorker(id, never);
    expect(await run(id)).toEqual({ kind: "removing" });
    await engine.removeWorker(id, never);
    await removing;
    expect(await run(id)).toBeUndefined();
    expect(engine.ticks() - began).toBe(3 * SECOND);
  });

  it("that is slower than the deadline is a time-out whose effect comes", async () => {
    const { create, engine, facts } = openBench({
      faults: [{ call: "createWorker", effect: { kind: "slow", seconds: 31 } }],
    });
    await expect(create("mailer-1")).rejects.toMatchObject(timeout);
    expect(await facts("mailer-1")).toBeUndefined();
    engine.advance(SECOND);
    expect(await facts("mailer-1")).toBeDefined();
  });

  it.each(["listWorkers", "identify", "resolveImages"] as const)(
    "hangs %s until the deadline",
    async (call) => {
      const { engine } = openBench({ faults: [{ call, effect: { kind: "hang" } }] });
      const began = engine.ticks();
      const calls = {
        listWorkers: () => engine.listWorkers(never),
        identify: () => engine.identify(never),
        resolveImages: () => engine.resolveImages(["a"], never),
      };
      await expect(calls[call]()).rejects.toMatchObject(timeout);
      expect(engine.ticks() - began).toBe(30 * SECOND);
      await calls[call]();
    },
  );

  it("that hangs ends with the caller's signal, in no time, without effect", async () => {
    const { create, engine } = openBench();
    const id = await create();
    engine.world.faults.push({ call: "startWorker", effect: { kind: "hang" } });
    const controller = new AbortController();
    const began = engine.ticks();
    const starting = engine.startWorker(id, controller.signal);
    controller.abort();
    await expect(starting).rejects.toMatchObject({ code: "aborted" });
    expect(engine.ticks()).toBe(began);
  });

  it("that is stale shows the past, by the clock of today", async () => {
    const { create, start, engine } = openBench();
    engine.world.faults.push({
      call: "listWorkers",
      skip: 2,
      effect: { kind: "stale", seconds: 10 },
    });
    const id = await create();
    await engine.listWorkers(never);
    engine.advance(20 * SECOND);
    await engine.startWorker(id, never);
    await start("mailer-2");
    expect((await engine.listWorkers(never)).workers).toHaveLength(2);
    const { workers, now } = await engine.listWorkers(never);
    expect(workers.map(({ name, run }) => `${name} ${run.kind}`)).toEqual(["mailer-1 created"]);
    expect(now).toBe(engine.ticks());
    expect((await engine.listWorkers(never)).workers).toHaveLength(2);
  });

  it("that hides a container from inspection lists it as unknown", async () => {
    const { create, engine } = openBench({
      faults: [{ call: "listWorkers", effect: { kind: "unknown", name: "mailer-1" } }],
    });
    const id = await create("mailer-1");
    await create("mailer-2");
    const { workers, unknown } = await engine.listWorkers(never);
    expect(workers.map(({ name }) => name)).toEqual(["mailer-2"]);
    expect(unknown).toMatchObject([{ id, name: "mailer-1", labels: { "dev.wgctl.uid": "u1" } }]);
  });

  it("in a removal can leave a dead container, which can be removed and not started", async () => {
    const { create, engine, run } = openBench({
      faults: [{ call: "removeWorker", effect: { kind: "leave-dead" } }],
    });
    const id = await create();
    await expect(engine.removeWorker(id, never)).rejects.toMatchObject({ code: "engine-failed" });
    expect(await run(id)).toEqual({ kind: "dead" });
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({ code: "engine-conflict" });
    await engine.removeWorker(id, never);
    expect(await run(id)).toBeUndefined();
  });

  it("that only waits does not let a shorter wait be late", async () => {
    const { engine } = openBench({
      faults: [{ call: "identify", effect: { kind: "slow", seconds: 9 } }],
    });
    const began = engine.ticks();
    const order: string[] = [];
    await Promise.all([
      engine.identify(never).then(() => order.push(`identify ${engine.ticks() - began}`)),
      engine.waitForChange(2000, never).then(() => order.push(`wait ${engine.ticks() - began}`)),
    ]);
    expect(order).toEqual(["wait 2000", "identify 9000"]);
  });
});

describe("which calls a fault is for", () => {
  const failing = (rest: Partial<Fault>): Fault => ({
    call: "createWorker",
    effect: { kind: "fail-before", code: "engine-failed" },
    ...rest,
  });

  it.each<[string, readonly Fault[], string]>([
    ["one", [failing({})], "x.."],
    ["several", [failing({ times: 2 })], "xx."],
    ["always", [failing({ times: "always" })], "xxx"],
    ["after some that go well", [failing({ skip: 1 })], ".x."],
    ["of another method", [failing({ call: "startWorker" })], "..."],
    ["any method", [failing({ call: "any" })], "x.."],
    ["about a name", [failing({ on: "mailer-2" })], ".x."],
    ["two faults in turn", [failing({}), failing({ skip: 1 })], "x.x"],
  ])("%s", async (_, faults, expected) => {
    const { create } = openBench({ faults });
    const outcomes = [];
    for (const name of ["mailer-1", "mailer-2", "mailer-3"]) {
      outcomes.push(
        await create(name).then(
          () => ".",
          () => "x",
        ),
      );
    }
    expect(outcomes.join("")).toBe(expected);
  });

  it("names a container by its name where the call has its id", async () => {
    const { start, engine } = openBench({
      faults: [failing({ call: "signalWorker", on: "mailer-1" })],
    });
    const [one, two] = [await start("mailer-1"), await start("mailer-2")];
    await engine.signalWorker(two, "SIGTERM", never);
    await expect(engine.signalWorker(one, "SIGTERM", never)).rejects.toMatchObject({
      code: "engine-failed",
    });
  });
});
