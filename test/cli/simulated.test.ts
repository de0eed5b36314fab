// The built CLI on the simulated engine: several runs in a row on a world in a file, as cron would make them.

import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";
import { waitFor } from "../support/wait.ts";
import { openStage, type SimulatedStage, type Spec } from "./simulated-stage.ts";

const SECOND = 1_000;
const BEGINNING = Date.UTC(2026, 0, 1);
const THREE = ["1 running", "2 running", "3 running"];

/** Starts, and is never ready: an apply of it goes on until its time is over or somebody ends it. */
const ENDLESS: Spec = {
  template: { healthcheck: { test: ["CMD", "healthy"], interval: "10s", start_period: "1000h" } },
  rollout: { healthyDeadlineSeconds: 4_000_000 },
};
const NEVER_READY = { lives: [{ healthy: "never" }] };
const FOR_AGES = ["--timeout", "500h"];

describe("apply --engine simulated", () => {
  it("converges on a world that it makes, and the second run touches no file (R2)", async () => {
    const stage = openStage();
    await stage.declare();
    const { stderr } = await stage.expectExit(0, ["apply"]);
    expect(stderr).toContain("pulled     acme/mailer:1");
    expect(stage.workers()).toEqual(THREE);
    expect(stage.status().engine.endpoint).toBe(`simulated://${stage.folder}/world.json`);

    const files = stage.files();
    const { stdout } = await stage.expectExit(0, ["apply"]);
    expect(stdout).toMatch(/^No changes\. /);
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
    await stage.expectExit(0, ["status", "--detailed-exitcode"]);
    expect(stage.files()).toEqual(files);
  });

  it("keeps the world beside the status unless it is told where, hidden from Git", async () => {
    const stage = openStage();
    await stage.declare();
    const options = { cwd: stage.folder, env: { WGCTL_ENGINE: "simulated" } };
    expect((await runCli(["apply"], options)).code).toBe(0);
    const folder = join(stage.folder, ".wgctl/simulated");
    const kept = ["world.json", "status.json", ".gitignore"].map((name) => join(folder, name));
    expect(kept.filter((path) => !existsSync(path))).toEqual([]);
    expect(statSync(join(folder, "world.json")).mode & 0o777).toBe(0o600);
    expect((await runCli(["plan", "--detailed-exitcode"], options)).code).toBe(0);
  });

  it("rolls one by one in virtual time", async () => {
    const stage = openStage();
    await stage.declare();
    await stage.expectExit(0, ["apply"]);
    const before = Object.keys(stage.world().containers);
    const began = stage.world().now;
    await stage.declare({
      template: { image: "acme/mailer:2" },
      rollout: { minReadySeconds: 120 },
    });
    const { milliseconds } = await stage.expectExit(0, ["apply"]);
    expect(stage.workers()).toEqual(THREE);
    expect(Object.keys(stage.world().containers).filter((id) => before.includes(id))).toEqual([]);
    expect(stage.world().now - began).toBeGreaterThanOrEqual(3 * 120 * SECOND);
    expect(milliseconds).toBeLessThan(60 * SECOND);
  });

  it("sees a scripted crash loop", async () => {
    const stage = openStage();
    await stage.declare({ template: { restart: "always" }, rollout: { minReadySeconds: 5 } });
    await stage.write("world.json", {
      lives: [{ match: { label: "dev.wgctl.slot=2" }, end: { after: 1, code: 7 } }],
    });
    await stage.expectExit(6, ["apply", "--timeout", "5m"]);
    const { stdout } = await stage.expectExit(0, ["status", "-o", "wide"]);
    expect(stdout).toMatch(/mailer-2-\w+ +2 +CrashLooping/);
    expect(stdout).toMatch(/mailer-3-\w+ +3 +Available/);
  });

  it("measures its time-out in the world's time, and keeps the world as it is then", async () => {
    const stage = openStage();
    await stage.declare(ENDLESS);
    await stage.write("world.json", NEVER_READY);
    await stage.expectExit(1, ["apply", "--timeout", "90s"]);
    const seconds = (stage.world().now - BEGINNING) / SECOND;
    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(92);
    expect(stage.workers()).toEqual(THREE);
  });

  it("keeps the world after a run that failed", async () => {
    const stage = openStage();
    await stage.declare();
    const effect = { kind: "fail-before", code: "engine-failed", message: "out of space" };
    await stage.write("world.json", { faults: [{ call: "createWorker", times: 50, effect }] });
    const { stderr } = await stage.expectExit(1, ["apply"]);
    expect(stderr).toContain("out of space");
    expect(stage.world().faults[0]?.times).toBeLessThan(50);
  });
});

