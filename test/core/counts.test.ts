// Milestones counted apart: existing is not started, started not ready, ready not available.

import { expect, test } from "vitest";
import { countMilestones } from "../../src/core/counts.ts";
import type { RunFacts } from "../../src/core/observed.ts";
import type { Worker, WorkerState } from "../../src/core/worker.ts";
import { buildWorker, NOW } from "../support/build.ts";

const running: RunFacts = { kind: "running", startedAt: NOW };
const restarting: RunFacts = { kind: "restarting", startedAt: NOW, exitCode: 1 };
const ended: RunFacts = {
  ...{ kind: "exited", exitCode: 0, oomKilled: false },
  ...{ startedAt: NOW, finishedAt: NOW },
};
const since = NOW;

function inState(state: WorkerState, run: RunFacts, more: Partial<Worker> = {}): Worker {
  return buildWorker({ state, ...more, facts: { run } });
}

/** Of one worker: observed, scheduled, started, ready, available, updated, draining, kept. */
test.each<[string, Worker, string]>([
  ["created", inState("Created", { kind: "created" }), "1 1 0 0 0 1 0 0"],
  [
    "refused at its start",
    inState("StartFailed", { kind: "created", error: "no" }),
    "1 1 0 0 0 1 0 0",
  ],
  ["starting", inState("Starting", running), "1 1 1 0 0 1 0 0"],
  ["ready", inState("Ready", running), "1 1 1 1 0 1 0 0"],
  ["available", inState("Available", running), "1 1 1 1 1 1 0 0"],
  [
    "available and old",
    inState("Available", running, { differences: [{ kind: "nonce" }] }),
    "1 1 1 1 1 0 0 0",
  ],
  ["unhealthy", inState("Unhealthy", running), "1 1 1 0 0 1 0 0"],
  ["in a crash loop", inState("CrashLooping", restarting), "1 1 1 0 0 1 0 0"],
  ["ended", inState("Exited", ended), "1 1 0 0 0 1 0 0"],
  ["paused", inState("Paused", { kind: "paused", startedAt: NOW }), "1 1 1 0 0 1 0 0"],
  [
    "asked to stop",
    inState("Stopping", running, { phase: { kind: "stopping", since } }),
    "1 1 1 0 0 0 1 0",
  ],
  [
    "draining",
    inState("Draining", running, { phase: { kind: "draining", since } }),
    "1 1 1 0 0 0 1 0",
  ],
  ["kept", inState("Kept", ended, { phase: { kind: "kept", since } }), "0 0 0 0 0 0 0 1"],
  [
    "kept and running",
    inState("Stopping", running, { phase: { kind: "kept", since } }),
    "1 1 1 0 0 0 1 0",
  ],
  ["set aside", inState("Failed", ended, { phase: { kind: "failed", since } }), "0 0 0 0 0 0 0 0"],
  ["ended with its work done", inState("Completed", ended), "1 1 0 0 0 1 0 0"],
  ["being removed", inState("Removing", { kind: "removing" }), "0 0 0 0 0 0 0 0"],
  ["dead", inState("Dead", { kind: "dead" }), "0 0 0 0 0 0 0 0"],
])("R3: one that is %s", (_, worker, expected) => {
  const { observed, scheduled, started, ready, available, updated, draining, kept } =
    countMilestones([worker], 1, 0);
  const found = [observed, scheduled, started, ready, available, updated, draining, kept];
  expect(found.join(" ")).toBe(expected);
});

test("R3: a create without an answer is observed and no more", () => {
  const { observed, scheduled, started, uncertain, desired } = countMilestones([], 2, 1);
  expect([desired, observed, scheduled, started, uncertain]).toEqual([2, 1, 0, 0, 1]);
});
