// Signals, kills and two runs at once: no worker is harmed, nothing is done twice, and the lock goes with its process.

import { describe, expect, it } from "vitest";
import type { CliResult } from "../support/cli.ts";
import { observe } from "../support/observer.ts";
import { waitFor } from "../support/wait.ts";
import { standBetween } from "./middleman.ts";
import { HEALTH_CHECK, idsOf, openStage, type Spec, type Stage, slotOf } from "./stage.ts";

/** Starts, and is never ready: an apply of it goes on until somebody ends it. */
const ENDLESS: Spec = {
  replicas: 2,
  template: {
    environment: { HEALTH: "never" },
    healthcheck: { ...HEALTH_CHECK, start_period: "1h" },
  },
};

type Running = {
  readonly ended: Promise<CliResult>;
  /** Resolves once there is a process. */
  readonly pid: Promise<number>;
};

/** An apply that has started all its workers and waits for them. */
async function startEndless(stage: Stage, args: readonly string[] = []): Promise<Running> {
  await stage.declare(ENDLESS);
  const run = start(stage, ["apply", ...args]);
  await waitFor("both workers to run", async () => {
    const workers = await stage.workers();
    return workers.length === 2 && workers.every(({ state }) => state === "running");
  });
  return run;
}

function start(stage: Stage, args: readonly string[], env: Record<string, string> = {}): Running {
  let onStart = (_: number): void => undefined;
  const pid = new Promise<number>((resolve) => {
    onStart = resolve;
  });
  return { pid, ended: stage.wgctl(args, { onStart, env }) };
}

async function send(signal: NodeJS.Signals, { pid }: Running): Promise<void> {
  process.kill(await pid, signal);
}

describe("a signal", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "%s ends the run with %i, the status written and the workers alive",
    async (signal, code) => {
      const stage = openStage();
      const run = await startEndless(stage);
      const before = await stage.workers();
      await send(signal, run);
      const { stdout, stderr, ...ended } = await run.ended;
      expect(ended.code, stderr).toBe(code);
      expect(stderr).toContain(`${signal}: starting nothing more`);
      expect(stdout).toContain("Interrupted");
      expect(stage.status().groups[0]?.counts).toMatchObject({ started: 2, available: 0 });
      expect(await stage.workers()).toEqual(before);
    },
  );

  it("is in the result of apply -o json with the exit code of the process", async () => {
    const stage = openStage();
    const run = await startEndless(stage, ["-o", "json"]);
    await send("SIGTERM", run);
    const { code, stdout } = await run.ended;
    expect(code).toBe(143);
    expect(lastLine(stdout)).toMatchObject({
      event: "result",
      exitCode: 143,
      ending: "interrupted",
    });
  });

  it("a second time leaves at once, whatever call is under way", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    let isAsked = false;
    const host = await standBetween(() => {
      isAsked = true;
      return new Promise(() => undefined);
    });
    const run = start(stage, ["apply"], { DOCKER_HOST: host });
    await waitFor("the first call", () => isAsked);
    await send("SIGINT", run);
    await send("SIGTERM", run);
    const { code, milliseconds } = await run.ended;
    expect([130, 143]).toContain(code);
    expect(milliseconds).toBeLessThan(20_000);
  });
});

