// Limits and restart policy change while workers run; what cannot change so replaces them.

import { describe, expect, it } from "vitest";
import { callJson } from "../../scripts/lib/docker-api.mjs";
import { testHost } from "../support/engine.ts";
import { idsOf, openStage } from "./stage.ts";

const MIB = 1024 * 1024;

const hostConfig = async (id: string) =>
  (await callJson(testHost(), "GET", `/containers/${id}/json`)).HostConfig;

describe("limits in place", () => {
  it("cpus, memory, pids and restart policy are set on the same containers", async () => {
    const stage = openStage();
    const before = await stage.converge({ replicas: 2, template: { cpus: 0.5, mem_limit: "64m" } });
    const after = await stage.converge({
      replicas: 2,
      template: { cpus: 0.25, mem_limit: "96m", pids_limit: 50, restart: "on-failure:3" },
    });
    expect(idsOf(after)).toEqual(idsOf(before));
    for (const { id } of after) {
      expect(await hostConfig(id)).toMatchObject({
        NanoCpus: 250_000_000,
        Memory: 96 * MIB,
        PidsLimit: 50,
        RestartPolicy: { Name: "on-failure", MaximumRetryCount: 3 },
      });
    }
    await stage.expectNothingToDo();
  });

  it("a change by hand is found and put right", async () => {
    const stage = openStage();
    const [worker] = await stage.converge({ replicas: 1, template: { cpus: 0.5 } });
    const id = worker?.id ?? "";
    await callJson(testHost(), "POST", `/containers/${id}/update`, {
      body: { NanoCpus: 1_000_000_000, RestartPolicy: { Name: "always" } },
    });
    const { actions } = await stage.plan();
    expect(actions.map(({ kind, reason }) => `${kind} ${reason}`).toSorted()).toEqual([
      "arm drift",
      "update-in-place drift",
    ]);
    await stage.expectExit(0, ["apply"]);
    expect(await hostConfig(id)).toMatchObject({
      NanoCpus: 500_000_000,
      RestartPolicy: { Name: "no" },
    });
  });

  it("a limit that is taken off replaces the worker", async () => {
    const stage = openStage();
    const before = await stage.converge({ replicas: 1, template: { mem_limit: "64m" } });
    const after = await stage.converge({ replicas: 1 });
    expect(idsOf(after)).not.toEqual(idsOf(before));
    expect(await hostConfig(after[0]?.id ?? "")).toMatchObject({ Memory: 0 });
    await stage.expectNothingToDo();
  });
});