describe("time", () => {
  const MORTAL = { lives: [{ match: { label: "dev.wgctl.slot=2" }, end: { after: 60 } }] };

  it("stands still between runs, and passes by --advance", async () => {
    const stage = openStage();
    await stage.declare();
    await stage.write("world.json", MORTAL);
    await stage.expectExit(0, ["apply"]);
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
    const began = stage.world().now;
    const { stdout } = await stage.expectExit(0, ["apply", "--advance", "90s", "--no-wait"]);
    expect(stdout).toContain("1 group");
    expect(stage.world().now - began).toBeGreaterThanOrEqual(90 * SECOND);
    await stage.expectExit(0, ["apply"]);
    expect(stage.workers()).toEqual(THREE);
  });

  it("passes for plan and status alone, which write nothing", async () => {
    const stage = openStage();
    await stage.declare();
    await stage.expectExit(2, ["plan", "--detailed-exitcode", "--advance", "1h"]);
    await stage.expectExit(0, ["status"]);
    expect(existsSync(join(stage.folder, "world.json"))).toBe(false);
    await stage.write("world.json", MORTAL);
    await stage.expectExit(0, ["apply"]);
    const files = stage.files();
    await stage.expectExit(2, ["plan", "--detailed-exitcode", "--advance", "90s"]);
    await stage.expectExit(2, ["status", "--detailed-exitcode", "--advance", "90s"]);
    expect(stage.files()).toEqual(files);
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
  });
});

it("a fault that a plan runs into is not used up by it", async () => {
  const stage = openStage();
  await stage.declare();
  const effect = { kind: "fail-before", code: "engine-unreachable" };
  await stage.write("world.json", { faults: [{ call: "listWorkers", effect }] });
  const files = stage.files();
  await stage.expectExit(1, ["plan"]);
  await stage.expectExit(1, ["status"]);
  expect(stage.files()).toEqual(files);
  await stage.expectExit(1, ["apply"]);
  await stage.expectExit(0, ["apply"]);
});

