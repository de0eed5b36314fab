import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineTime, eventsSince, removeByHand } from "../support/engine.ts";
import { addBystanders } from "./bystanders.ts";
import { containerEvents, eventLines } from "./events.ts";
import { bySlot, idsOf, openStage, Stage } from "./stage.ts";

/** A group that one test after the other brings to where it wants to begin; a no-op where it is there already. */
describe("a group of workers", () => {
  let stage: Stage;

  beforeAll(() => {
    stage = new Stage();
  });
  afterAll(() => stage.close());

  it("is made as declared: dense slots, all running", async () => {
    const workers = await stage.converge({ replicas: 5 });
    expect(Object.keys(bySlot(workers))).toEqual(["1", "2", "3", "4", "5"]);
    expect(workers.map(({ state }) => state)).toEqual(Array(5).fill("running"));
    const [group] = stage.status().groups;
    expect(group?.counts).toMatchObject({ desired: 5, observed: 5, available: 5, updated: 5 });
  });

  it("is left alone by every later apply: no engine event, no file touched (R2)", async () => {
    const before = await stage.converge({ replicas: 5 });
    const since = await engineTime();
    const files = stage.files();
    for (const _ of [1, 2, 3]) {
      const { stdout } = await stage.expectExit(0, ["apply"]);
      expect(stdout).toMatch(/^No changes\. /);
    }
    expect(await eventsSince(since, stage.label)).toEqual([]);
    expect(stage.files()).toEqual(files);
    expect(await stage.workers()).toEqual(before);
  });

  it("is left alone when its state folder is lost, too (R2)", async () => {
    const before = await stage.converge({ replicas: 5 });
    const since = await engineTime();
    const elsewhere = `${stage.folder}/elsewhere`;
    await stage.expectExit(0, ["apply", "--state-dir", elsewhere]);
    expect(await eventsSince(since, stage.label)).toEqual([]);
    expect(await stage.workers()).toEqual(before);
  });

  it("gets a worker back that was removed by hand, under the same name (R4)", async () => {
    const before = await stage.converge({ replicas: 5 });
    const victim = before.find(({ name }) => name.startsWith(`${stage.group}-3-`));
    await removeByHand(victim?.id ?? "");
    await stage.expectExit(0, ["apply"]);
    const after = await stage.workers();
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    const others = (id: string) => id !== victim?.id;
    expect(idsOf(after)).toEqual(expect.arrayContaining(idsOf(before).filter(others)));
    expect(idsOf(after)).not.toContain(victim?.id);
  });

  it("loses its highest slots when it shrinks, gracefully", async () => {
    const before = bySlot(await stage.converge({ replicas: 5 }));
    const since = await engineTime();
    const after = await stage.converge({ replicas: 2 });
    expect(bySlot(after)).toEqual({ 1: before[1], 2: before[2] });
    const events = await containerEvents(since, stage.label);
    expect([...eventLines(events, ["kill"])].sort()).toEqual([
      "kill 3 15",
      "kill 4 15",
      "kill 5 15",
    ]);
    expect([...eventLines(events, ["die"])].sort()).toEqual(["die 3 0", "die 4 0", "die 5 0"]);
  });

  it("can shrink to nothing and grow again", async () => {
    expect(await stage.converge({ replicas: 0 })).toEqual([]);
    expect(Object.keys(bySlot(await stage.converge({ replicas: 2 })))).toEqual(["1", "2"]);
  });

  it("is rolled by a new restartNonce alone", async () => {
    const before = await stage.converge({ replicas: 2 });
    await stage.declare({ replicas: 2, restartNonce: "once more" });
    const reasons = (await stage.plan()).actions.map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(["nonce"]));
    await stage.expectExit(0, ["apply"]);
    const after = await stage.workers();
    expect(Object.keys(bySlot(after))).toEqual(["1", "2"]);
    expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  });
});

