// What a host has only so much of, on the real engine: reservations are admitted, and what is taken is said by its name.

import { expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { engineTime, RUN_LABEL, runContainer, testHost } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { containerEvents } from "./events.ts";
import { bySlot, openStage, type Spec, type Stage, slotOf } from "./stage.ts";

/** Workers that reserve so much of what the engine has. */
async function reserving(share: number, spec: Spec = {}): Promise<Spec> {
  const { NCPU: cpus }: { NCPU: number } = await callJson(testHost(), "GET", "/info");
  const reservations = { cpus: String(cpus * share) };
  return { ...spec, template: { ...spec.template, deploy: { resources: { reservations } } } };
}

const failure = (stage: Stage) =>
  stage.status().groups[0]?.conditions.find(({ type }) => type === "ReplicaFailure");

/** A run changes nothing on the engine and no file. */
async function expectStill(stage: Stage, exit: number): Promise<void> {
  const since = await engineTime();
  const files = stage.files();
  await stage.expectExit(exit, ["apply"]);
  expect(await containerEvents(since, stage.label)).toEqual([]);
  expect(stage.files()).toEqual(files);
}

it("makes as many workers as there is room for, and says what is missing", async () => {
  const stage = openStage();
  await stage.declare(await reserving(0.4));
  const { stdout } = await stage.expectExit(1, ["apply"]);
  expect((await stage.workers()).map(slotOf)).toEqual([1, 2]);
  expect(stdout).toMatch(/a new worker reserves .* of which .* cannot be had/);
  expect(failure(stage)).toMatchObject({ reason: "InsufficientCapacity" });
  await expectStill(stage, 1);
  await stage.converge(await reserving(0.4, { replicas: 2 }));
  expect(failure(stage)).toBeUndefined();
});

it("retires nobody for a successor that would find no room", async () => {
  const stage = openStage();
  const before = bySlot(await stage.converge(await reserving(0.5, { replicas: 2 })));
  await stage.declare(await reserving(0.75, { replicas: 2 }));
  await stage.expectExit(1, ["apply"]);
  expect(bySlot(await stage.workers())).toEqual(before);
  expect(failure(stage)).toMatchObject({ reason: "InsufficientCapacity" });
  await expectStill(stage, 1);
  const after = bySlot(await stage.converge(await reserving(0.75, { replicas: 1 })));
  expect(Object.keys(after)).toEqual(["1"]);
  expect(after[1]).not.toBe(before[1]);
});

it("says of a port that somebody has that it is taken", async () => {
  const stage = openStage();
  const port = 31_000 + Math.floor(Math.random() * 1_000);
  await runContainer(`holder-${stage.run}`, {
    Image: TEST_IMAGE,
    Labels: { [RUN_LABEL]: stage.run },
    ExposedPorts: { "80/tcp": {} },
    HostConfig: { PortBindings: { "80/tcp": [{ HostPort: String(port) }] } },
  });
  await stage.declare({ replicas: 1, template: { ports: [`${port}:80`] } });
  await stage.expectExit(1, ["apply", "--once"]);
  expect(failure(stage)).toMatchObject({
    reason: "PortConflict",
    message: expect.stringMatching(/port is already allocated|address already in use/),
  });
});
