import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { engineTime, removeByHand, testHost } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import { type ContainerEvent, containerEvents, eventLines } from "./events.ts";
import { standBetween } from "./middleman.ts";
import { idsOf, openStage, type Spec, type Stage } from "./stage.ts";

const STEPS = ["update", "rename", "kill", "die", "start", "destroy"];

/** Brings a group to the first spec, then to the second, and answers with what happened on the way there. */
async function changeOf(stage: Stage, from: Spec, to: Spec): Promise<readonly ContainerEvent[]> {
  const before = idsOf(await stage.converge(from));
  const since = await engineTime();
  await stage.converge(to);
  const events = await containerEvents(since, stage.label);
  return events.filter(({ id }) => before.includes(id));
}

describe("a worker that has to go", () => {
  it("with restart: always is disarmed first, and not revived", async () => {
    const template = { restart: "always", environment: { TERM_SECONDS: "1" } };
    const events = await changeOf(
      openStage(),
      { replicas: 1, template },
      { replicas: 0, template },
    );
    expect(eventLines(events, STEPS)).toEqual([
      ...["update 1", "rename 1", "kill 1 15", "die 1 0", "destroy 1"],
    ]);
  });

  it("goes even when it is in a crash loop", async () => {
    const stage = openStage();
    const template = { restart: "always", environment: { CRASH_AFTER: "0" } };
    await stage.declare({ replicas: 1, template, rollout: { minReadySeconds: 60 } });
    await stage.expectExit(6, ["apply", "--timeout", "2s"]);
    await waitFor("a crash loop", async () =>
      (await stage.workers()).some(({ state }) => state === "restarting"),
    );
    expect(await stage.converge({ replicas: 0, template })).toEqual([]);
  });

  it("and is asked with the signal that its template names", async () => {
    const template = { stop_signal: "SIGINT" };
    const events = await changeOf(
      openStage(),
      { replicas: 1, template },
      { replicas: 0, template },
    );
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 2", "die 1 0"]);
  });

  it("and ignores the signal is killed after its stop_grace_period, and not before", async () => {
    const stage = openStage();
    const template = { stop_grace_period: "2s", environment: { IGNORE_TERM: "1" } };
    await stage.converge({ replicas: 1, template });
    const since = await engineTime();
    await stage.declare({ replicas: 0, template });
    // asked at the end of a second, because the engine tells its time to the second
    const host = await standBetween(async (call) => {
      if (call.includes("/rename?"))
        await waitFor("the end of a second", () => Date.now() % 1000 > 900);
      return undefined;
    });
    await stage.expectExit(0, ["apply"], { env: { DOCKER_HOST: host } });
    const events = await containerEvents(since, stage.label);
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 15", "kill 1 9", "die 1 137"]);
    const [asked, killed] = events.filter(({ action }) => action === "kill").map(({ at }) => at);
    const waited = (killed ?? 0) - (asked ?? 0);
    expect(waited).toBeGreaterThanOrEqual(2_000);
    expect(waited).toBeLessThan(10_000);
  });

  it("has its whole grace from the signal on, however long ago it was renamed", async () => {
    const stage = openStage();
    const template = { stop_grace_period: "2s", environment: { TERM_SECONDS: "1" } };
    await stage.converge({ replicas: 1, template });
    const since = await engineTime();
    await stage.declare({ replicas: 0, template });
    await stage.expectExit(0, ["apply", "--max-actions", "1"]);
    const renamed = await engineTime();
    expect((await stage.workers())[0]?.name).toContain(".stopping-");
    await waitFor("time to pass", async () => Number(await engineTime()) > Number(renamed) + 3);
    await stage.expectExit(0, ["apply"]);
    const events = await containerEvents(since, stage.label);
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 15", "die 1 0"]);
  });

  it("gets the longer grace of the new spec", async () => {
    const environment = { TERM_SECONDS: "4" };
    const events = await changeOf(
      openStage(),
      { replicas: 1, template: { stop_grace_period: "1s", environment } },
      { replicas: 1, template: { stop_grace_period: "30s", environment } },
    );
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 15", "die 1 0"]);
  });

  it("is not asked twice by a run that finds it leaving (R8)", async () => {
    const stage = openStage();
    const template = { environment: { TERM_SECONDS: "3" } };
    await stage.converge({ replicas: 1, template });
    const since = await engineTime();
    await stage.declare({ replicas: 0, template });
    await stage.expectExit(0, ["apply", "--once"]);
    await stage.expectExit(0, ["apply", "--once"]);
    // the signal is found in the engine's history where no file knows of it
    await stage.expectExit(0, ["apply", "--state-dir", `${stage.folder}/elsewhere`]);
    const events = await containerEvents(since, stage.label);
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 15", "die 1 0"]);
  });

  it("is left alone while somebody has paused it, even above the count", async () => {
    const stage = openStage();
    const [worker] = await stage.converge({ replicas: 1 });
    await callJson(testHost(), "POST", `/containers/${worker?.id}/pause`);
    await stage.declare({ replicas: 0 });
    const since = await engineTime();
    const { stdout } = await stage.expectExit(1, ["apply"]);
    expect(stdout).toContain("is paused by someone");
    expect(await containerEvents(since, stage.label)).toEqual([]);
    await removeByHand(worker?.id ?? "");
    await stage.expectExit(0, ["apply"]);
  });
});