describe("plan", () => {
  it("writes nothing: no engine event, no file", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2 });
    const since = await engineTime();
    const files = stage.files();
    await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
    await stage.declare({ replicas: 3, template: { environment: { QUEUE: "mail" } } });
    await stage.expectExit(0, ["plan", "-o", "json"]);
    await stage.expectExit(2, ["plan", "--detailed-exitcode"]);
    await stage.expectExit(0, ["status"]);
    expect(await eventsSince(since, stage.label)).toEqual([]);
    expect(Object.keys(stage.files())).toEqual(Object.keys(files));
    expect(stage.files()[".wgctl/status.json"]).toBe(files[".wgctl/status.json"]);
  });

  it("makes no state folder where there is none", async () => {
    const stage = openStage();
    await stage.declare();
    const files = stage.files();
    const { stdout } = await stage.expectExit(2, ["plan", "--detailed-exitcode"]);
    expect(stdout).toContain("Plan: 3 to create, 0 to replace, 0 to remove.");
    await stage.expectExit(0, ["status"]);
    expect(stage.files()).toEqual(files);
    expect(await stage.workers()).toEqual([]);
  });
});

describe("a group with a deletionTimestamp", () => {
  const deleted = { deletionTimestamp: "2026-11-29T12:00:00Z" };

  it("goes whole, and no later apply makes a worker for it (R6)", async () => {
    const stage = openStage();
    const [first] = await stage.converge({ replicas: 3 });
    await removeByHand(first?.id ?? "");
    const since = await engineTime();
    // more workers, of another revision: none of it matters any more
    await stage.declare({ replicas: 4, template: { environment: { QUEUE: "mail" } } }, deleted);
    await stage.expectExit(0, ["apply"]);
    expect(await stage.workers()).toEqual([]);
    await stage.expectNothingToDo();
    await stage.expectExit(0, ["apply"]);
    await stage.expectExit(0, ["apply", "--state-dir", `${stage.folder}/elsewhere`]);
    const events = await containerEvents(since, stage.label);
    expect(eventLines(events, ["create", "start"])).toEqual([]);
    expect([...eventLines(events, ["die"])].sort()).toEqual(["die 2 0", "die 3 0"]);
    expect(stage.status().groups[0]?.conditions[0]).toMatchObject({ reason: "Deleted" });
  });

  it("makes no worker when it never had one, whatever the time says", async () => {
    const stage = openStage();
    await stage.declare({}, { deletionTimestamp: "2999-01-01T00:00:00Z" });
    await stage.expectExit(0, ["apply"]);
    expect(await stage.workers()).toEqual([]);
  });
});

describe("what is not ours (R5)", () => {
  it("stays as it is through everything that a group goes through", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2 });
    const bystanders = await addBystanders(stage);
    try {
      const before = await bystanders.inspect();
      await goThroughEverything(stage);
      expect(await bystanders.inspect()).toEqual(before);
    } finally {
      await bystanders.remove();
    }
  });

  async function goThroughEverything(stage: Stage): Promise<void> {
    const ours = async () =>
      (await stage.workers()).filter(({ name }) => name.startsWith(`${stage.group}-`));
    await stage.expectExit(0, ["apply"]);
    expect((await stage.plan()).groups[0]?.foreign.map(({ name }) => name)).toEqual([
      `${stage.run}-copied`,
      `${stage.run}-pasted`,
    ]);
    const [first] = await ours();
    await removeByHand(first?.id ?? "");
    await stage.declare({ replicas: 2, template: { environment: { QUEUE: "mail" } } });
    await stage.expectExit(0, ["apply"]);
    await stage.declare({ replicas: 1, template: { environment: { QUEUE: "mail" } } });
    await stage.expectExit(0, ["apply", "--prune"]);
    expect(await ours()).toHaveLength(1);
    await stage.declare({ replicas: 1 }, { deletionTimestamp: "2026-11-29T12:00:00Z" });
    await stage.expectExit(0, ["apply", "--prune"]);
    expect(await ours()).toEqual([]);
  }
});
