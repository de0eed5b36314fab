// The life of a worker on a real engine: what the adapter writes is what it then reads, and what is refused it names.

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import type { Template } from "../../../src/core/model.ts";
import { cleanup, RUN_LABEL, runContainer, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { inspectWire, never, openBench } from "./bench.ts";

const { run, engine, newName, labelsOf, create, start, factsOf, until, ours } = await openBench();
afterEach(() => cleanup(run));
afterAll(() => engine.close());

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
  const { [TEST_IMAGE]: image } = await engine.resolveImages([TEST_IMAGE], never);
  const facts = await factsOf(id);
  expect(facts).toMatchObject({
    id,
    name,
    labels: labelsOf(name),
    imageId: image?.id,
    run: { kind: "created" },
    restartCount: 0,
    restartPolicy: "on-failure:5",
    networks: ["bridge"],
    stopSignal: "SIGUSR1",
    stopTimeout: 45,
  });
  expect(facts.run).not.toHaveProperty("error");
  expect(await ours()).toEqual([facts]);
  const wire = await inspectWire(id);
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
    const wire = await inspectWire(holder);
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