describe("two runs at once", () => {
  it("one of them is refused, and told who holds the lock", async () => {
    const stage = openStage();
    const holder = await startEndless(stage);
    const { stderr, stdout } = await stage.expectExit(5, ["apply"]);
    expect(stderr).toContain(`the lock is held by pid ${await holder.pid} `);
    expect(stderr).toContain("wgctl apply");
    expect(stdout).toBe("");
    await stage.expectExit(0, ["plan"]);
    await stage.expectExit(0, ["status"]);
    await send("SIGKILL", holder);
    expect((await holder.ended).code).toBe(137);
  });

  it("--if-locked=skip leaves it at that", async () => {
    const stage = openStage();
    const holder = await startEndless(stage);
    const { stderr } = await stage.expectExit(0, ["apply", "--if-locked", "skip"]);
    expect(stderr).toContain("skipped");
    const { stdout } = await stage.expectExit(0, ["apply", "--if-locked=skip", "-o", "json"]);
    expect(lastLine(stdout)).toMatchObject({ event: "result", ending: "skipped", exitCode: 0 });
    await send("SIGINT", holder);
    await holder.ended;
  });

  it("--lock-timeout waits; a killed holder has freed the lock, and its work is taken over", async () => {
    const stage = openStage();
    const holder = await startEndless(stage);
    const before = idsOf(await stage.workers());
    const waiting = start(stage, ["apply", "--lock-timeout", "30s", "--no-wait"]);
    const gaveUp = await stage.expectExit(5, ["apply", "--lock-timeout", "1s"]);
    expect(gaveUp.stderr).toContain("waited 1s");
    await send("SIGKILL", holder);
    await holder.ended;
    const { code, stderr } = await waiting.ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`waiting for the lock, held by pid ${await holder.pid}`);
    expect(idsOf(await stage.workers())).toEqual(before);
  });

  it("a signal ends the wait for the lock, too", async () => {
    const stage = openStage();
    const holder = await startEndless(stage);
    const waiting = start(stage, ["apply", "--lock-timeout", "60s", "-o", "json"]);
    const { stdout } = await interruptWhenHeard(waiting, stage);
    expect(lastLine(stdout)).toMatchObject({
      event: "result",
      ending: "interrupted",
      exitCode: 130,
    });
    await send("SIGINT", holder);
    await holder.ended;
  });

  /** A process that has no handler yet dies of the signal with no result, so it is sent once the run has begun. */
  async function interruptWhenHeard(run: Running, stage: Stage): Promise<CliResult> {
    await stage.expectExit(5, ["apply", "--lock-timeout", "1s"]);
    await send("SIGINT", run);
    const result = await run.ended;
    expect(result.code, result.stderr).toBe(130);
    return result;
  }

  it("of different projects go side by side", async () => {
    const stage = openStage();
    const holder = await startEndless(stage);
    const other = openStage();
    await other.converge({ replicas: 1 });
    await send("SIGINT", holder);
    await holder.ended;
  });
});

describe("R8: a run killed in the middle", () => {
  // Killed while a create is under way, the next run waits a minute for it: kills.e2e.test.ts has such moments.
  it.each([
    ["made nothing yet", 0],
    ["made all", 6],
  ])("that had %s is finished by the next, never with more than was declared", async (_, made) => {
    const stage = openStage();
    await stage.declare({ replicas: 6 });
    const watching = observe(stage.label);
    const run = start(stage, ["apply"]);
    await waitFor(
      `${made} workers`,
      async () => (await run.pid) > 0 && (await stage.workers()).length >= made,
    );
    await send("SIGKILL", run);
    await run.ended;
    await stage.expectExit(0, ["apply"]);
    const samples = await watching.stop();
    expect(Math.max(...samples.map(({ existing }) => existing))).toBe(6);
    expect((await stage.workers()).map(slotOf)).toEqual([1, 2, 3, 4, 5, 6]);
    await stage.expectNothingToDo();
  });

  it("while it rolled with surge is finished by the next, within the limits", async () => {
    const stage = openStage();
    const rollout = { maxSurge: 1, maxUnavailable: 0 };
    const before = await stage.converge({ replicas: 3, rollout });
    await stage.declare({ replicas: 3, rollout, template: { environment: { QUEUE: "other" } } });
    const watching = observe(stage.label);
    const run = start(stage, ["apply"]);
    await waitFor("a worker to leave", async () =>
      (await stage.workers()).some(({ name }) => /\.(stopping|kept)-\d+$/.test(name)),
    );
    await send("SIGKILL", run);
    await run.ended;
    await stage.expectExit(0, ["apply"]);
    const samples = await watching.stop();
    expect(Math.max(...samples.map(({ existing }) => existing))).toBeLessThanOrEqual(4);
    const after = await stage.workers();
    expect(after.map(slotOf)).toEqual([1, 2, 3]);
    expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  });
});

function lastLine(stdout: string): unknown {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}
