// The adapter on a real engine: what it writes is what it then reads, and what the engine refuses it names.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import type { Template } from "../../../src/core/model.ts";
import type { RunFacts, WorkerFacts } from "../../../src/core/observed.ts";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import { resolveEngine } from "../../../src/engine/docker/resolve.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { cleanup, newRunId, RUN_LABEL, runContainer, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { waitFor } from "../../support/wait.ts";

const never = new AbortController().signal;
const run = newRunId();
let engine: Engine;
let numbers = 0;

beforeAll(async () => {
  const target = await resolveEngine({ host: testHost() }, {});
  engine = openDockerEngine(target, { environment: process.env });
});
afterEach(() => cleanup(run));
afterAll(() => engine.close());

const newName = () => `${run}-${++numbers}`;
const labelsOf = (name: string) => ({
  "dev.wgctl.uid": run,
  "dev.wgctl.name": name,
  [RUN_LABEL]: run,
});

async function create(template: Partial<Template> = {}, name = newName()): Promise<string> {
  const request = { name, labels: labelsOf(name), template: { image: TEST_IMAGE, ...template } };
  return engine.createWorker(request, never);
}

async function start(template: Partial<Template> = {}): Promise<string> {
  const id = await create(template);
  await engine.startWorker(id, never);
  return id;
}

async function factsOf(id: string): Promise<WorkerFacts> {
  const found = await engine.inspectWorker(id, never);
  if (found === undefined) throw new Error(`${id} is gone`);
  return found.facts;
}

/** Waits for a container to be in a state, and answers with it. */
async function until<K extends RunFacts["kind"]>(
  id: string,
  kind: K,
  holds: (run: Extract<RunFacts, { kind: K }>) => boolean = () => true,
): Promise<Extract<RunFacts, { kind: K }>> {
  const isKind = (facts: RunFacts): facts is Extract<RunFacts, { kind: K }> => facts.kind === kind;
  return waitFor(`${kind} of ${id}`, async () => {
    const { run: facts } = await factsOf(id);
    return isKind(facts) && holds(facts) ? facts : undefined;
  });
}

const ours = async () => {
  const { workers } = await engine.listWorkers(never);
  return workers.filter(({ labels }) => labels["dev.wgctl.uid"] === run);
};

const inspect = (id: string) => callJson(testHost(), "GET", `/containers/${id}/json`);

it("identifies the engine, the same each time", async () => {
  const identity = await engine.identify(never);
  expect(identity).toEqual(await engine.identify(never));
  expect(identity.id).not.toBe("");
  expect(identity.cpus).toBeGreaterThan(0);
  expect(identity.memory).toBeGreaterThan(1e6);
});

it("reads back all of what it makes", async () => {
  const name = newName();
  const id = await create(
    {
      restart: "on-failure:5",
      stop_signal: "USR1",
      stop_grace_period: 45,
      environment: { QUEUE: "mail" },
      healthcheck: { test: ["CMD", "true"], interval: 60, retries: 4 },
      cpus: 0.25,
      mem_limit: 67_108_864,
    },
    name,
  );
  const { [TEST_IMAGE]: imageId } = await engine.resolveImages([TEST_IMAGE], never);
  const facts = await factsOf(id);
  expect(facts).toMatchObject({
    id,
    name,
    labels: labelsOf(name),
    imageId,
    run: { kind: "created" },
    restartCount: 0,
    restartPolicy: "on-failure:5",
    networks: ["bridge"],
    stopSignal: "SIGUSR1",
    stopTimeout: 45,
  });
  expect(facts.run).not.toHaveProperty("error");
  expect(await ours()).toEqual([facts]);
  const wire = await inspect(id);
  expect(wire.Config.Env).toContain("QUEUE=mail");
  expect(wire.HostConfig).toMatchObject({ NanoCpus: 250_000_000, Memory: 67_108_864 });
});

it("has the engine's clock", async () => {
  const id = await start();
  const { now } = await engine.listWorkers(never);
  const { startedAt } = await until(id, "running");
  expect(now).toBeGreaterThan(startedAt - 2000);
  expect(now).toBeLessThan(startedAt + 60_000);
});