describe("a run that ends early", () => {
  it("keeps the world when it is asked to stop", async () => {
    const stage = openStage();
    const run = await startEndless(stage);
    process.kill(run.pid, "SIGTERM");
    expect((await run.ended).code).toBe(143);
    expect(stage.workers()).toEqual(THREE);
    expect(existsSync(join(stage.folder, "world.json.new"))).toBe(false);
  });

  it("leaves a world that can be loaded when it is killed at any moment", {
    timeout: 60_000,
  }, async () => {
    const stage = openStage();
    await stage.declare({ replicas: 100 });
    for (const made of [1, 20, 50]) {
      const run = start(stage, ["apply"]);
      await waitFor(`${made} workers`, () => count(stage) >= made);
      process.kill(await run.pid, "SIGKILL");
      expect((await run.ended).code).toBe(137);
      await stage.expectExit(0, ["status"]);
    }
    await stage.expectExit(0, ["apply"]);
    expect(count(stage)).toBe(100);
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
  });

  it("kept others out, of any project, and lets them in when it is gone", async () => {
    const stage = openStage();
    const run = await startEndless(stage);
    const second = await stage.expectExit(5, ["apply"]);
    expect(second.stderr).toContain(`the lock is held by pid ${run.pid}`);
    await stage.write("wgctl.yaml", {
      ...{ apiVersion: "wgctl.dev/v1", kind: "Project" },
      metadata: { name: "other", uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a99" },
    });
    await stage.expectExit(5, ["apply"]);
    await stage.expectExit(0, ["apply", "--if-locked", "skip"]);
    process.kill(run.pid, "SIGKILL");
    await run.ended;
    await stage.declare(ENDLESS);
    await stage.expectExit(1, ["apply", "--timeout", "1s"]);
  });

  const count = (stage: SimulatedStage) => Object.keys(stage.world().containers).length;

  async function startEndless(stage: SimulatedStage) {
    await stage.declare(ENDLESS);
    await stage.write("world.json", NEVER_READY);
    const { pid, ended } = start(stage, ["apply", ...FOR_AGES]);
    await waitFor("the workers to run", () => stage.workers().join() === THREE.join());
    return { pid: await pid, ended };
  }

  function start(stage: SimulatedStage, args: readonly string[]) {
    let onStart = (_: number): void => undefined;
    const pid = new Promise<number>((resolve) => {
      onStart = resolve;
    });
    const ended: Promise<CliResult> = stage.wgctl(args, { onStart, deadlineMs: 20_000 });
    return { pid, ended };
  }
});

describe("what cannot be", () => {
  it.each([
    ["damaged", "{", "cannot use the world in"],
    ["misspelt", '{"live": []}', "world.live is unknown"],
  ])("a %s world is refused, and left as it is", async (_, content, words) => {
    const stage = openStage();
    await stage.declare();
    await stage.write("world.json", content);
    const files = stage.files();
    for (const command of ["apply", "plan", "status"]) {
      const { stderr } = await stage.expectExit(3, [command]);
      expect(stderr).toContain(words);
    }
    expect(stage.files()).toEqual(files);
  });

  it("another world in the place of one that is remembered is refused", async () => {
    const stage = openStage();
    await stage.declare();
    await stage.expectExit(0, ["apply"]);
    await rm(join(stage.folder, "world.json"));
    const { stderr } = await stage.expectExit(3, ["apply"]);
    expect(stderr).toContain("the state folder belongs to engine simulated-");
  });

  it("a world in a folder that is not there is refused", async () => {
    const stage = openStage();
    await stage.declare();
    const args = ["apply", "--engine", "simulated", "--world", "no/world.json"];
    const { code, stderr } = await runCli(args, { cwd: stage.folder });
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("a folder that is there and yours to write"),
    });
  });

  it.each([
    [["--world", "world.json"], "--world is of the simulated engine"],
    [["--advance", "1h"], "--advance is of the simulated engine"],
    [["--engine", "simulated", "--host", "unix:///x"], "--host is of docker"],
    [["--engine", "simulated", "--context", "x"], "--context is of docker"],
    [["--engine", "podman"], "Allowed choices are docker, simulated."],
    [["--engine", "simulated", "--world", ""], "It is empty."],
  ])("%j is bad usage", async (args, words) => {
    const stage = openStage();
    await stage.declare();
    const { code, stderr } = await runCli(["plan", ...args], { cwd: stage.folder });
    expect(code).toBe(3);
    expect(stderr).toContain(words);
  });

  it("an empty WGCTL_ENGINE means nothing", async () => {
    const stage = openStage();
    await stage.declare();
    const DOCKER_HOST = "unix:///nonexistent/docker.sock";
    const env = { DOCKER_HOST, WGCTL_ENGINE: "", WGCTL_STATE_DIR: "" };
    const options = { cwd: stage.folder, env };
    const { code, stderr } = await runCli(["plan"], options);
    expect(code).toBe(1);
    expect(stderr).toContain("docker.sock");
  });
});
