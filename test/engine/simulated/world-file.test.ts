import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Template } from "../../../src/core/template.ts";
import { openSimulatedEngine, openSimulatedReader } from "../../../src/engine/simulated/open.ts";
import { claimWorld, loadWorld } from "../../../src/engine/simulated/world-file.ts";
import { makeWorld, never, openBench, SECOND } from "./bench.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-world-"));
  file = join(folder, "world.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const request = (name: string) => ({
  name,
  labels: { "dev.wgctl.uid": "u1" },
  template: { image: "mailer:1", restart: "always" },
});

describe("a world in a file", () => {
  it("keeps whatever a template can hold, and what was set since", async () => {
    const engine = openSimulatedEngine({ world: makeWorld(), file });
    const template: Required<Template> = {
      ...{ image: "mailer:1", command: ["a"], entrypoint: ["b"], environment: { A: "b" } },
      ...{ labels: { a: "b" }, volumes: [], networks: {}, network_mode: "none", ports: [] },
      ...{ restart: "always", healthcheck: {}, stop_signal: "SIGTERM", stop_grace_period: 1 },
      ...{ cpus: 1, mem_limit: 1e8, pids_limit: 9, mem_reservation: 1e7, cpu_reservation: 1 },
      ...{ working_dir: "/", user: "1", hostname: "a", init: true, tmpfs: {}, logging: {} },
      ...{ platform: "linux/amd64", runtime: "runc", privileged: false, cap_add: [], cap_drop: [] },
      ...{ security_opt: [], read_only: true, group_add: [], userns_mode: "host", ipc: "private" },
      ...{ pid: "host", ulimits: {}, sysctls: {}, shm_size: 1, memswap_limit: -1 },
      ...{ mem_swappiness: 1, oom_score_adj: 1, dns: [], dns_search: [], dns_opt: [] },
      ...{ extra_hosts: {}, devices: [], device_requests: [], secrets: [], configs: [] },
    };
    const id = await engine.createWorker({ ...request("mailer-1"), template }, never);
    await engine.startWorker(id, never);
    await engine.signalWorker(id, "SIGTSTP", never);
    await engine.updateLimits(id, { cpus: 2 }, never);
    expect(await loadWorld(file)).toEqual(engine.world);
  });

  it("is kept after each change and goes on where it was", async () => {
    const engine = openSimulatedEngine({ world: await loadWorld(file), file });
    await engine.pullImage("mailer:1", () => undefined, never);
    const id = await engine.createWorker(request("mailer-1"), never);
    await engine.startWorker(id, never);
    await engine.waitForChange(0, never);
    expect(await loadWorld(file)).toEqual(engine.world);
    await engine.waitForChange(90 * SECOND, never);
    const again = openSimulatedEngine({ world: await loadWorld(file), file });
    expect(again.world).toEqual(engine.world);
    expect((await again.listWorkers(never)).workers).toEqual(
      (await engine.listWorkers(never)).workers,
    );
    expect(again.ticks()).toBe(engine.ticks());
    expect(again.endpoint).toBe(`simulated://${file}`);
  });

  it("holds all of several changes at once", async () => {
    const engine = openSimulatedEngine({ world: makeWorld(), file });
    const names = ["a-1", "a-2", "a-3", "a-4"];
    await Promise.all(names.map((name) => engine.createWorker(request(name), never)));
    expect(Object.keys((await loadWorld(file)).names)).toEqual(names);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  it("is not written where nothing changes, not even made", async () => {
    const engine = openSimulatedEngine({ world: await loadWorld(file), file });
    await engine.listWorkers(never);
    await engine.close();
    expect(existsSync(file)).toBe(false);
    await engine.waitForChange(SECOND, never);
    const { mtimeMs, ino } = statSync(file);
    const next = openSimulatedEngine({ world: await loadWorld(file), file });
    await next.listWorkers(never);
    await next.close();
    expect(statSync(file)).toMatchObject({ mtimeMs, ino });
  });

  it("is never written by a reader", async () => {
    const reader = openSimulatedReader({ world: await loadWorld(file), file });
    await reader.waitForChange(SECOND, never);
    await reader.close();
    expect(existsSync(file)).toBe(false);
    expect(reader).not.toHaveProperty("createWorker");
  });

  it("says where it cannot be kept", async () => {
    const engine = openSimulatedEngine({ world: makeWorld(), file: join(folder, "no/world.json") });
    await expect(engine.waitForChange(SECOND, never)).resolves.toBeUndefined();
    await expect(engine.createWorker(request("a-1"), never)).rejects.toMatchObject({
      code: "state-unusable",
      message: expect.stringContaining("no/world.json"),
    });
  });

  it("keeps faults that were used up from coming again", async () => {
    const effect = { kind: "fail-before", code: "engine-failed" } as const;
    const world = makeWorld({ faults: [{ call: "listWorkers", effect }] });
    const engine = openSimulatedEngine({ world, file });
    await expect(engine.listWorkers(never)).rejects.toMatchObject({ code: "engine-failed" });
    expect((await loadWorld(file)).faults).toEqual([]);
  });
});

describe("the id of a world", () => {
  it("is given once, and is in the file before anything happens", async () => {
    const world = await claimWorld(file, "first");
    expect(world.engine.id).toBe("first");
    expect(await loadWorld(file)).toEqual(world);
    const { mtimeMs, ino } = statSync(file);
    expect(await claimWorld(file, "second")).toEqual(world);
    expect(statSync(file)).toMatchObject({ mtimeMs, ino });
  });

  it("may stand in a file written by hand, which then is left as it is", async () => {
    await writeFile(file, '{"engine": {"id": "mine"}}');
    expect((await claimWorld(file, "other")).engine.id).toBe("mine");
    expect(await readFile(file, "utf8")).toBe('{"engine": {"id": "mine"}}');
  });
});

describe("a world written by hand", () => {
  const load = async (content: unknown) => {
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return loadWorld(file);
  };

  it("needs to say only what matters", async () => {
    const lives = [{ match: { image: "mailer:1" }, end: { after: 5, code: 1 } }];
    const world = await load({ tags: { "mailer:1": "sha256:11" }, networks: ["shop"], lives });
    expect(world).toMatchObject({ lives, images: { "sha256:11": { id: "sha256:11" } } });
    expect(world.networks).toContain("shop");
    const { start, engine, run } = openBench({}, world);
    const id = await start();
    engine.advance(5 * SECOND);
    expect(await run(id)).toMatchObject({ kind: "exited", exitCode: 1 });
  });

  it("of every kind of fault, life and offer is understood", async () => {
    const effects = [
      { kind: "fail-before", code: "engine-failed", message: "no" },
      { kind: "fail-after", code: "engine-timeout" },
      { kind: "slow", seconds: 1 },
      { kind: "late", seconds: 1, code: "engine-unreachable" },
      { kind: "hang" },
      { kind: "stale", seconds: 1 },
      { kind: "unknown", name: "a" },
      { kind: "leave-dead" },
    ];
    const sketch = {
      faults: effects.map((effect) => ({ call: "any", on: "a", skip: 1, times: "always", effect })),
      lives: [
        { starts: 1, refuse: { code: "engine-rejected", message: "no" } },
        { end: { after: 1, outOfMemory: true }, healthy: "never", stop: "ignore" },
        { healthy: { from: 1, until: 2 }, stop: { after: 1, code: 2 } },
      ],
      registry: {
        anything: false,
        images: {
          a: { kind: "image", image: { id: "sha256:11", labels: { a: "b" } }, seconds: 1 },
          b: { kind: "refusal", code: "engine-denied", message: "no" },
          c: { kind: "silence" },
        },
      },
      capacity: { workers: 1, cpus: 1, memory: 1 },
      engine: { id: "e", version: "1", cpus: 1, memory: 1 },
    };
    expect(await load(sketch)).toMatchObject(sketch);
  });

  it("may lose a container, whose name is free then", async () => {
    const { world, start, create } = openBench();
    const kept = await start("a-1");
    const { [await start("b-1")]: _, ...containers } = world.containers;
    const after = await load({ ...world, containers });
    expect(after.names).toEqual({ "a-1": kept });
    const again = openBench({}, after);
    await again.create("b-1");
    await expect(create("b-1")).rejects.toMatchObject({ code: "engine-conflict" });
  });

  it.each<[string, unknown, string]>([
    ["that is no JSON", "{", "world.json"],
    ["that is no object", [], "world is []"],
    ["with a word of its own", { live: [] }, "world.live is unknown"],
    ["with a life of its own", { lives: [{ ends: 1 }] }, "world.lives[0].ends is unknown"],
    [
      "with a time that is none",
      { lives: [{ end: { after: "5s" } }] },
      'world.lives[0].end.after is "5s"',
    ],
    ["without what must be", { lives: [{ end: {} }] }, "world.lives[0].end.after is missing"],
    [
      "with a call that is none",
      { faults: [{ call: "list", effect: { kind: "hang" } }] },
      "faults[0].call",
    ],
    [
      "with an effect that is none",
      { faults: [{ call: "any", effect: { kind: "x" } }] },
      "effect.kind",
    ],
    [
      "with an effect that is not whole",
      { faults: [{ call: "any", effect: { kind: "slow" } }] },
      "effect.seconds",
    ],
    ["with a healthy that is none", { lives: [{ healthy: "always" }] }, "world.lives[0].healthy"],
    ["with a broken container", { containers: { a: { id: "a" } } }, "world.containers.a"],
  ])("%s is refused", async (_, content, words) => {
    await expect(load(content)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(words),
    });
  });

  it("of a later format is refused as such, and left alone", async () => {
    const content = JSON.stringify({ formatVersion: 99, novelty: true });
    await expect(load(content)).rejects.toMatchObject({ code: "newer-version" });
    expect(await readFile(file, "utf8")).toBe(content);
  });
});
