// What surrounds workers on a real engine: networks, volumes, images, and the events that wake a waiting run.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import { cleanup, RUN_LABEL, runContainer, testHost } from "../../support/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";
import { waitFor } from "../../support/wait.ts";
import { inspectWire, never, openBench } from "./bench.ts";

const { run, engine, newName, create, start, factsOf, until } = await openBench();
afterEach(() => cleanup(run));
afterAll(() => engine.close());

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
    const wire = await inspectWire(id);
    expect(wire.NetworkSettings.Networks[b].Aliases).toContain("mail");
    await callJson(testHost(), "DELETE", `/containers/${id}?force=1`);
  });

  it("a missing further one is not found, and nothing runs", async () => {
    const a = `${run}-a`;
    await makeNetwork(a);
    const name = newName();
    const networks = { [a]: {}, [`${run}-missing`]: {} };
    const made = create({ networks }, name).then((id) => engine.startWorker(id, never));
    await expect(made).rejects.toMatchObject({ code: "engine-not-found" });
    expect((await engine.inspectWorker(name, never))?.facts.run.kind).not.toBe("running");
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
  const { [TEST_IMAGE]: image, ...rest } = await engine.resolveImages([TEST_IMAGE, "a/b:c"], never);
  expect(image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(rest).toEqual({ "a/b:c": null });
});

it("finds those that were sent a signal, even within the same second", async () => {
  const [a, b] = [await start(), await start()];
  const { now } = await engine.listWorkers(never);
  expect(await engine.findSignalled([a, b], now, never)).toEqual([]);
  await engine.signalWorker(b, "SIGUSR2", never);
  expect(await engine.findSignalled([a, b], now, never)).toEqual([b]);
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
