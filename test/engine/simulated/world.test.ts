import { describe, expect, it } from "vitest";
import { pause, unpause } from "../../../src/engine/simulated/hands.ts";
import { advance, nextMoment } from "../../../src/engine/simulated/time.ts";
import { never, openBench, SECOND } from "./bench.ts";

describe("time", () => {
  it("moves only when somebody waits, and then to what happens next", async () => {
    const { engine, start } = openBench({ lives: [{ end: { after: 7 } }] });
    const began = engine.ticks();
    await start();
    await engine.listWorkers(never);
    expect(engine.ticks()).toBe(began);
    await engine.waitForChange(60 * SECOND, never);
    expect(engine.ticks()).toBe(began + 7 * SECOND);
    await engine.listWorkers(never);
    await engine.waitForChange(60 * SECOND, never);
    expect(engine.ticks()).toBe(began + 67 * SECOND);
  });

  it("is told to the second by listings, and exact in facts", async () => {
    const { engine, start, run } = openBench();
    engine.advance(1234);
    const id = await start();
    expect((await engine.listWorkers(never)).now % 1000).toBe(0);
    expect(await run(id)).toMatchObject({ startedAt: engine.ticks() });
  });

  it("does not age what is paused", async () => {
    const { engine, start, run, world } = openBench({ lives: [{ end: { after: 10 } }] });
    const id = await start();
    engine.advance(4 * SECOND);
    pause(world, id);
    engine.advance(3600 * SECOND);
    unpause(world, id);
    engine.advance(5.9 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "running" });
    engine.advance(0.1 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited" });
  });

  it("notes the end of a process that ends at once before its start", async () => {
    const { engine, start, run } = openBench({ lives: [{ end: { after: 0, code: 1 } }] });
    const id = await start();
    engine.advance(0);
    const facts = await run(id);
    if (facts?.kind !== "exited") throw new Error(`it is ${facts?.kind}`);
    expect(facts.finishedAt).toBeLessThan(facts.startedAt);
  });

  it("waits for restarts twice as long each time, up to a minute, and forgives after ten seconds", async () => {
    const { engine, start, run, world } = openBench({ lives: [{ end: { after: 0, code: 1 } }] });
    const id = await start("mailer-1", { restart: "always" });
    const waits = Array.from({ length: 12 }, () => {
      advance(world, 0);
      const at = nextMoment(world) ?? Number.NaN;
      const wait = at - engine.ticks();
      engine.advance(wait);
      return wait;
    });
    expect(waits.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(waits.slice(-3)).toEqual([51_200, 60_000, 60_000]);
    world.lives[0] = { end: { after: 10, code: 1 } };
    engine.advance(60 * SECOND + 10 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "restarting" });
    expect((nextMoment(world) ?? 0) - engine.ticks()).toBe(100);
  });
});

describe("a world", () => {
  it("can be cloned, and each goes its own way to the same end", async () => {
    const { engine, start, create, world } = openBench({ lives: [{ end: { after: 3, code: 1 } }] });
    await start("mailer-1", {
      restart: "always",
      healthcheck: { test: ["CMD", "true"], interval: 1 },
    });
    await create("mailer-2");
    const twin = structuredClone(world);
    expect(twin).toEqual(world);
    engine.advance(20 * SECOND);
    expect(twin).not.toEqual(world);
    advance(twin, 20 * SECOND);
    expect(twin).toEqual(world);
  });

  it("is JSON, to the last value", async () => {
    const { engine, start, world } = openBench({ lives: [{ end: { after: 3, code: 1 } }] });
    await start("mailer-1", {
      restart: "always",
      healthcheck: { test: ["CMD", "true"], interval: 1 },
    });
    engine.advance(10 * SECOND);
    const copy = JSON.parse(JSON.stringify(world));
    expect(copy).toEqual(world);
  });

  it("remembers a signal for 256 events, of which every probe of health makes three", async () => {
    const { engine, start, world } = openBench();
    const id = await start("mailer-1", { healthcheck: { test: ["CMD", "true"], interval: 1 } });
    const since = engine.ticks();
    await engine.signalWorker(id, "SIGUSR2", never);
    const remembered = () => engine.findSignalled([id], since, never);
    const first = world.events;
    while (world.events < first + 253) engine.advance(1050);
    expect(await remembered()).toEqual([id]);
    engine.advance(1050);
    expect(await remembered()).toEqual([]);
  });
});
