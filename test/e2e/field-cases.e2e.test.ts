// Situations that users of other tools met, each by its number. What counts is the kind, not the one instance.

import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import {
  engineTime,
  execIn,
  type ListedContainer,
  removeByHand,
  runContainer,
  testHost,
} from "../support/engine.ts";
import { loadVariant } from "../support/image.ts";
import { waitFor } from "../support/wait.ts";
import { containerEvents, eventLines } from "./events.ts";
import { hasRegistry, loadAs, openRegistry, publish, untag } from "./registry.ts";
import { bySlot, HEALTH_CHECK, idsOf, openStage, type Stage, slotOf } from "./stage.ts";

/** An image id as plans show it. */
const short = (id: string) => id.slice(0, "sha256:".length + 12);

describe("field case 2: the tag of 2 workers means another image now", () => {
  it("that somebody built or pulled: both are replaced, and both ids are named", async () => {
    const stage = openStage();
    const image = `wgctl-${stage.run}:1`;
    const old = await stage.loadImage(image, "old");
    const spec = { replicas: 2, template: { image } };
    const before = await stage.converge(spec);
    const now = await loadVariant(image, "new");
    const { stdout } = await stage.expectExit(0, ["plan"]);
    expect(stdout.split("image-changed").length - 1).toBe(2);
    expect(stdout).toContain(`${short(old)} -> ${short(now)}`);
    await expectReplaced(stage, before, now);
  });

  it.runIf(hasRegistry())("that apply itself pulled: both are replaced, once", async () => {
    const stage = openStage();
    const image = `${(await openRegistry()).address}/worker:1`;
    const pulled = await publish(stage, image, "new");
    await loadAs(stage, image, "old");
    const before = await stage.converge({ replicas: 2, template: { image } });
    await untag(image);
    await stage.expectExit(2, ["plan", "--detailed-exitcode"]);
    await expectReplaced(stage, before, pulled);
  });

  async function expectReplaced(
    stage: Stage,
    before: readonly ListedContainer[],
    image: string,
  ): Promise<void> {
    await stage.expectExit(0, ["apply"]);
    const after = await stage.workers();
    expect(after.map((worker) => worker.image)).toEqual([image, image]);
    expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
    await stage.expectNothingToDo();
    const since = await engineTime();
    await stage.expectExit(0, ["apply"]);
    expect(await containerEvents(since, stage.label)).toEqual([]);
  }
});

const BY_FILE = { HEALTH: "file", HEALTHY_AFTER: "0" };

async function makeUnhealthy(id: string): Promise<void> {
  await execIn(id, ["rm", "/tmp/healthy"]);
  await waitFor("the worker to be unhealthy", async () => {
    const { State } = await callJson(testHost(), "GET", `/containers/${id}/json`);
    return State.Health.Status === "unhealthy";
  });
}

