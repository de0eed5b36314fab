// A job of a minute and a half under runs from cron: it ends by itself, whatever becomes of the runs.

import { describe, expect, it } from "vitest";
import { engineTime } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import { containerEvents, eventLines } from "./events.ts";
import { idsOf, openStage } from "./stage.ts";

const EVERY_MS = 10_000;
const SECONDS = 90;

describe("a worker that needs 90 s to finish", () => {
  it("is left to it by a run of one pass every 10 s, one of them killed each time, and replaced", async () => {
    const stage = openStage();
    const template = { stop_grace_period: "150s", environment: { TERM_SECONDS: String(SECONDS) } };
    const [before] = idsOf(await stage.converge({ replicas: 1, template }));
    const since = await engineTime();
    const environment = { TERM_SECONDS: "0" };
    await stage.declare({ replicas: 1, template: { ...template, environment } });
    let next = Date.now();
    await waitFor(
      "the new worker alone",
      async () => {
        if (Date.now() < next) return false;
        next += EVERY_MS;
        await stage.wgctl(["apply", "--once"], { deadlineMs: 300 });
        await stage.wgctl(["apply", "--once"]);
        const ids = idsOf(await stage.workers());
        return ids.length === 1 && !ids.includes(before ?? "");
      },
      2 * SECONDS * 1000,
    );
    const events = (await containerEvents(since, stage.label)).filter(({ id }) => id === before);
    expect(eventLines(events, ["kill", "die"])).toEqual(["kill 1 15", "die 1 0"]);
    const moment = (action: string) => events.find((event) => event.action === action)?.at ?? 0;
    expect(moment("die") - moment("kill")).toBeGreaterThanOrEqual(SECONDS * 1000 - 500);
    await stage.expectNothingToDo();
  });
});
