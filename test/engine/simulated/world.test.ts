import { describe, expect, it } from "vitest";
import {
  endByItself,
  pause,
  removeByForce,
  removeNetwork,
  stopByHand,
  unpause,
} from "../../../src/engine/simulated/hands.ts";
import { perform } from "../../../src/engine/simulated/in-flight.ts";
import { restartEngine } from "../../../src/engine/simulated/restart-engine.ts";
import type { Capacity, Offer } from "../../../src/engine/simulated/script.ts";
import { advance, nextMoment } from "../../../src/engine/simulated/time.ts";
import { IMAGE, never, openBench, SECOND } from "./bench.ts";

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

  it("remembers 256 events, of which every probe of health takes three", async () => {
    const { engine, start, world } = openBench();
    const a = await start("mailer-1", { healthcheck: { test: ["CMD", "true"], interval: 1 } });
    const since = engine.ticks();
    await engine.signalWorker(a, "SIGUSR2", never);
    engine.advance(84 * 1.05 * SECOND);
    expect(await engine.findSignalled([a], since, never)).toEqual([a]);
    engine.advance(5 * SECOND);
    expect(await engine.findSignalled([a], since, never)).toEqual([]);
    expect(world.events).toHaveLength(256);
  });
});

describe("room", () => {
  it.each<[string, Capacity, number]>([
    ["any number", {}, 5],
    ["three workers", { workers: 3 }, 3],
    ["two CPUs", { cpus: 2 }, 4],
    ["a gigabyte", { memory: 1024 ** 3 }, 2],
  ])("for %s", async (_, capacity, expected) => {
    const { create, engine, run } = openBench({ capacity });
    let running = 0;
    for (const index of [1, 2, 3, 4, 5]) {
      const id = await create(`mailer-${index}`, { cpus: 0.5, mem_limit: 512 * 1024 ** 2 });
      const outcome = await engine.startWorker(id, never).catch((error) => error.code);
      running += outcome === undefined ? 1 : 0;
      if (outcome === undefined) continue;
      expect(outcome).toBe("engine-failed");
      expect(await run(id)).toMatchObject({ kind: "created", error: /no|all/ });
    }
    expect(running).toBe(expected);
  });

  it.each<[string, object, object, boolean]>([
    ["the same port", { published: "80" }, { published: "80" }, true],
    ["another port", { published: "80" }, { published: "81" }, false],
    ["another protocol", { published: "80" }, { published: "80", protocol: "udp" }, false],
    [
      "addresses of their own",
      { published: "80", host_ip: "10.0.0.1" },
      { published: "80", host_ip: "10.0.0.2" },
      false,
    ],
    [
      "one address and all of them",
      { published: "80", host_ip: "10.0.0.1" },
      { published: "80" },
      true,
    ],
    ["whatever the engine picks", {}, {}, false],
  ])("on a host port: %s", async (_, first, second, isTaken) => {
    const { start, create, engine } = openBench();
    const port = (more: object) => ({ ports: [{ target: 80, protocol: "tcp" as const, ...more }] });
    await start("mailer-1", port(first));
    const id = await create("mailer-2", port(second));
    const outcome = await engine.startWorker(id, never).catch((error) => error.code);
    expect(outcome).toBe(isTaken ? "engine-failed" : undefined);
  });

  it("is given back while a worker waits for its restart, which the next holder then ends", async () => {
    const { start, engine, run } = openBench({
      lives: [{ match: { name: "a" }, end: { after: 1, code: 1 } }],
    });
    const port = { ports: [{ target: 80, published: "80", protocol: "tcp" as const }] };
    const id = await start("a-1", { ...port, restart: "always" });
    engine.advance(1 * SECOND);
    await start("b-1", port);
    engine.advance(1 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited", exitCode: 1, error: /80/ });
  });
});

describe("a pull", () => {
  const pull = async (offer: Offer | undefined, anything = false) => {
    const images = offer === undefined ? {} : { "mailer:2": offer };
    const { engine } = openBench({ registry: { anything, images } });
    const began = engine.ticks();
    const lines: string[] = [];
    const code = await engine
      .pullImage("mailer:2", (line) => lines.push(line), never)
      .then(
        () => "pulled",
        (error) => error.code,
      );
    const { "mailer:2": id } = await engine.resolveImages(["mailer:2"], never);
    return { code, id, seconds: (engine.ticks() - began) / SECOND, lines };
  };

  it("takes its time and brings the image", async () => {
    const offer: Offer = { kind: "image", image: { id: "sha256:22" }, seconds: 95 };
    expect(await pull(offer)).toMatchObject({ code: "pulled", id: "sha256:22", seconds: 95 });
  });

  it.each<[string, Offer | undefined, string]>([
    ["what the registry does not know", undefined, "engine-not-found"],
    [
      "what it refuses",
      { kind: "refusal", code: "engine-denied", message: "denied" },
      "engine-denied",
    ],
    [
      "from one in trouble",
      { kind: "refusal", code: "engine-failed", message: "503" },
      "engine-failed",
    ],
    ["from one that is silent", { kind: "silence" }, "engine-timeout"],
  ])("of %s fails", async (_, offer, code) => {
    expect(await pull(offer)).toMatchObject({ code, id: null });
  });

  it("from a registry of everything brings an image that follows from its name", async () => {
    const first = await pull(undefined, true);
    expect(first).toMatchObject({ code: "pulled", lines: ["pulling", "pulled"] });
    expect(first.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await pull(undefined, true)).toEqual(first);
  });

  it.each([
    ["mailer:1", "docker.io/library/mailer:1"],
    ["latest", "latest:latest"],
    ["ghcr.io:443/a/b", "ghcr.io:443/a/b:latest"],
  ])("knows %s also as %s", async (reference, whole) => {
    const { engine } = openBench({ registry: { anything: true } });
    await engine.pullImage(reference, () => undefined, never);
    const found = await engine.resolveImages([reference, whole], never);
    expect(found[whole]).toBe(found[reference]);
    expect(found[whole]).not.toBeNull();
  });
});

describe("somebody else", () => {
  it("stops a worker: its signal, and a kill when the grace is over", async () => {
    const { start, engine, run, world } = openBench({ lives: [{ stop: "ignore" }] });
    const id = await start("mailer-1", { restart: "always", stop_grace_period: 5 });
    stopByHand(world, id);
    engine.advance(4.9 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "running" });
    engine.advance(0.1 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited", exitCode: 137 });
  });

  it("removes by force what runs, and its name is free", async () => {
    const { start, create, world } = openBench();
    removeByForce(world, await start("mailer-1"));
    await create("mailer-1");
  });

  it("takes a network away, and what is attached cannot start again", async () => {
    const { start, engine, world, run } = openBench({ networks: ["shop"] });
    const id = await start("mailer-1", { networks: { shop: {} } });
    removeNetwork(world, "shop");
    endByItself(world, id, { code: 1 });
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({ code: "engine-not-found" });
    expect(await run(id)).toMatchObject({ kind: "exited", error: "network shop not found" });
  });

  it("makes the labels of an image those of its containers, under their own", () => {
    const { world } = openBench();
    world.images["sha256:99"] = { id: "sha256:99", labels: { a: "image", b: "image" } };
    const template = { image: "sha256:99" };
    const request = { name: "copy", labels: { b: "own" }, template };
    const id = perform(world, { kind: "createWorker", request });
    expect(world.containers[id]?.labels).toEqual({ a: "image", b: "own" });
  });

  it.each<[string, boolean, string]>([
    ["healthy by its image's check", false, "healthy"],
    ["of no check when the template says so", true, "none"],
  ])("finds a worker %s", async (_, isOff, expected) => {
    const { start, engine, run, world } = openBench();
    const id = world.tags[IMAGE] ?? "";
    world.images[id] = { id, healthcheck: { test: ["CMD", "true"], interval: 1 } };
    await start("mailer-1", isOff ? { healthcheck: { test: ["NONE"] } } : {});
    engine.advance(2 * SECOND);
    const facts = await run("mailer-1");
    expect(facts?.kind === "running" ? (facts.health?.status ?? "none") : facts?.kind).toBe(
      expected,
    );
  });

  // The contract has the orderly stop; a crash can only be had on the simulated engine in reasonable time.
  it("kills the engine: what ran counts as stopped by hand", async () => {
    const { start, run, world } = openBench();
    const ids = { always: "", "unless-stopped": "", "on-failure": "", no: "" };
    for (const restart of Object.keys(ids)) await start(`mailer-${restart}`, { restart });
    restartEngine(world, "crash");
    const kinds = Object.keys(ids).map(async (each) => [each, (await run(`mailer-${each}`))?.kind]);
    expect(Object.fromEntries(await Promise.all(kinds))).toEqual({
      always: "running",
      "unless-stopped": "exited",
      "on-failure": "exited",
      no: "exited",
    });
  });

  it("restarts the engine: what was under way never happens, and its name is free", async () => {
    const { create, world, engine, facts } = openBench({
      faults: [
        { call: "createWorker", effect: { kind: "late", seconds: 5, code: "engine-unreachable" } },
      ],
    });
    await create("mailer-1").catch(() => undefined);
    restartEngine(world, "orderly");
    engine.advance(10 * SECOND);
    expect(await facts("mailer-1")).toBeUndefined();
    await create("mailer-1");
  });
});
