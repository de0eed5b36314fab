// Quirks of Docker that are too rare, too slow or too hard to bring about for the contract.

import { describe, expect, it } from "vitest";
import { removeTag, setHealth } from "../../../src/engine/simulated/hands.ts";
import { restartEngine } from "../../../src/engine/simulated/restart-engine.ts";
import { nextMoment } from "../../../src/engine/simulated/time.ts";
import { IMAGE, never, openBench, SECOND } from "./bench.ts";

describe("a health check", () => {
  it("counts failures in a row only", async () => {
    const { start, engine, run, world } = openBench();
    const healthcheck = { test: ["CMD", "true"], interval: 1, retries: 2 };
    const id = await start("mailer-1", { healthcheck });
    for (const verdict of [true, false, true, false, true, false]) {
      setHealth(world, id, verdict);
      engine.advance(1050);
      expect(await run(id)).toMatchObject({ health: { status: "healthy" } });
    }
    engine.advance(1050);
    expect(await run(id)).toMatchObject({ health: { status: "unhealthy" } });
  });
});

describe("a start by hand", () => {
  it("begins anew with the short waits", async () => {
    const { start, engine, world } = openBench({ lives: [{ end: { after: 0, code: 1 } }] });
    const id = await start("mailer-1", { restart: "always" });
    engine.advance(20 * SECOND);
    await engine.signalWorker(id, "SIGTERM", never);
    await engine.startWorker(id, never);
    engine.advance(0);
    expect((nextMoment(world) ?? 0) - engine.ticks()).toBe(100);
  });
});

describe("a create", () => {
  it("with a further network that is missing makes nothing", async () => {
    const { create, engine, world } = openBench({ networks: ["a"] });
    await expect(create("mailer-1", { networks: { a: {}, b: {} } })).rejects.toMatchObject({
      code: "engine-not-found",
    });
    expect((await engine.listWorkers(never)).workers).toEqual([]);
    expect(world.names).toEqual({});
  });

  it("whose image goes away meanwhile fails and gives the name back", async () => {
    const { create, world } = openBench();
    world.faults.push({ call: "createWorker", effect: { kind: "slow", seconds: 5 } });
    const creating = create("mailer-1");
    removeTag(world, IMAGE);
    await expect(creating).rejects.toMatchObject({ code: "engine-not-found" });
    expect(world.names).toEqual({});
  });

  it("takes the stop signal of its image, unless it has its own", async () => {
    const { create, facts, world } = openBench();
    const id = world.tags[IMAGE] ?? "";
    world.images[id] = { id, stopSignal: "SIGQUIT" };
    await create("mailer-1");
    await create("mailer-2", { stop_signal: "TERM" });
    expect((await facts("mailer-1"))?.stopSignal).toBe("SIGQUIT");
    expect((await facts("mailer-2"))?.stopSignal).toBe("SIGTERM");
  });
});

describe("what is being removed", () => {
  it("cannot be armed, and is dead after a restart of the engine", async () => {
    const { create, engine, run, world } = openBench();
    const id = await create();
    const effect = { kind: "late", seconds: 60, code: "engine-timeout" } as const;
    world.faults.push({ call: "removeWorker", effect });
    await expect(engine.removeWorker(id, never)).rejects.toMatchObject({ code: "engine-timeout" });
    await expect(engine.setRestartPolicy(id, "always", never)).rejects.toMatchObject({
      code: "engine-failed",
    });
    restartEngine(world, "orderly");
    engine.advance(120 * SECOND);
    expect(await run(id)).toEqual({ kind: "dead" });
  });
});

describe("late effects", () => {
  it("come in the order of their times, not of their calls", async () => {
    const { create, engine, facts, world } = openBench();
    const id = await create("a-1");
    for (const seconds of [9, 3]) {
      const effect = { kind: "late", seconds, code: "engine-timeout" } as const;
      world.faults.push({ call: "setRestartPolicy", effect });
    }
    await engine.setRestartPolicy(id, "always", never).catch(() => undefined);
    await engine.setRestartPolicy(id, "no", never).catch(() => undefined);
    engine.advance(4 * SECOND);
    expect((await facts(id))?.restartPolicy).toBe("no");
    engine.advance(6 * SECOND);
    expect((await facts(id))?.restartPolicy).toBe("always");
  });
});
