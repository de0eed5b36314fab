// Apply on a simulated engine whose registry moves or is down, and whose host has only so much room.

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { push } from "../../../src/engine/simulated/hands.ts";
import type { World } from "../../../src/engine/simulated/world.ts";
import { IMAGE, makeWorld } from "./bench.ts";
import { type Change, Deployment } from "./deployment.ts";

let folder: string;
let world: World;
let group: Deployment;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-scarcity-"));
  world = makeWorld({ registry: { anything: true } });
  group = new Deployment(world, join(folder, "state"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const images = () => new Set(group.containers().map(({ imageId }) => imageId));
const FIVE = ["1 running", "2 running", "3 running", "4 running", "5 running"];

/** A run that changes nothing, neither world nor file. */
async function expectStill(change: Change, exit = 0): Promise<void> {
  const file = () => stat(join(folder, "state/status.json"), { bigint: true });
  const { mtimeNs } = await file();
  const containers = structuredClone(world.containers);
  expect((await group.apply(change)).exit).toBe(exit);
  expect(world.containers).toEqual(containers);
  expect((await file()).mtimeNs).toBe(mtimeNs);
}

describe("a registry that is asked always", () => {
  const always: Change = { pullPolicy: "always" };

  it("and has another image: pulled and rolled once", async () => {
    expect((await group.apply(always)).exit).toBe(0);
    await expectStill(always);
    push(world, IMAGE, { id: "sha256:next" });
    expect((await group.apply(always)).exit).toBe(0);
    expect(group.lines()).toEqual(FIVE);
    expect(images()).toEqual(new Set(["sha256:next"]));
    await expectStill(always);
  });

  it("and is down: nobody is touched, the next run says the same, and it is over when it is up", async () => {
    await group.apply(always);
    push(world, IMAGE, { id: "sha256:next" });
    world.registry.down = "connection refused";
    const before = group.names();
    expect((await group.apply(always)).exit).toBe(1);
    expect(group.names()).toEqual(before);
    await expectStill(always, 1);
    delete world.registry.down;
    expect((await group.apply(always)).exit).toBe(0);
    expect(images()).toEqual(new Set(["sha256:next"]));
  });

  it("and is down only for a moment: the run goes on by itself", async () => {
    await group.apply(always);
    push(world, IMAGE, { id: "sha256:next" });
    const effect = { kind: "fail-before", code: "engine-failed" } as const;
    world.faults.push({ call: "findDigest", times: 2, effect });
    expect((await group.apply(always)).exit).toBe(0);
    expect(images()).toEqual(new Set(["sha256:next"]));
  });

  it("and then cannot be pulled from: the old image is used on", async () => {
    await group.apply(always);
    const before = group.names();
    push(world, IMAGE, { id: "sha256:next" });
    const effect = { kind: "fail-before", code: "engine-failed" } as const;
    world.faults.push({ call: "pullImage", times: "always", effect });
    expect((await group.apply({ ...always, replicas: 6 })).exit).toBe(1);
    expect(group.names()).toEqual([...before, expect.stringMatching(/^mailer-6-/)]);
    expect(images().has("sha256:next")).toBe(false);
  });
});

describe("a host with room for ten", () => {
  it("costs fifty workers a few errors, not fifty", async () => {
    world.capacity.workers = 10;
    const result = await group.apply({ replicas: 50 });
    expect(result.exit).toBe(1);
    expect(group.lines().filter((line) => line.endsWith("running"))).toHaveLength(10);
    expect(group.failures).toBeGreaterThan(0);
    // As many as may be under way when it turns out, and one for each of the tries that follow.
    expect(group.failures).toBeLessThanOrEqual(16 + 4);
    expect(await readFile(join(folder, "state/status.json"), "utf8")).toMatch(
      /"ReplicaFailure",[^}]*"InsufficientCapacity"/,
    );
  });
});

describe("an engine with four CPUs", () => {
  const one: Change = { template: { cpu_reservation: 1 } };

  it("gets four workers of one each, without a single call that fails", async () => {
    const result = await group.apply(one);
    expect(result.exit).toBe(1);
    expect(group.lines()).toEqual(FIVE.slice(0, 4));
    expect(group.failures).toBe(0);
    await expectStill(one, 1);
    expect((await group.apply({ ...one, replicas: 4 })).exit).toBe(0);
  });

  it("is asked for what it has only where something is to be made of it", async () => {
    const four: Change = { ...one, replicas: 4 };
    await group.apply(four);
    const effect = { kind: "fail-before", code: "engine-failed" } as const;
    world.faults.push({ call: "identify", skip: 1, times: "always", effect });
    expect((await group.apply(four)).exit).toBe(0);
  });

  it("keeps workers whose successors would not fit, and rolls those that do", async () => {
    await group.apply({ ...one, replicas: 4 });
    const before = group.names();
    const more: Change = { replicas: 4, template: { cpu_reservation: 1.25 } };
    expect((await group.apply(more)).exit).toBe(1);
    expect(group.names()).toEqual(before);
    const three: Change = { ...more, replicas: 3 };
    expect((await group.apply(three)).exit).toBe(0);
    expect(group.lines()).toEqual(FIVE.slice(0, 3));
    expect(group.names().filter((name) => before.includes(name))).toEqual([]);
  });
});
