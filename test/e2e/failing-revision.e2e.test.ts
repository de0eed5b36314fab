// A revision that does not work: the group serves on with what did, says so in every run, and goes on when it is mended.

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { engineTime, type ListedContainer, testHost } from "../support/engine.ts";
import { observe, type Sample } from "../support/observer.ts";
import { waitFor } from "../support/wait.ts";
import { containerEvents, eventLines } from "./events.ts";
import { idsOf, openStage, type Spec, type Stage, slotOf } from "./stage.ts";

const ROLLOUT = { minReadySeconds: 4, healthyDeadlineSeconds: 30 };
const GOOD: Spec = { rollout: ROLLOUT, template: { restart: "always" } };
const BAD: Spec = {
  rollout: ROLLOUT,
  template: { restart: "always", environment: { CRASH_AFTER: "2" } },
};

/** Containers of the given ids that run under their own name. */
function servingOf(ids: readonly string[]) {
  return ({ containers }: Sample): number =>
    containers.filter(
      ({ id, name, state }) => ids.includes(id) && state === "running" && !/\.\w+-\d+$/.test(name),
    ).length;
}

const failed = (workers: readonly ListedContainer[]) =>
  workers.filter(({ name }) => /\.failed-\d+$/.test(name));

/** Applies a second time: the same exit code, and nothing is touched. */
async function expectStandstill(stage: Stage, code: number, ...args: string[]): Promise<void> {
  const files = stage.files();
  const since = await engineTime();
  await stage.expectExit(code, ["apply", ...args]);
  expect(await containerEvents(since, stage.label)).toEqual([]);
  expect(stage.files()).toEqual(files);
}

describe("field case 4: a new revision ends after 2 seconds, without a health check", () => {
  it("two of three old workers never stop, and no run tries again until the spec is mended", async () => {
    const stage = openStage();
    const before = idsOf(await stage.converge(GOOD));
    await stage.declare(BAD);
    const observer = observe(stage.label);
    const { stderr } = await stage.expectExit(6, ["apply"]);
    const samples = await observer.stop();
    expect(Math.min(...samples.map(servingOf(before)))).toBe(2);
    expect(Math.max(...samples.map(({ existing }) => existing))).toBe(3);
    expect(stderr).toContain("cannot go on");

    const after = await stage.workers();
    expect(failed(after)).toHaveLength(1);
    expect(idsOf(after.filter(({ state }) => state === "running")).toSorted()).toEqual(
      before.toSorted(),
    );
    const [group] = stage.status().groups;
    expect(group?.conditions.find(({ type }) => type === "Stalled")?.reason).toBe("RevisionFailed");
    await expectStandstill(stage, 6);

    // the container that failed is there to tell, whatever becomes of the files
    await rm(join(stage.folder, ".wgctl"), { recursive: true });
    const since = await engineTime();
    await stage.expectExit(6, ["apply"]);
    expect(await containerEvents(since, stage.label)).toEqual([]);

    const mended = await stage.converge({
      ...GOOD,
      template: { restart: "always", environment: { QUEUE: "letters" } },
    });
    expect(mended.map(slotOf)).toEqual([1, 2, 3]);
    expect(idsOf(mended).filter((id) => before.includes(id))).toEqual([]);
    await stage.expectNothingToDo();
  });

  it("back to the old spec the same containers serve again", async () => {
    const stage = openStage();
    const before = idsOf(await stage.converge(GOOD));
    await stage.declare(BAD);
    await stage.expectExit(6, ["apply", "--once"]).catch(() => undefined);
    await waitFor("a worker that is kept", async () =>
      (await stage.workers()).some(({ name }) => name.includes(".kept-")),
    );
    expect(idsOf(await stage.converge(GOOD)).toSorted()).toEqual(before.toSorted());
    await stage.expectNothingToDo();
  });
});

describe("onFailure: Rollback", () => {
  it("brings the old revision back into every slot, and is not tried again", async () => {
    const stage = openStage();
    // Slot 1 works in the new revision, and slot 2 does not.
    const rollout = { ...ROLLOUT, onFailure: "Rollback" };
    const template = { command: ["sh", "-c", "exec worker"], environment: { QUEUE: "mail" } };
    const before = idsOf(await stage.converge({ rollout, template }));
    const command = ["sh", "-c", "[ $$WGCTL_SLOT = 1 ] || exit 7; exec worker"];
    await stage.declare({ rollout, template: { ...template, command } });
    const { stdout } = await stage.expectExit(6, ["apply"]);
    expect(stdout).toContain("the old one serves");
    const after = await stage.workers();
    expect(failed(after)).toHaveLength(1);
    expect(idsOf(after.filter(({ state }) => state === "running")).toSorted()).toEqual(
      before.toSorted(),
    );
    await expectStandstill(stage, 6);
  });
});

describe("another try", () => {
  it("--retry forgives what failed before, once", async () => {
    const stage = openStage();
    const rollout = { ...ROLLOUT, minReadySeconds: 2 };
    await stage.converge({ replicas: 2, rollout });
    const template = {
      command: ["sh", "-c", "test -e /data/ok && exec worker"],
      volumes: [`${stage.folder}/groups:/data`],
    };
    await stage.declare({ replicas: 2, rollout, template });
    await stage.expectExit(6, ["apply"]);
    await stage.expectExit(6, ["apply", "--retry"]);
    expect(failed(await stage.workers())).toHaveLength(1);
    await writeFile(join(stage.folder, "groups/ok"), "");
    await expectStandstill(stage, 6);
    await stage.expectExit(0, ["apply", "--retry"]);
    expect(failed(await stage.workers())).toEqual([]);
    await stage.expectNothingToDo();
  });
});

describe("what does not fail a revision", () => {
  it("a kill from outside is healed", async () => {
    const stage = openStage();
    const rollout = { ...ROLLOUT, minReadySeconds: 6 };
    const before = idsOf(await stage.converge({ replicas: 2, rollout }));
    await stage.declare({ replicas: 2, rollout, template: { environment: { QUEUE: "letters" } } });
    const run = stage.expectExit(0, ["apply"]);
    const fresh = await waitFor("a new worker", async () =>
      (await stage.workers()).find(({ id, state }) => state === "running" && !before.includes(id)),
    );
    await callJson(testHost(), "POST", `/containers/${fresh.id}/kill?signal=KILL`);
    await run;
    expect((await stage.workers()).map(slotOf)).toEqual([1, 2]);
    await stage.expectNothingToDo();
  });

  it("a first revision is tried for ever, and the run says 6", async () => {
    const stage = openStage();
    await stage.declare({ ...BAD, replicas: 1 });
    await stage.expectExit(6, ["apply", "--timeout", "8s"]);
    expect(failed(await stage.workers())).toEqual([]);
    const since = await engineTime();
    await stage.converge({ ...GOOD, replicas: 1 });
    const lines = eventLines(await containerEvents(since, stage.label), ["create"]);
    expect(lines).toEqual(["create 1"]);
  });
});