describe("field case 3: scaling down a group in disorder", () => {
  const template = (queue: string) => ({
    healthcheck: HEALTH_CHECK,
    environment: { ...BY_FILE, QUEUE: queue },
  });

  it("takes slots 3 and 4, rolls slot 2, says why, and fills 3 and 4 again", async () => {
    const stage = openStage();
    const workers = await makeDisorder(stage);
    await stage.declare({ replicas: 2, template: template("new") });
    await expectReasons(stage);
    await stage.expectExit(0, ["apply"]);
    const left = bySlot(await stage.workers());
    expect(Object.keys(left)).toEqual(["1", "2"]);
    expect(left[1]).toBe(workers[1]);
    expect(left[2]).not.toBe(workers[2]);
    await stage.expectNothingToDo();
    const again = bySlot(await stage.converge({ replicas: 4, template: template("new") }));
    expect(Object.keys(again)).toEqual(["1", "2", "3", "4"]);
    expect([again[1], again[2]]).toEqual([left[1], left[2]]);
  });

  /** Slots 1 and 4 fine, slot 3 unhealthy, slot 2 of the old revision. Answers with the ids by slot. */
  async function makeDisorder(stage: Stage): Promise<Readonly<Record<number, string>>> {
    const old = await stage.converge({ replicas: 4, template: template("old") });
    // while the rollout is paused only what is missing is made anew
    const rollout = { paused: true };
    await stage.declare({ replicas: 4, template: template("new"), rollout });
    for (const worker of old) if (slotOf(worker) !== 2) await removeByHand(worker.id);
    await stage.expectExit(0, ["apply"]);
    const workers = bySlot(await stage.workers());
    await makeUnhealthy(workers[3] ?? "");
    return workers;
  }

  async function expectReasons(stage: Stage): Promise<void> {
    const { actions, deferred } = await stage.plan();
    const reasons = new Map<number, Set<string>>();
    for (const { slot, reason, detail, paths } of [...actions, ...deferred]) {
      expect(detail !== "" || paths.length > 0).toBe(true);
      reasons.set(slot, (reasons.get(slot) ?? new Set()).add(reason));
    }
    expect(Object.fromEntries(reasons)).toMatchObject({
      3: new Set(["scale-down"]),
      4: new Set(["scale-down"]),
    });
    const { stdout } = await stage.expectExit(0, ["plan"]);
    expect(stdout).toContain("scale-down: slot 3 of 2, Unhealthy");
    expect(stdout).toContain("scale-down: slot 4 of 2, Available");
    expect(stdout).toMatch(/-2-[0-9a-f]{8} .*template-changed: environment/);
  }

  it.each([
    { worse: "the first", unhealthy: 0 },
    { worse: "the second", unhealthy: 1 },
  ])("of two copies in one slot $worse goes when it is the worse one", async ({ unhealthy }) => {
    const stage = openStage();
    const spec = { replicas: 1, template: template("new") };
    const [original] = await stage.converge(spec);
    const copies = [original?.id ?? "", await addCopy(original?.id ?? "")];
    await makeUnhealthy(copies[unhealthy] ?? "");
    const [action] = (await stage.plan()).actions;
    expect(action).toMatchObject({ reason: "duplicate", target: { id: copies[unhealthy] } });
    await stage.expectExit(0, ["apply"]);
    expect(idsOf(await stage.workers())).toEqual([copies[1 - unhealthy]]);
  });

  /** A second worker in the slot of a first, as a race or a restored backup may leave it; waits until it is healthy. */
  async function addCopy(id: string): Promise<string> {
    const { Name: path, Config: config } = await callJson(
      testHost(),
      "GET",
      `/containers/${id}/json`,
    );
    const name = `${path.slice(1)}-2`;
    const labels = { ...config.Labels, "dev.wgctl.name": name, "dev.wgctl.attempt": "2" };
    const copy = await runContainer(name, { ...config, Hostname: "", Labels: labels });
    await waitFor("the copy to be healthy", async () => {
      const { State } = await callJson(testHost(), "GET", `/containers/${copy}/json`);
      return State.Health.Status === "healthy";
    });
    return copy;
  }
});

describe("field case 5: the image of the new version cannot be pulled", () => {
  type Trouble = { readonly image: string; readonly words: RegExp };
  const down = async (): Promise<Trouble> => ({
    image: "127.0.0.1:1/worker:2",
    words: /connection refused/,
  });
  const missing = async (): Promise<Trouble> => ({
    image: `${(await openRegistry()).address}/worker:2`,
    words: /manifest unknown|not found/,
  });
  const denied = async (): Promise<Trouble> => ({
    image: `${(await openRegistry({ closed: true })).address}/worker:2`,
    words: /no basic auth credentials|unauthorized|denied/,
  });

  it("because its registry is down", () => expectUntouched(down));
  it.runIf(hasRegistry())("because there is none by that name", () => expectUntouched(missing));
  it.runIf(hasRegistry())("because the registry lets nobody in", () => expectUntouched(denied));

  async function expectUntouched(makeTrouble: () => Promise<Trouble>): Promise<void> {
    const stage = openStage();
    const before = await stage.converge({ replicas: 3 });
    const { image, words } = await makeTrouble();
    await stage.declare({ replicas: 3, template: { image } });
    const since = await engineTime();
    const { stderr } = await stage.expectExit(1, ["apply"]);
    expect(stderr).toMatch(words);
    expect(await stage.workers()).toEqual(before);
    expect(await containerEvents(since, stage.label)).toEqual([]);
    const conditions = stage.status().groups[0]?.conditions;
    expect(conditions).toContainEqual(
      expect.objectContaining({
        ...{ type: "ReplicaFailure", status: "True", reason: "ImagePullFailed" },
        message: expect.stringMatching(words),
      }),
    );
    await expectHarmless(stage, before);
  }

  /** What does not need the image is done all the same, and going back to the old one is a no-op. */
  async function expectHarmless(stage: Stage, before: readonly ListedContainer[]): Promise<void> {
    const since = await engineTime();
    await stage.converge({ replicas: 3 });
    expect(await stage.workers()).toEqual(before);
    expect(eventLines(await containerEvents(since, stage.label), ["create", "kill"])).toEqual([]);
    expect(stage.status().groups[0]?.conditions.map(({ type }) => type)).not.toContain(
      "ReplicaFailure",
    );
  }

  it.runIf(hasRegistry())("and scales down what runs all the same", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 3 });
    const { image } = await missing();
    await stage.declare({ replicas: 2, template: { image } });
    await stage.expectExit(1, ["apply"]);
    expect((await stage.workers()).map(slotOf)).toEqual([1, 2]);
  });
});
