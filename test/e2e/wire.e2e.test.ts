// Adversity on the wire: answers that never come, break off, make no sense or come too late. Whatever the engine has
// done by then is found by looking: no worker is made twice, none is lost, none is killed before its time.

import { describe, expect, it } from "vitest";
import { engineTime } from "../support/engine.ts";
import { containerEvents } from "./events.ts";
import { CALLS, type CallKind, type FalseAnswer, type Mishap, standBetween } from "./middleman.ts";
import { openStage, type Spec } from "./stage.ts";
import { applyUntilDone, expectAsDeclared, watched } from "./until-done.ts";

/** The change from one to the other takes every kind of call. */
const OLD: Spec = { replicas: 1, template: { restart: "always", environment: { QUEUE: "mail" } } };
const NEW: Spec = { replicas: 2, template: { restart: "always", environment: { QUEUE: "post" } } };

type Trouble = FalseAnswer | Mishap;

/** A way to the engine on which every n-th call of a kind goes wrong; `met` counts those. */
async function troubled(kind: CallKind, every: number, trouble: Trouble) {
  const seen = { calls: 0, met: 0 };
  const host = await standBetween(async (call) => {
    if (!CALLS[kind].test(call)) return undefined;
    seen.calls += 1;
    if (seen.calls % every !== 0) return undefined;
    seen.met += 1;
    return trouble;
  });
  return { seen, env: { DOCKER_HOST: host } };
}

describe("R4: a way to the engine that loses", () => {
  it("every second answer to a create: never more workers than declared, and all of them", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 6 });
    const { seen, env } = await troubled("create", 2, "lost");
    const { most } = await watched(stage, () => applyUntilDone(stage, { env }));
    expect(most).toBe(6);
    expect(seen).toEqual({ calls: 6, met: 3 });
    await expectAsDeclared(stage, 6);
  });

  it.each<[CallKind, Mishap]>([
    ["create", "cut"],
    ["start", "lost"],
    ["update", "cut"],
    ["rename", "lost"],
    ["signal", "lost"],
    ["remove", "lost"],
  ])("every answer to a %s (%s): the rollout ends as declared", async (kind, mishap) => {
    const stage = openStage();
    await stage.converge(OLD);
    await stage.declare(NEW);
    const { seen, env } = await troubled(kind, 1, mishap);
    const { most, killed } = await watched(stage, () => applyUntilDone(stage, { env }));
    expect(seen.met).toBeGreaterThan(0);
    expect({ most, killed }).toEqual({ most: 2, killed: 0 });
    await expectAsDeclared(stage, 2);
  });
});

describe("R7: a way to the engine that spoils what is read", () => {
  const BUSY: FalseAnswer = { status: 503, body: '{"message":"try again"}' };
  it.each<[string, CallKind, number, Trouble]>([
    ["every third list broken off", "list", 3, "cut"],
    ["every seventh inspection without sense", "inspect", 7, { status: 200, body: "{}" }],
    ["every seventh inspection refused", "inspect", 7, BUSY],
  ])("%s: runs fail, nothing is done on what was not seen", async (_, kind, every, trouble) => {
    const stage = openStage();
    await stage.converge(OLD);
    await stage.declare(NEW);
    const { seen, env } = await troubled(kind, every, trouble);
    const { most, killed } = await watched(stage, () => applyUntilDone(stage, { env }));
    expect(seen.met).toBeGreaterThan(0);
    expect({ most, killed }).toEqual({ most: 2, killed: 0 });
    await expectAsDeclared(stage, 2);
  });
});

describe("a create of which nothing is heard", () => {
  const HURRY = ["--request-timeout", "1s"];

  it("counts while nobody can see what came of it, and is tried again once its time is over", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 2 });
    let later = 0;
    const host = await standBetween(async (call) => {
      // The name is taken and nobody is there to be inspected, as while a create is under way.
      if (CALLS.create.test(call) && later === 0) return TAKEN;
      return CALLS.list.test(call) && later > 0 ? { later } : undefined;
    });
    const env = { DOCKER_HOST: host };
    const { stdout } = await stage.expectExit(1, ["apply", "--timeout", "4s"], { env });
    expect(stdout).toContain("without an answer");
    expect((await stage.plan()).actions).toEqual([]);
    later = 61_000;
    await stage.expectExit(0, ["apply"], { env });
    await expectAsDeclared(stage, 2);
  });

  const TAKEN: FalseAnswer = { status: 409, body: '{"message":"the name is in use"}' };

  it("and that the engine carries out long after, is never doubled", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 3 });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let creates = 0;
    const host = await standBetween(async (call) => {
      if (!CALLS.create.test(call)) return undefined;
      creates += 1;
      if (creates !== 2) return undefined;
      await released;
      return "unheard";
    });
    const env = { DOCKER_HOST: host };
    const { most } = await watched(stage, async () => {
      await stage.expectExit(1, ["apply", "--timeout", "3s", ...HURRY], { env });
      await stage.declare({ replicas: 3, template: { environment: { QUEUE: "other" } } });
      await stage.expectExit(1, ["apply", "--timeout", "5s", ...HURRY], { env });
      release();
      await applyUntilDone(stage);
    });
    expect(most).toBe(3);
    await expectAsDeclared(stage, 3);
  });

  it("a hanging engine that still answers pings costs the deadline, and nothing else", async () => {
    const stage = openStage();
    const before = await stage.converge({ replicas: 2 });
    const host = await standBetween(async (call) =>
      call.includes("/_ping") ? undefined : new Promise(() => undefined),
    );
    const env = { DOCKER_HOST: host };
    const { stderr, milliseconds } = await stage.expectExit(1, ["apply", ...HURRY], { env });
    expect(stderr).toContain("did not answer within 1 s");
    expect(milliseconds).toBeLessThan(15_000);
    expect(stage.status().groups[0]?.conditions[0]).toMatchObject({ status: "Unknown" });
    expect(await stage.workers()).toEqual(before);
  });
});

describe("a client whose clock is wrong", () => {
  it.each([-86_400_000, 3_600_000])("by %i ms goes by the engine's", async (shift) => {
    const stage = openStage();
    await stage.write("shift.cjs", SHIFTED.replaceAll("SHIFT", String(shift)));
    const env = { NODE_OPTIONS: `--require ${stage.folder}/shift.cjs` };
    const spec = (queue: string): Spec => ({
      replicas: 1,
      template: { stop_grace_period: "2s", environment: { QUEUE: queue, IGNORE_TERM: "1" } },
      rollout: { minReadySeconds: 1 },
    });
    await stage.declare(spec("mail"));
    await stage.expectExit(0, ["apply"], { env });
    await stage.declare(spec("post"));
    const since = await engineTime();
    await stage.expectExit(0, ["apply"], { env });
    const events = await containerEvents(since, stage.label);
    const kills = events.filter(({ action }) => action === "kill");
    expect(kills.map(({ signal }) => signal)).toEqual([15, 9]);
    const [asked = 0, killed = 0] = kills.map(({ at }) => at);
    expect(killed - asked).toBeGreaterThanOrEqual(2_000);
    await expectAsDeclared(stage, 1);
  });

  const SHIFTED = `const now = Date.now;
    globalThis.Date = class extends Date {
      constructor(...all) { super(...(all.length === 0 ? [now() + SHIFT] : all)); }
      static now() { return now() + SHIFT; }
    };`;
});
