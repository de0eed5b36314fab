// When a failed worker may be replaced, and how often it counts as having failed.

import { describe, expect, test } from "vitest";
import {
  backoff,
  failedAt,
  failuresUpTo,
  hasFailed,
  rememberedFailure,
} from "../../src/core/backoff.ts";
import type { ExitPolicy } from "../../src/core/model.ts";
import type { RunFacts } from "../../src/core/observed.ts";
import type { FailureRecord } from "../../src/core/status-types.ts";
import { toIso } from "../../src/core/time.ts";
import { buildWorker } from "../support/build.ts";
import { ago, exited, running } from "../support/scene.ts";

test.each([
  [0, 0],
  [1, 10],
  [2, 20],
  [3, 40],
  [5, 160],
  [6, 300],
  [7, 300],
  [60, 300],
])("after failure %i the wait is %i seconds", (failures, seconds) => {
  expect(backoff(failures)).toBe(seconds * 1000);
});

const failed = (run: RunFacts, attempt = 1) =>
  buildWorker({ state: "Exited", labels: { attempt }, facts: { run, createdAt: ago(100) } });

describe("a failed worker", () => {
  test.each<[string, RunFacts, number]>([
    ["that ended counts from its end", exited(30), ago(30)],
    ["that was refused counts from its creation", { kind: "created", error: "no" }, ago(100)],
    ["that still runs counts from its start", running(50), ago(50)],
  ])("%s", (_, run, at) => {
    expect(failedAt(failed(run))).toBe(at);
  });

  const remembered = (attempts: number, at: number | null): FailureRecord => ({
    ...{ slot: 1, revision: "r", attempts },
    at: at === null ? null : toIso(at),
  });

  test.each<[string, number, FailureRecord | undefined, number]>([
    ["by its attempt where nothing is remembered", 3, undefined, 3],
    ["as remembered where that was this failure", 1, remembered(4, ago(30)), 4],
    ["as one more where it is later than what is remembered", 1, remembered(4, ago(31)), 5],
    ["as remembered by an older wgctl, which kept no time", 1, remembered(4, null), 4],
    ["by its attempt where less is remembered", 6, remembered(4, ago(31)), 6],
  ])("counts %s", (_, attempt, record, failures) => {
    expect(failuresUpTo(failed(exited(30), attempt), record)).toBe(failures);
  });

  test.each([
    ["599 seconds", 599, 4],
    ["600 seconds", 600, 1],
  ])("that lasted %s counts as so many failures", (_, ran, failures) => {
    expect(failuresUpTo(failed(exited(1, 1, ran), 4), undefined)).toBe(failures);
  });
});

const OUT_OF_MEMORY: RunFacts = {
  ...{ kind: "exited", exitCode: 0, oomKilled: true },
  ...{ startedAt: ago(9), finishedAt: ago(1) },
};

test.each<[string, RunFacts, ExitPolicy | undefined, boolean]>([
  ["exit code 1", exited(1), undefined, true],
  ["exit code 0, of which nothing is said", exited(1, 0), undefined, true],
  ["exit code 0, of which only failures are spoken", exited(1, 0), { failure: "Restart" }, true],
  ["exit code 0, which is a success by the manifest", exited(1, 0), { success: "Recreate" }, false],
  ["exit code 1 beside what successes do", exited(1), { success: "Recreate" }, true],
  ["out of memory with exit code 0", OUT_OF_MEMORY, { success: "Recreate" }, true],
])("%s: has it failed?", (_, run, onExit, expected) => {
  expect(hasFailed(failed(run), onExit)).toBe(expected);
});

test.each([
  ["StartFailed", true],
  ["CrashLooping", false],
  ["Unhealthy", false],
  ["Available", false],
  ["Completed", false],
  ["Kept", false],
  ["Failed", false],
] as const)("%s: has it failed? %s", (state, expected) => {
  expect(hasFailed(buildWorker({ state }), undefined)).toBe(expected);
});

test("failures are remembered for a slot and revision, not for another", () => {
  const record = { slot: 1, revision: "a", attempts: 3, at: null };
  expect(rememberedFailure([record], 1, "a")).toBe(record);
  expect(rememberedFailure([record], 2, "a")).toBeUndefined();
  expect(rememberedFailure([record], 1, "b")).toBeUndefined();
});
