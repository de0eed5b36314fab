// Draining: told to be quiet, asked until it is idle, then stopped; across runs that each do one pass.

import { describe, expect, it } from "vitest";
import { engineTime } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import { containerEvents, eventLines } from "./events.ts";
import { idsOf, openStage, type Spec, type Stage } from "./stage.ts";

const QUIET = { signal: "TSTP" };
const waitForIdle = (timeoutSeconds: number) => ({ exec: ["idle"], timeoutSeconds });
const TSTP = 20;
const TERM = 15;

/** What became of the only worker there was: signals, its end, and what the history says of it. */
async function endOf(stage: Stage, from: Spec, work: () => Promise<unknown>) {
  const [before] = idsOf(await stage.converge(from));
  const since = await engineTime();
  await work();
  const events = (await containerEvents(since, stage.label)).filter(({ id }) => id === before);
  return {
    lines: eventLines(events, ["kill", "die"]),
    took: (events.find(({ action }) => action === "die")?.at ?? 0) - (events[0]?.at ?? 0),
  };
}

describe("a drain", () => {
  it("is told to be quiet, waited for, and then asked to stop", async () => {
    const stage = openStage();
    const spec: Spec = {
      replicas: 1,
      drain: { quiet: QUIET, waitFor: waitForIdle(60) },
      template: { environment: { QUIET_SECONDS: "3" } },
    };
    const { lines, took } = await endOf(stage, spec, async () => {
      await stage.converge({ ...spec, template: { environment: { QUIET_SECONDS: "2" } } });
    });
    expect(lines).toEqual([`kill 1 ${TSTP}`, `kill 1 ${TERM}`, "die 1 0"]);
    expect(took).toBeGreaterThanOrEqual(3_000);
    const { stdout } = await stage.expectExit(0, ["history"]);
    expect(stdout).toContain("drained");
    await stage.expectNothingToDo();
  });

  it("that never says it is idle ends with its time", async () => {
    const stage = openStage();
    const spec: Spec = {
      replicas: 1,
      drain: { quiet: { exec: ["touch", "/tmp/told"] }, waitFor: waitForIdle(3) },
    };
    const { lines, took } = await endOf(stage, spec, async () => {
      await stage.declare({ ...spec, replicas: 0 });
      await stage.expectExit(0, ["apply"]);
    });
    expect(lines).toEqual([`kill 1 ${TERM}`, "die 1 0"]);
    expect(took).toBeGreaterThanOrEqual(2_000);
  });

  it("of a group whose manifest is gone follows its label", async () => {
    const stage = openStage();
    const spec: Spec = {
      replicas: 1,
      drain: { quiet: QUIET, waitFor: waitForIdle(60) },
      template: { environment: { QUIET_SECONDS: "1" } },
    };
    const { lines } = await endOf(stage, spec, async () => {
      await stage.write("groups/mailer.yaml", "# nothing any more\n");
      await stage.expectExit(0, ["apply", "--prune", "--allow-mass-delete"]);
    });
    expect(lines).toEqual([`kill 1 ${TSTP}`, `kill 1 ${TERM}`, "die 1 0"]);
  });
});

describe("a long drain under runs that each do one pass", () => {
  it("ends by itself and is replaced, whatever runs are killed in between", async () => {
    const stage = openStage();
    const spec: Spec = {
      replicas: 1,
      drain: { quiet: QUIET, waitFor: waitForIdle(120) },
      template: { environment: { QUIET_SECONDS: "4", TERM_SECONDS: "3" } },
    };
    const { lines } = await endOf(stage, spec, async () => {
      const [before] = idsOf(await stage.workers());
      await stage.declare({ ...spec, template: { environment: { QUEUE: "letters" } } });
      await waitFor("the new worker alone", () => onePass(stage, before), 100_000);
    });
    expect(lines).toEqual([`kill 1 ${TSTP}`, `kill 1 ${TERM}`, "die 1 0"]);
    await stage.expectNothingToDo();
  });

  /** One run of cron, and one that is killed right after its start. */
  async function onePass(stage: Stage, before: string | undefined): Promise<boolean> {
    await stage.wgctl(["apply", "--once"], { deadlineMs: 400 });
    await stage.wgctl(["apply", "--once"]);
    return !idsOf(await stage.workers()).includes(before ?? "");
  }
});

describe("an idle probe", () => {
  it("has the worker go first that has nothing to do", async () => {
    const stage = openStage();
    const spec = (queue: string): Spec => ({
      replicas: 3,
      drain: { idle: { exec: ["idle"] } },
      template: {
        command: ["sh", "-c", "[ $$WGCTL_SLOT = 2 ] && touch /tmp/idle; exec worker"],
        environment: { QUEUE: queue },
      },
    });
    await stage.converge(spec("mail"));
    const since = await engineTime();
    await stage.converge(spec("letters"));
    const [first] = eventLines(await containerEvents(since, stage.label), ["kill"]);
    expect(first).toBe(`kill 2 ${TERM}`);
  });
});