describe("names", () => {
  it("are taken once: the second create is a conflict, and so is a rename to one", async () => {
    const name = newName();
    await create({}, name);
    const conflict = { code: "engine-conflict", message: expect.stringContaining(name) };
    await expect(create({}, name)).rejects.toMatchObject(conflict);
    const other = await create();
    await expect(engine.renameWorker(other, name, never)).rejects.toMatchObject(conflict);
  });

  it("of many creates at once go to exactly one", async () => {
    const name = newName();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => create({}, name)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("change by a rename, which frees the old one", async () => {
    const name = newName();
    const id = await create({}, name);
    await engine.renameWorker(id, `${name}.stopping-1`, never);
    expect((await factsOf(id)).name).toBe(`${name}.stopping-1`);
    expect(await engine.inspectWorker(name, never)).toBeUndefined();
    expect(Object.keys(await engine.findHolders([name, `${name}.stopping-1`], never))).toEqual([
      `${name}.stopping-1`,
    ]);
    await create({}, name);
  });

  it("held by somebody else are told with that one's labels", async () => {
    const name = newName();
    const id = await runContainer(name, {
      Image: TEST_IMAGE,
      Labels: { [RUN_LABEL]: run, who: "else" },
    });
    expect(await engine.findHolders([name], never)).toEqual({
      [name]: { id, labels: { [RUN_LABEL]: run, who: "else" } },
    });
    expect(await ours()).toEqual([]);
  });
});

describe("a life", () => {
  it("starts, may be started again, and ends by a signal", async () => {
    const id = await start({ restart: "always" });
    await engine.startWorker(id, never);
    const { startedAt } = await until(id, "running");
    await engine.setRestartPolicy(id, "no", never);
    expect((await factsOf(id)).restartPolicy).toBe("no");
    await engine.signalWorker(id, "SIGTERM", never);
    const exited = await until(id, "exited");
    expect(exited).toMatchObject({ startedAt, exitCode: 0, oomKilled: false });
    expect(exited.finishedAt).toBeGreaterThanOrEqual(startedAt);
    await engine.removeWorker(id, never);
    expect(await engine.inspectWorker(id, never)).toBeUndefined();
    await engine.removeWorker(id, never);
  });

  it("that is killed has exit code 137", async () => {
    const id = await start();
    await engine.signalWorker(id, "SIGKILL", never);
    expect(await until(id, "exited")).toMatchObject({ exitCode: 137, oomKilled: false });
  });

  it("that fails shows its exit code", async () => {
    const id = await start({ command: ["sh", "-c", "exit 3"] });
    expect(await until(id, "exited")).toMatchObject({ exitCode: 3 });
  });

  it("that fails again and again is restarting", async () => {
    const id = await start({ command: ["sh", "-c", "exit 3"], restart: "always" });
    expect(await until(id, "restarting")).toMatchObject({ exitCode: 3 });
    await waitFor("restarts", async () => (await factsOf(id)).restartCount > 0);
    await engine.setRestartPolicy(id, "no", never);
    await waitFor("the end of the loop", async () => (await factsOf(id)).run.kind === "exited");
  });

  it("that is paused is paused", async () => {
    const id = await start();
    await callJson(testHost(), "POST", `/containers/${id}/pause`);
    await until(id, "paused");
    await callJson(testHost(), "POST", `/containers/${id}/unpause`);
    await until(id, "running");
  });
});

describe("health", () => {
  const check = (command: string, retries: number) => ({
    healthcheck: { test: ["CMD-SHELL", command], interval: 0.2, timeout: 5, retries },
  });

  it("begins as starting and becomes healthy", async () => {
    const id = await start(check("test -e /tmp/ready", 100));
    const first = await until(id, "running", ({ health }) => health !== undefined);
    expect(first.health).toMatchObject({ status: "starting", retries: 100 });
    await callJson(testHost(), "POST", `/containers/${id}/exec`, {
      body: { Cmd: ["touch", "/tmp/ready"] },
    }).then(({ Id }) =>
      callJson(testHost(), "POST", `/exec/${Id}/start`, { body: { Detach: true } }),
    );
    const { health } = await until(id, "running", (facts) => facts.health?.status === "healthy");
    const last = health?.log.at(-1);
    expect(last).toMatchObject({ ok: true });
    expect(last?.finishedAt).toBeGreaterThanOrEqual(last?.startedAt ?? Number.NaN);
  });

  it("becomes unhealthy after as many failures as told", async () => {
    const id = await start(check("false", 2));
    const { health } = await until(id, "running", (facts) => facts.health?.status === "unhealthy");
    expect(health).toMatchObject({ retries: 2 });
    expect(health?.log.every(({ ok }) => !ok)).toBe(true);
  });

  it("is absent where nothing checks it", async () => {
    const id = await start({ healthcheck: { test: ["NONE"] } });
    expect((await until(id, "running")).health).toBeUndefined();
  });
});

describe("refusals", () => {
  it("of a start for its command are rejected and leave an error behind", async () => {
    const id = await create({ command: ["/no/such/program"] });
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({ code: "engine-rejected" });
    expect((await factsOf(id)).run).toEqual({
      kind: "created",
      error: expect.stringContaining("/no/such/program"),
    });
  });

  it("of a start for a taken port are a failure and leave an error behind", async () => {
    const holder = await start({ ports: [{ target: 80, protocol: "tcp" }] });
    const wire = await inspect(holder);
    const published = wire.NetworkSettings.Ports["80/tcp"][0].HostPort;
    const id = await create({ ports: [{ target: 80, published, protocol: "tcp" }] });
    await expect(engine.startWorker(id, never)).rejects.toMatchObject({ code: "engine-failed" });
    const { run: facts } = await factsOf(id);
    expect(facts).toMatchObject({ kind: "created", error: expect.stringContaining(published) });
  });

  it.each<[string, Partial<Template>, string]>([
    ["an unknown image", { image: "wgctl-test-nothing:1" }, "engine-not-found"],
    ["a bad value", { mem_limit: 1 }, "engine-rejected"],
  ])("of a create for %s", async (_, template, code) => {
    await expect(create(template)).rejects.toMatchObject({ code });
    expect(await ours()).toEqual([]);
  });

  it("of a signal to what does not run, and of a removal of what does, are conflicts", async () => {
    const id = await create();
    await expect(engine.signalWorker(id, "SIGTERM", never)).rejects.toMatchObject({
      code: "engine-conflict",
    });
    await engine.startWorker(id, never);
    await expect(engine.removeWorker(id, never)).rejects.toMatchObject({ code: "engine-conflict" });
    await until(id, "running");
  });

  it("of anything to what is not there are not found, but for its removal", async () => {
    const id = "f".repeat(64);
    const notFound = { code: "engine-not-found" };
    await expect(engine.startWorker(id, never)).rejects.toMatchObject(notFound);
    await expect(engine.renameWorker(id, newName(), never)).rejects.toMatchObject(notFound);
    await expect(engine.signalWorker(id, "SIGTERM", never)).rejects.toMatchObject(notFound);
    await expect(engine.setRestartPolicy(id, "no", never)).rejects.toMatchObject(notFound);
    await engine.removeWorker(id, never);
  });
});

describe("networks", () => {
  const makeNetwork = (name: string) =>
    callJson(testHost(), "POST", "/networks/create", {
      body: { Name: name, Labels: { [RUN_LABEL]: run } },
    });

  it("several, with aliases, and those that are missing", async () => {
    const [a, b] = [`${run}-a`, `${run}-b`];
    await makeNetwork(a);
    await makeNetwork(b);
    expect(await engine.findMissingNetworks([a, "bridge", run], never)).toEqual([run]);
    const id = await start({ networks: { [b]: { aliases: ["mail"] }, [a]: {} } });
    expect((await factsOf(id)).networks).toEqual([a, b]);
    const wire = await inspect(id);
    expect(wire.NetworkSettings.Networks[b].Aliases).toContain("mail");
    await callJson(testHost(), "DELETE", `/containers/${id}?force=1`);
  });

  it("a missing further one leaves no container behind", async () => {
    const a = `${run}-a`;
    await makeNetwork(a);
    const name = newName();
    const networks = { [a]: {}, [`${run}-missing`]: {} };
    const made = create({ networks }, name).then((id) => engine.startWorker(id, never));
    await expect(made).rejects.toMatchObject({ code: "engine-not-found" });
  });

  it.each(["none", "host"])("mode %s", async (mode) => {
    const id = await create({ network_mode: mode });
    expect((await factsOf(id)).networks).toEqual([mode]);
  });
});

describe("volumes", () => {
  const volumesOf = async () => {
    const { Volumes } = await callJson(testHost(), "GET", "/volumes");
    return (Volumes ?? []).map(({ Name }: { Name: string }) => Name);
  };

  it("are made on first use; the named one stays, the anonymous one goes with the container", async () => {
    const named = `${run}-cache`;
    const before = await volumesOf();
    const id = await create({
      volumes: [
        { type: "volume", source: named, target: "/cache" },
        { type: "volume", target: "/scratch" },
      ],
    });
    expect(await volumesOf()).toHaveLength(before.length + 2);
    await engine.removeWorker(id, never);
    expect(await volumesOf()).toEqual([...before, named].sort());
    await callJson(testHost(), "DELETE", `/volumes/${named}`);
  });

  it("bind a folder that is not there yet, for reading only if told", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wgctl-bind-"));
    try {
      const volumes = [
        { type: "bind", source: join(folder, "in"), target: "/in", read_only: true },
        { type: "bind", source: join(folder, "out"), target: "/out" },
      ] as const;
      const command = ["sh", "-c", "touch /out/x && ! touch /in/x"];
      const id = await start({ volumes, command });
      expect(await until(id, "exited")).toMatchObject({ exitCode: 0 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

it("finds an image by its reference, and tells of one that is not there", async () => {
  const { [TEST_IMAGE]: id, ...rest } = await engine.resolveImages([TEST_IMAGE, "a/b:c"], never);
  expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(rest).toEqual({ "a/b:c": null });
});

it("finds those that were sent a signal, at once and even within the same second", async () => {
  const [a, b] = [await start(), await start()];
  const { now } = await engine.listWorkers(never);
  expect(await engine.findSignalled([a, b], now, never)).toEqual([]);
  await engine.signalWorker(b, "SIGUSR2", never);
  const started = performance.now();
  expect(await engine.findSignalled([a, b], now, never)).toEqual([b]);
  expect(performance.now() - started).toBeLessThan(1000);
});

describe("waiting", () => {
  const HOUR = 3_600_000;
  /** Waits until nothing of the past wakes any more. */
  const settle = () =>
    waitFor("calm", async () => {
      await engine.listWorkers(never);
      const began = performance.now();
      await engine.waitForChange(300, never);
      return performance.now() - began >= 290;
    });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["a start", (id) => engine.startWorker(id, never)],
    ["a rename", (id) => engine.renameWorker(id, newName(), never)],
    ["a removal", (id) => engine.removeWorker(id, never)],
  ])("ends with %s by anybody", async (_, change) => {
    const id = await create();
    await settle();
    const waiting = engine.waitForChange(HOUR, never);
    await change(id);
    await waiting;
  });

  it("ends with a verdict on health, and not with each probe", async () => {
    const id = await create({
      healthcheck: { test: ["CMD-SHELL", "true"], interval: 0.5, timeout: 5, retries: 1 },
    });
    await engine.startWorker(id, never);
    await until(id, "running", ({ health }) => health?.status === "healthy");
    await settle();
    const began = performance.now();
    await engine.waitForChange(1200, never);
    expect(performance.now() - began).toBeGreaterThan(1100);
  });

  it("is not ended by somebody else's container", async () => {
    await settle();
    const began = performance.now();
    const waiting = engine.waitForChange(1500, never);
    await runContainer(newName(), { Image: TEST_IMAGE, Labels: { [RUN_LABEL]: run } });
    await waiting;
    expect(performance.now() - began).toBeGreaterThan(1400);
  });
});

it("says that an aborted call was aborted, and the engine goes on", async () => {
  const controller = new AbortController();
  const listing = engine.listWorkers(controller.signal);
  controller.abort();
  await expect(listing).rejects.toMatchObject({ code: "aborted" });
  await engine.listWorkers(never);
});
