import { describe, expect, it } from "vitest";
import {
  endByItself,
  removeByForce,
  removeNetwork,
  stopByHand,
} from "../../../src/engine/simulated/hands.ts";
import { perform } from "../../../src/engine/simulated/in-flight.ts";
import { restartEngine } from "../../../src/engine/simulated/restart-engine.ts";
import { IMAGE, never, openBench, SECOND } from "./bench.ts";

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
    const { create, world, engine } = openBench({
      faults: [
        { call: "createWorker", effect: { kind: "late", seconds: 5, code: "engine-unreachable" } },
      ],
    });
    await create("mailer-1").catch(() => undefined);
    restartEngine(world, "orderly");
    engine.advance(10 * SECOND);
    expect(world.containers).toEqual({});
    await create("mailer-1");
  });
});
