// What a real engine makes of a create, where the port does not show it. All that the port shows is in test/contract.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { callJson } from "../../../scripts/lib/docker-api.mjs";
import { cleanup, RUN_LABEL, testHost } from "../../support/engine.ts";
import { inspectWire, never, openBench } from "./bench.ts";

const { run, engine, create, start, until } = await openBench();
afterEach(() => cleanup(run));
afterAll(() => engine.close());

it("gives a worker its environment, its limits and its health check", async () => {
  const id = await create({
    environment: { QUEUE: "mail" },
    healthcheck: { test: ["CMD", "true"], interval: 60, retries: 4 },
    cpus: 0.25,
    mem_limit: 67_108_864,
  });
  const wire = await inspectWire(id);
  expect(wire.Config.Env).toContain("QUEUE=mail");
  expect(wire.Config.Healthcheck).toMatchObject({
    ...{ Test: ["CMD", "true"], Interval: 60_000_000_000, Retries: 4 },
  });
  expect(wire.HostConfig).toMatchObject({ NanoCpus: 250_000_000, Memory: 67_108_864 });
});

it("gives a worker its aliases in each of its networks", async () => {
  const [a, b] = [`${run}-a`, `${run}-b`];
  for (const name of [a, b]) await makeNetwork(name);
  const networks = { [b]: { aliases: ["mail"] }, [a]: { aliases: ["post", "letters"] } };
  const wire = await inspectWire(await start({ networks }));
  expect(wire.NetworkSettings.Networks[b].Aliases).toContain("mail");
  expect(wire.NetworkSettings.Networks[a].Aliases).toEqual(
    expect.arrayContaining(["post", "letters"]),
  );
});

function makeNetwork(name: string): Promise<unknown> {
  const body = { Name: name, Labels: { [RUN_LABEL]: run } };
  return callJson(testHost(), "POST", "/networks/create", { body });
}

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
    expect((await volumesOf()).sort()).toEqual([...before, named].sort());
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
