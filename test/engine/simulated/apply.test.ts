// The whole of `apply` on the simulated engine, from an empty host to a moved image, in virtual time.

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endByItself, removeByForce } from "../../../src/engine/simulated/hands.ts";
import { tagImage } from "../../../src/engine/simulated/image.ts";
import { restartEngine } from "../../../src/engine/simulated/restart-engine.ts";
import type { Fault, Life } from "../../../src/engine/simulated/script.ts";
import type { World } from "../../../src/engine/simulated/world.ts";
import { IMAGE, makeWorld, SECOND } from "./bench.ts";
import { type Change, Deployment } from "./deployment.ts";

let folder: string;
let world: World;
let group: Deployment;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-simulated-"));
  world = makeWorld();
  group = new Deployment(world, join(folder, "state"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIVE = ["1 running", "2 running", "3 running", "4 running", "5 running"];

/** Applies, and expects it to end well. */
async function settle(
  change: Change = {},
): Promise<{ readonly done: number; readonly seconds: number }> {
  const began = world.now;
  const { exit, ending, isUnstable, done } = await group.apply(change);
  expect({ exit, ending, isUnstable }).toEqual({ exit: 0, ending: "settled", isUnstable: false });
  return { done, seconds: (world.now - began) / SECOND };
}

describe("apply on the simulated engine", () => {
  it("makes five workers, waits for them to be available, and then does nothing", async () => {
    const first = await settle();
    expect(first.done).toBe(10);
    expect(first.seconds).toBeGreaterThanOrEqual(5);
    expect(first.seconds).toBeLessThan(8);
    expect(group.lines()).toEqual(FIVE);

    const before = structuredClone(world);
    const file = await stat(join(folder, "state/status.json"));
    expect(await settle()).toEqual({ done: 0, seconds: 0 });
    expect(world).toEqual(before);
    expect(await stat(join(folder, "state/status.json"))).toMatchObject({
      ino: file.ino,
      mtimeMs: file.mtimeMs,
    });
  });

  it("rolls one by one when the template changes", async () => {
    await settle();
    const old = group.names();
    group.samples.length = 0;
    await settle({ template: { environment: { QUEUE: "post" } } });
    expect(group.lines()).toEqual(FIVE);
    expect(group.names().filter((name) => old.includes(name))).toEqual([]);
    expect(Math.min(...group.samples.map(({ running }) => running))).toBe(4);
    expect(Math.max(...group.samples.map(({ existing }) => existing))).toBe(5);
  });

  it("rolls with surge: never fewer than five, never more than seven", async () => {
    const rollout = {
      strategy: "RollingUpdate",
      maxUnavailable: { kind: "count", count: 0 },
      maxSurge: { kind: "count", count: 2 },
      ...{ minReadySeconds: 1, healthyDeadlineSeconds: 300, paused: false },
      progressDeadlineSeconds: 600,
      onFailure: "Pause",
    } as const;
    await settle({ rollout });
    group.samples.length = 0;
    await settle({ rollout, template: { environment: { QUEUE: "post" } } });
    expect(group.lines()).toEqual(FIVE);
    expect(Math.min(...group.samples.map(({ running }) => running))).toBe(5);
    expect(Math.max(...group.samples.map(({ existing }) => existing))).toBe(7);
  });

  it("scales down from the highest slot, and up again", async () => {
    await settle();
    await settle({ replicas: 2 });
    expect(group.lines()).toEqual(["1 running", "2 running"]);
    await settle();
    expect(group.lines()).toEqual(FIVE);
  });

  it("brings back what was removed by hand, under its name, with or without its files", async () => {
    await settle();
    const names = group.names();
    removeByForce(world, names[1] ?? "");
    await group.loseFiles();
    expect(await settle()).toMatchObject({ done: 2 });
    expect(group.names()).toEqual(names);
  });

  it("replaces a worker that crashed, after a while", async () => {
    await settle();
    const [first = "", ...others] = group.names();
    endByItself(world, first, { code: 1 });
    const { seconds } = await settle();
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(group.lines()).toEqual(FIVE);
    expect(group.names()).toEqual(expect.arrayContaining([...others, `${first}-2`]));
  });

  it("rolls when the tag of its image moves", async () => {
    await settle();
    tagImage(world, IMAGE, { id: "sha256:moved" });
    await settle();
    expect(group.lines()).toEqual(FIVE);
    expect(new Set(group.containers().map(({ imageId }) => imageId))).toEqual(
      new Set(["sha256:moved"]),
    );
  });

  it("pulls an image that is not there", async () => {
    const image = { id: "sha256:pulled" };
    world.registry.images["mailer:2"] = { kind: "image", image, seconds: 30 };
    await settle({ template: { image: "mailer:2" } });
    expect(group.lines()).toEqual(FIVE);
  });

  it("kills a worker that does not stop, once its grace is over", async () => {
    world.lives.push({ stop: "ignore" });
    await settle({ template: { stop_grace_period: 40, restart: "always" } });
    const { seconds } = await settle({
      replicas: 4,
      template: { stop_grace_period: 40, restart: "always" },
    });
    expect(group.lines()).toHaveLength(4);
    expect(seconds).toBeGreaterThanOrEqual(40);
    expect(seconds).toBeLessThan(43);
  });

  it("takes up again what a restart of the engine brought back or left", async () => {
    await settle({ template: { restart: "always" } });
    const names = group.names();
    restartEngine(world, "crash");
    await settle({ template: { restart: "always" } });
    expect(group.names()).toEqual(names);
  });

  it("waits for slow ones, and for those that crash twice before they run", async () => {
    const lives: readonly Life[] = [
      { match: { label: "dev.wgctl.slot=2" }, healthy: { from: 120 } },
      { match: { label: "dev.wgctl.slot=3" }, starts: 2, end: { after: 1, code: 1 } },
    ];
    world.lives.push(...lives);
    const healthcheck = { test: ["CMD", "true"], interval: 5, retries: 3, start_period: 200 };
    const { seconds } = await settle({ template: { restart: "always", healthcheck } });
    expect(group.lines()).toEqual(FIVE);
    expect(seconds).toBeGreaterThan(120);
  });

  it.each<[string, readonly Fault[]]>([
    [
      "a create whose answer is lost",
      [{ call: "createWorker", effect: { kind: "fail-after", code: "engine-unreachable" } }],
    ],
    ["a create that comes late", [{ call: "createWorker", effect: { kind: "late", seconds: 45 } }]],
    [
      "a create that fails",
      [{ call: "createWorker", effect: { kind: "fail-before", code: "engine-failed" } }],
    ],
    ["a start that hangs", [{ call: "startWorker", effect: { kind: "hang" } }]],
    [
      "a start that comes late",
      [{ call: "startWorker", effect: { kind: "late", seconds: 2, code: "engine-unreachable" } }],
    ],
    ["a slow engine", [{ call: "createWorker", times: 5, effect: { kind: "slow", seconds: 3 } }]],
  ])("never makes a worker too many: %s", async (_, faults) => {
    world.faults.push(...structuredClone(faults));
    await group.apply();
    await settle();
    expect(group.lines()).toEqual(FIVE);
    expect(Math.max(...group.samples.map(({ existing }) => existing))).toBeLessThanOrEqual(5);
    expect(world.faults).toEqual([]);
  });

  it("reports an engine that is down, and touches nothing", async () => {
    await settle();
    const before = structuredClone(world.containers);
    world.faults.push({
      call: "any",
      times: "always",
      effect: { kind: "fail-before", code: "engine-unreachable" },
    });
    await expect(group.apply({ replicas: 1 })).rejects.toMatchObject({
      code: "engine-unreachable",
    });
    expect(world.containers).toEqual(before);
  });
});
