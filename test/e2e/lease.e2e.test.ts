// Runs on different machines and one engine: one at a time changes it, and who was killed does not block the others.

import { describe, expect, it } from "vitest";
import { callApi } from "../../scripts/lib/docker-api.mjs";
import { testHost } from "../support/engine.ts";
import { observe } from "../support/observer.ts";
import { runOnTerminal } from "../support/terminal.ts";
import { waitFor } from "../support/wait.ts";
import {
  elsewhere,
  holdElsewhere,
  holdHere,
  isLeaseHeld,
  isRoot,
  leaseVolumes,
} from "./elsewhere.ts";
import { idsOf, openStage, slotOf } from "./stage.ts";

describe("the lease", () => {
  it("is taken by a run with work and given back; a run without work never asks", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 1 });
    const [after, ...more] = await leaseVolumes(stage);
    expect(more).toEqual([]);
    expect(after?.labels).toMatchObject({ "dev.wgctl.lease.project": stage.projectUid });
    expect(await isLeaseHeld(stage)).toBe(false);
    await stage.expectExit(0, ["apply"]);
    await stage.expectExit(0, ["plan"]);
    expect(await leaseVolumes(stage)).toEqual([after]);
  });
});

it("who was killed does not keep out the next run on its own host", async () => {
  const stage = openStage();
  const holder = await holdHere(stage);
  await holder.kill("SIGKILL");
  expect(await isLeaseHeld(stage)).toBe(true);
  await stage.declare({ replicas: 1 });
  await stage.expectExit(0, ["apply"]);
  expect(await stage.workers()).toHaveLength(1);
});

describe.runIf(isRoot)("two machines", () => {
  it("one is refused while the other works, and told who that is", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage);
    await stage.declare({ replicas: 1 });
    const before = await stage.workers();
    const { stderr } = await stage.expectExit(5, ["apply"]);
    expect(stderr).toMatch(
      /the lease on the engine is held by pid \d+ \(.*\): wgctl apply; taken /,
    );
    expect(stderr).toContain("wgctl unlock");
    const skipped = await stage.expectExit(0, ["apply", "--if-locked", "skip"]);
    expect(skipped.stderr).toContain("skipped");
    await stage.expectExit(0, ["plan"]);
    await stage.expectExit(0, ["status"]);
    expect(await stage.workers()).toEqual(before);
    expect((await holder.kill("SIGINT")).code).toBe(130);
  });

  it("the other waits, and goes on at once when an interrupted run gives the lease back", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage);
    await stage.declare({ replicas: 1 });
    const waiting = elsewhere(stage, ["apply", "--lock-timeout", "60s"]);
    await stage.expectExit(5, ["apply", "--lock-timeout", "1s"]);
    await holder.kill("SIGINT");
    const { code, stderr, milliseconds } = await waiting.ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("waiting for the lock, held by pid ");
    expect(milliseconds).toBeLessThan(55_000);
    expect((await stage.workers()).map(slotOf)).toEqual([1]);
    expect(await isLeaseHeld(stage)).toBe(false);
  });

  it("who was killed keeps the others out until the lease is over, and no longer", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage, ["--lease-duration", "10s"]);
    const before = idsOf(await stage.workers());
    await holder.kill("SIGKILL");
    await stage.declare({ replicas: 1 });
    await stage.expectExit(5, ["apply"]);
    expect(idsOf(await stage.workers())).toEqual(before);
    await stage.expectExit(0, ["apply", "--lock-timeout", "30s"]);
    expect(await stage.workers()).toHaveLength(1);
  });

  it("a run that works for longer than its lease renews it", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage, ["--lease-duration", "3s"]);
    const { number: first = 0 } = (await leaseVolumes(stage)).at(-1) ?? {};
    await waitFor("four renewals", async () =>
      (await leaseVolumes(stage)).some(({ number }) => number >= first + 4),
    );
    await stage.declare({ replicas: 1 });
    await stage.expectExit(5, ["apply"]);
    await holder.kill("SIGINT");
  });

  it("a run whose lease volumes were pruned stops by itself", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage, ["--lease-duration", "3s"]);
    await waitFor("the prune to find them between two renewals", async () => {
      for (const { name } of await leaseVolumes(stage))
        await callApi(testHost(), "DELETE", `/volumes/${name}`);
      return (await leaseVolumes(stage)).length === 0;
    });
    const { code, stdout, stderr } = await holder.ended;
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("somebody removed its volume");
    expect(stdout).toContain("the lease was lost");
    expect(await stage.workers()).toHaveLength(2);
  });

  it("a run that was paused while another took over does nothing more", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage, ["--lease-duration", "3s"]);
    void holder.kill("SIGSTOP");
    await stage.declare({ replicas: 3 });
    await stage.expectExit(0, ["apply", "--lock-timeout", "30s"]);
    const after = await stage.workers();
    const { code, stderr } = await holder.kill("SIGCONT");
    expect([1, 5], stderr).toContain(code);
    expect(await stage.workers()).toEqual(after);
  });
});

