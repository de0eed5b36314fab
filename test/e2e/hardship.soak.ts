// The long tests on a real engine: fifty kills, hundreds of passes with random edits and hands, two CLIs at once in a loop.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeByHand } from "../support/engine.ts";
import { elsewhere, isRoot } from "./elsewhere.ts";
import { killAtGrowingMoments } from "./kills.ts";
import { openStage, type Spec, type Stage } from "./stage.ts";
import { applyUntilDone, expectAsDeclared, watched } from "./until-done.ts";

const PASSES = Number(process.env["WGCTL_SOAK_PASSES"] ?? 300);
const KILLS = Number(process.env["WGCTL_SOAK_KILLS"] ?? 50);
const ROUNDS = Number(process.env["WGCTL_SOAK_ROUNDS"] ?? 25);
const SEED = Number(process.env["WGCTL_SOAK_SEED"] ?? Date.now() % 1_000_000);

/** Numbers below `limit` that look random and follow from the seed. */
function lots(seed: number): (limit: number) => number {
  let state = seed + 1;
  return (limit) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
}

const BY_SURGE = { maxSurge: 1, maxUnavailable: 0 } as const;

function rolling(replicas: number, queue: string, withSurge: boolean): Spec {
  return {
    replicas,
    ...(withSurge ? { rollout: BY_SURGE } : {}),
    template: { restart: "always", environment: { QUEUE: queue } },
  };
}

describe("R8: many kills", () => {
  it(`${KILLS} of them at growing moments of changing rollouts`, async () => {
    const stage = openStage();
    const specOf = (round: number) => rolling(3, `mail-${round}`, round % 2 === 0);
    let killed = 0;
    const { most, killed: forced } = await watched(stage, async () => {
      killed = await killAtGrowingMoments(stage, {
        ...{ kills: KILLS, firstMs: 100, stepMs: 60, specOf },
      });
      await stage.expectExit(0, ["apply"]);
    });
    console.info(`kills: ${killed} of ${KILLS} runs killed, at most ${most} existed of 3 and 1`);
    expect(killed).toBeGreaterThan(KILLS / 2);
    expect(most).toBeLessThanOrEqual(4);
    expect(forced).toBe(0);
    await expectAsDeclared(stage, 3);
  });
});

describe("many passes", () => {
  /** Something that happens between two passes. */
  async function befall(
    stage: Stage,
    draw: (limit: number) => number,
  ): Promise<number | undefined> {
    const what = draw(6);
    if (what < 3) {
      const replicas = draw(5);
      await stage.declare(rolling(replicas, `mail-${draw(3)}`, draw(2) === 0));
      return replicas;
    }
    const workers = await stage.workers();
    const one = workers[draw(Math.max(1, workers.length))];
    if (what === 3 && one !== undefined) await removeByHand(one.id);
    if (what === 4)
      await rm(join(stage.folder, ".wgctl"), { recursive: true, force: true, maxRetries: 9 });
    return undefined;
  }

  it(`${PASSES} with random edits and hands (seed ${SEED})`, async () => {
    const stage = openStage();
    const draw = lots(SEED);
    let replicas = 3;
    await stage.declare(rolling(replicas, "mail", false));
    const { most } = await watched(stage, async () => {
      for (let pass = 1; pass <= PASSES; pass += 1) {
        replicas = (await befall(stage, draw)) ?? replicas;
        const { code, stdout, stderr } = await stage.wgctl(["apply", "--once"]);
        expect([0, 1], `pass ${pass}: ${stdout}${stderr}`).toContain(code);
        if (pass % 20 > 0) continue;
        await applyUntilDone(stage);
        await expectAsDeclared(stage, replicas);
      }
    });
    console.info(`passes: ${PASSES} of seed ${SEED}, at most ${most} existed of 4 and 1`);
    expect(most).toBeLessThanOrEqual(5);
  });
});

describe.runIf(isRoot)("two machines at once", () => {
  it(`${ROUNDS} rounds of two applies that want the same`, async () => {
    const stage = openStage();
    const codes: number[] = [];
    const { most } = await watched(stage, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await stage.declare(rolling(3, `mail-${round}`, round % 2 === 0));
        const runs = ["one", "other"].map((name) =>
          elsewhere(stage, ["apply", "--state-dir", `.wgctl-${name}`]),
        );
        for (const { code, stderr } of await Promise.all(runs.map(({ ended }) => ended))) {
          expect([0, 1, 5], stderr).toContain(code);
          codes.push(code);
        }
      }
      await stage.expectExit(0, ["apply", "--state-dir", ".wgctl-one"]);
    });
    const refused = codes.filter((code) => code === 5).length;
    console.info(`two at once: ${ROUNDS} rounds, ${refused} refused, at most ${most} of 3 and 1`);
    expect(most).toBeLessThanOrEqual(4);
    expect(refused).toBeLessThan(codes.length);
    await expectAsDeclared(stage, 3);
  });
});
