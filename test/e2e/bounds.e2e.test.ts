import { describe, expect, it } from "vitest";
import { engineTime, removeByHand } from "../support/engine.ts";
import { containerEvents, eventLines } from "./events.ts";
import { isListing, standBetween } from "./middleman.ts";
import { HEALTH_CHECK, idsOf, openStage, type Stage } from "./stage.ts";

const OLD = { environment: { QUEUE: "mail" } };
const NEW = { environment: { QUEUE: "letters" } };
const NEVER_READY = { healthcheck: HEALTH_CHECK, environment: { HEALTH: "never" } };

describe("apply --once", () => {
  it("makes one pass and does not wait; enough of them converge", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2, template: OLD });
    await stage.declare({ replicas: 2, template: NEW });
    const since = await engineTime();
    await stage.expectExit(2, ["apply", "--once", "--detailed-exitcode"]);
    const first = eventLines(await containerEvents(since, stage.label), [
      "rename",
      "kill",
      "create",
    ]);
    expect(first).toEqual(["rename 1", "kill 1 15"]);
    expect(stage.status().groups[0]?.conditions[0]).toMatchObject({ status: "False" });
    const runs = await applyUntilDone(stage, ["--once"]);
    expect(runs).toBeGreaterThan(1);
    await stage.expectNothingToDo();
  });

  it("ends with 0 after a clean pass that leaves more to do", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2, template: OLD });
    await stage.declare({ replicas: 2, template: NEW });
    await stage.expectExit(0, ["apply", "--once"]);
    await stage.expectExit(2, ["plan", "--detailed-exitcode"]);
  });
});

describe("apply --max-actions", () => {
  it("bounds the engine calls of the whole run; enough of them converge", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 3 });
    const since = await engineTime();
    await stage.expectExit(2, ["apply", "--max-actions", "2", "--detailed-exitcode"]);
    const calls = async () =>
      eventLines(await containerEvents(since, stage.label), ["create", "start"]).length;
    expect(await calls()).toBe(2);
    expect(await applyUntilDone(stage, ["--max-actions", "2"])).toBe(2);
    expect(await calls()).toBe(6);
    expect(await stage.workers()).toHaveLength(3);
  });

  it("ends with 0 when it did what it was allowed to", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 2 });
    await stage.expectExit(0, ["apply", "--max-actions", "1"]);
    expect(await stage.workers()).toHaveLength(1);
  });
});

/** Repeats apply as cron would, until it says that nothing is left; answers with the number of runs. */
async function applyUntilDone(stage: Stage, args: readonly string[]): Promise<number> {
  for (let runs = 1; runs < 200; runs += 1) {
    const { code, stderr } = await stage.wgctl(["apply", "--detailed-exitcode", ...args]);
    if (code === 0) return runs;
    expect(code, stderr).toBe(2);
  }
  throw new Error("200 runs of apply did not converge");
}

describe("apply --no-wait", () => {
  it("ends as soon as nothing more can be done right now", async () => {
    const stage = openStage();
    const template = {
      healthcheck: HEALTH_CHECK,
      environment: { HEALTH: "file", HEALTHY_AFTER: "600" },
    };
    await stage.declare({ replicas: 2, template });
    await stage.expectExit(2, ["apply", "--no-wait", "--detailed-exitcode"]);
    const [group] = stage.status().groups;
    expect(group?.counts).toMatchObject({ started: 2, ready: 0, available: 0 });
    await stage.expectExit(0, ["apply", "--no-wait"]);
  });

  it("does what follows from what it did, without waiting for workers to stop", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2, template: { environment: { TERM_SECONDS: "20" } } });
    await stage.declare({ replicas: 1, template: { environment: { TERM_SECONDS: "20" } } });
    const { milliseconds } = await stage.expectExit(0, ["apply", "--no-wait"]);
    expect(milliseconds).toBeLessThan(15_000);
    expect((await stage.workers()).map(({ state }) => state)).toEqual(["running", "running"]);
  });
});

describe("apply --timeout", () => {
  it("gives up waiting for a worker that never becomes ready, and leaves it", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1, template: NEVER_READY });
    const { stdout, milliseconds } = await stage.expectExit(1, ["apply", "--timeout", "2s"]);
    expect(stdout).toContain("Not converged in time");
    expect(milliseconds).toBeGreaterThan(2_000);
    expect((await stage.workers()).map(({ state }) => state)).toEqual(["running"]);
  });

  it("starts nothing new after it; the next run goes on", async () => {
    const stage = openStage();
    const slow = { environment: { TERM_SECONDS: "3" } };
    await stage.converge({ replicas: 2, template: slow });
    await stage.declare({ replicas: 2, template: NEW });
    const since = await engineTime();
    await stage.expectExit(1, ["apply", "--timeout", "2s"]);
    const lines = eventLines(await containerEvents(since, stage.label), ["kill", "create"]);
    expect(lines).toEqual(["kill 1 15"]);
    await stage.expectExit(0, ["apply"]);
    await stage.expectNothingToDo();
  });
});

describe("apply --verify", () => {
  it("passes where planning again asks for nothing", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 2 });
    await stage.expectExit(0, ["apply", "--verify"]);
    const { stdout } = await stage.expectExit(0, ["apply", "--verify"]);
    expect(stdout).toMatch(/^No changes\. /);
  });

  it("fails where the engine has moved by the end of the run", async () => {
    const stage = openStage();
    const workers = await stage.converge({ replicas: 2 });
    let listings = 0;
    const host = await standBetween(async (call) => {
      if (!isListing(call)) return undefined;
      listings += 1;
      if (listings === 2) await removeByHand(idsOf(workers)[0] ?? "");
      return undefined;
    });
    const env = { DOCKER_HOST: host };
    const { stdout } = await stage.expectExit(1, ["apply", "--verify"], { env });
    expect(stdout).toContain("Not stable");
    await stage.expectExit(0, ["apply", "--verify"], { env });
    expect(await stage.workers()).toHaveLength(2);
  });
});