describe.runIf(isRoot)("four at once on four machines", () => {
  it("one works, the others are refused or find it done; every action is done once", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 4 });
    const watching = observe(stage.label);
    const args = ["apply", "-o", "json", "--state-dir"];
    const runs = ["a", "b", "c", "d"].map((name) => elsewhere(stage, [...args, `.wgctl-${name}`]));
    const results = await Promise.all(runs.map(({ ended }) => ended));
    const samples = await watching.stop();
    const codes = results.map(({ code }) => code);
    expect(codes).toContain(0);
    expect(
      codes.every((code) => code === 0 || code === 5),
      codes.join(),
    ).toBe(true);
    expect(Math.max(...samples.map(({ existing }) => existing))).toBeLessThanOrEqual(4);
    expect((await stage.workers()).map(slotOf)).toEqual([1, 2, 3, 4]);
    const done = results.map(({ stdout }) => actionsDone(stdout));
    expect(done.reduce((sum, each) => sum + each, 0)).toBe(8);
    await stage.expectNothingToDo();
  });

  it("waiting for one another, all end well and still nothing is done twice", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 3 });
    const args = ["apply", "-o", "json", "--lock-timeout", "60s", "--state-dir"];
    const runs = ["a", "b", "c", "d"].map((name) => elsewhere(stage, [...args, `.wgctl-${name}`]));
    const results = await Promise.all(runs.map(({ ended }) => ended));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const done = results.map(({ stdout }) => actionsDone(stdout)).toSorted();
    expect(done).toEqual([0, 0, 0, 6]);
    expect((await stage.workers()).map(slotOf)).toEqual([1, 2, 3]);
    expect(await leaseVolumes(stage)).toHaveLength(1);
  });
});

describe.runIf(isRoot)("unlock", () => {
  it("shows who has the lease, asks, and ends it", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage);
    await holder.kill("SIGKILL");
    const refused = await stage.expectExit(3, ["unlock"]);
    expect(refused.stdout).toMatch(/by pid \d+ \(.*\): wgctl apply; taken .*, expires /);
    expect(refused.stderr).toContain("--yes");
    const declined = await runOnTerminal(["unlock"], "n\n", stage.folder);
    expect([declined.code, await isLeaseHeld(stage)], declined.screen).toEqual([0, true]);
    const { stdout } = await stage.expectExit(0, ["unlock", "--yes"]);
    expect(stdout).toContain("Released.");
    const again = await stage.expectExit(0, ["unlock"]);
    expect(again.stdout).toContain("Nobody holds the lease of post on unix://");
    await stage.declare({ replicas: 1 });
    await stage.expectExit(0, ["apply"]);
  });

  it("ends a run that is still there, and leaves its workers alone", async () => {
    const stage = openStage();
    const holder = await holdElsewhere(stage, ["--lease-duration", "6s"]);
    const before = await stage.workers();
    const answered = await runOnTerminal(["unlock"], "y\n", stage.folder);
    expect(answered.code, answered.screen).toBe(0);
    const { code, stderr } = await holder.ended;
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/released by pid \d+ \(.*\): wgctl unlock/);
    expect(await stage.workers()).toEqual(before);
  });

  it("says that nobody holds it where nobody ever did", async () => {
    const stage = openStage();
    await stage.declare();
    const { stdout, stderr } = await stage.expectExit(0, ["unlock", "--yes"]);
    expect(stdout).toContain("Nobody holds the lease");
    expect(stderr).toContain("ends with the process that holds it");
    expect(await leaseVolumes(stage)).toEqual([]);
  });
});

/** Actions of an `apply -o json`; one that was refused did none. */
function actionsDone(stdout: string): number {
  const result: { readonly actionsDone?: number } = JSON.parse(
    stdout.trimEnd().split("\n").at(-1) ?? "{}",
  );
  return result.actionsDone ?? 0;
}
