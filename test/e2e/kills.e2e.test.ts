// R8: runs that are killed at growing moments of changing rollouts, and state folders that are lost or damaged at any of
// them. The soak does more of the same.

import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { waitFor } from "../support/wait.ts";
import { killAtGrowingMoments } from "./kills.ts";
import { isListing, standBetween } from "./middleman.ts";
import { idsOf, openStage, type Spec, type Stage } from "./stage.ts";
import { applyUntilDone, expectAsDeclared, watched } from "./until-done.ts";

const file = (stage: Stage, name: string) => join(stage.folder, ".wgctl", name);

describe("R8: runs killed at growing moments", () => {
  it("of changing rollouts: never too many, files always valid, and one clean run converges", async () => {
    const stage = openStage();
    const specOf = (round: number): Spec => ({
      replicas: 3,
      rollout: round % 2 === 0 ? { maxSurge: 1, maxUnavailable: 0 } : {},
      template: { environment: { QUEUE: `mail-${round}` } },
    });
    let later = 0;
    const host = await standBetween(async (call) => (isListing(call) ? { later } : undefined));
    const env = { DOCKER_HOST: host };
    const ordeal = { kills: 8, firstMs: 150, stepMs: 150, specOf, env };
    let killed = 0;
    const { most, killed: ended } = await watched(stage, async () => {
      killed = await killAtGrowingMoments(stage, ordeal);
      // A create that was announced and not sent counts for a minute.
      later = 61_000;
      await stage.expectExit(0, ["apply"], { env });
    });
    expect(killed).toBeGreaterThan(4);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
    expect(ended).toBe(0);
    await expectAsDeclared(stage, 3);
  });
});

describe("R8: a rollout that fails, its runs killed at growing moments and their files lost", () => {
  it("ends with the old workers, one that failed, and exit code 6", async () => {
    const stage = openStage();
    const rollout = { minReadySeconds: 2, onFailure: "Rollback" };
    const before = idsOf(await stage.converge({ rollout, template: { restart: "always" } }));
    const template = { restart: "always", environment: { CRASH_AFTER: "0" } };
    const { most } = await watched(stage, async () => {
      await stage.declare({ rollout, template });
      for (let round = 0; round < 6; round += 1) {
        await stage.wgctl(["apply"], { deadlineMs: 300 + 250 * round });
        if (round % 2 === 1)
          await rm(file(stage, ""), { recursive: true, force: true, maxRetries: 9 });
      }
      // A create whose intent stands alone counts for a minute; lost with the files it does not.
      await rm(file(stage, ""), { recursive: true, force: true, maxRetries: 9 });
      await stage.expectExit(6, ["apply"]);
    });
    expect(most).toBeLessThanOrEqual(3);
    const after = await stage.workers();
    const serving = after.filter(({ name }) => !name.includes(".failed-"));
    expect(idsOf(serving).toSorted()).toEqual(before.toSorted());
    expect(serving.map(({ state }) => state)).toEqual(["running", "running", "running"]);
    expect(after).toHaveLength(4);
  });
});

describe("a state folder that is lost or damaged at any moment", () => {
  const FATES: readonly ((stage: Stage) => Promise<unknown>)[] = [
    (stage) => rm(join(stage.folder, ".wgctl"), { recursive: true, force: true, maxRetries: 9 }),
    (stage) => truncate(file(stage, "status.json"), 100),
    (stage) => writeFile(file(stage, "journal.ndjson"), "\0nonsense"),
    (stage) => rm(file(stage, "journal.ndjson"), { force: true }),
    (stage) => rm(file(stage, "status.json"), { force: true }),
  ];

  it("makes no other workers, and none twice", async () => {
    const stage = openStage();
    const before = await stage.converge({ replicas: 2 });
    const strike = async (_: Stage, round: number) => {
      await FATES[round]?.(stage).catch(() => undefined); // there may be no such file
    };
    const ordeal = { kills: FATES.length, firstMs: 200, stepMs: 150 };
    const { most } = await watched(stage, async () => {
      await killAtGrowingMoments(stage, { ...ordeal, specOf: () => ({ replicas: 5 }), strike });
      await stage.expectExit(0, ["apply"]);
    });
    expect(most).toBeLessThanOrEqual(5);
    const after = await stage.workers();
    expect(idsOf(after)).toEqual(expect.arrayContaining([...idsOf(before)]));
    expect(after.map(({ labels }) => labels["dev.wgctl.attempt"])).toEqual(Array(5).fill("1"));
    await expectAsDeclared(stage, 5);
  });

  it("while a run goes on: it is the same workers", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 4 });
    const { most } = await watched(stage, async () => {
      const run = stage.wgctl(["apply"]);
      await waitFor("a worker", async () => (await stage.workers()).length > 0);
      await rm(join(stage.folder, ".wgctl"), { recursive: true, force: true, maxRetries: 9 });
      const { code, stderr } = await run;
      // Where a file is written just while its folder goes, the run says so and ends.
      expect([0, 1, 3], stderr).toContain(code);
      await applyUntilDone(stage);
    });
    expect(most).toBe(4);
    await expectAsDeclared(stage, 4);
  });
});
