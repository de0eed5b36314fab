// Workers that end: replaced, started again, or done, as the manifest says.

import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { engineTime, testHost } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import { containerEvents, eventLines } from "./events.ts";
import { idsOf, openStage } from "./stage.ts";

describe("onExit", () => {
  it("success: Recreate: a job's worker is followed by a fresh one each time, and at once", async () => {
    const stage = openStage();
    const template = { environment: { CRASH_AFTER: "1", EXIT_CODE: "0" } };
    const rollout = { minReadySeconds: 3 };
    await stage.declare({ replicas: 1, template, rollout, onExit: { success: "Recreate" } });
    const since = await engineTime();
    await stage.wgctl(["apply", "--timeout", "10s"]);
    const events = await containerEvents(since, stage.label);
    const made = eventLines(events, ["create"]);
    expect(made.length).toBeGreaterThanOrEqual(4);
    const ids = new Set(events.filter(({ action }) => action === "create").map(({ id }) => id));
    expect(ids.size).toBe(made.length);
    expect(eventLines(events, ["die"]).every((line) => line === "die 1 0")).toBe(true);
  });

  it("failure: Recreate: waits longer after each", async () => {
    const stage = openStage();
    const template = { environment: { CRASH_AFTER: "0" } };
    await stage.declare({ replicas: 1, template, rollout: { minReadySeconds: 3 } });
    const since = await engineTime();
    await stage.expectExit(6, ["apply", "--timeout", "16s"]);
    const made = eventLines(await containerEvents(since, stage.label), ["create"]);
    expect(made).toEqual(["create 1", "create 1"]);
  });

  it("Leave: a worker that has done its work fills its slot", async () => {
    const stage = openStage();
    const template = { environment: { CRASH_AFTER: "1", EXIT_CODE: "0" } };
    await stage.declare({ replicas: 2, template, onExit: { success: "Leave" } });
    await stage.expectExit(0, ["apply"]);
    const workers = await waitFor("both to end", async () => {
      const seen = await stage.workers();
      return seen.every(({ state }) => state === "exited") && seen;
    });
    await stage.expectExit(0, ["apply"]);
    expect(idsOf(await stage.workers())).toEqual(idsOf(workers));
    const [group] = stage.status().groups;
    expect(group?.workers.map(({ state }) => state)).toEqual(["Completed", "Completed"]);
    await stage.expectNothingToDo();
  });

  it("Restart: the same container runs again", async () => {
    const stage = openStage();
    const [worker] = await stage.converge({ replicas: 1, onExit: { failure: "Restart" } });
    const id = worker?.id ?? "";
    await callJson(testHost(), "POST", `/containers/${id}/kill?signal=KILL`);
    await waitFor("it to end", async () => (await stage.workers())[0]?.state === "exited");
    await stage.expectExit(0, ["apply"]);
    const [after] = await stage.workers();
    expect(after).toMatchObject({ id, state: "running" });
    await stage.expectNothingToDo();
  });
});
