// When a failed worker may be replaced, and how often it counts as having failed.

import { describe, expect, test } from "vitest";
import {
  backoff,
  failuresUpTo,
  hasFailed,
  rememberedFailures,
  retryAt,
} from "../../src/core/backoff.ts";
import type { RunFacts } from "../../src/core/observed.ts";
import { buildWorker } from "../support/build.ts";
import { ago, exited, running } from "../support/scene.ts";

test.each([
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

const failed = (run: RunFacts, attempt: number) =>
  buildWorker({ state: "Exited", labels: { attempt }, facts: { run, createdAt: ago(100) } });

describe("a failed worker", () => {
  test.each<[string, RunFacts, number, number]>([
    ["that ended counts from its end", exited(30), 1, ago(20)],
    ["that ended at its third attempt waits longer", exited(30), 3, ago(-10)],
    ["that was refused counts from its creation", { kind: "created", error: "no" }, 1, ago(90)],
    ["that still runs counts from its start", running(50), 1, ago(40)],
  ])("%s", (_, run, attempt, at) => {
    expect(retryAt(failed(run, attempt))).toBe(at);
  });

  test.each([
    ["599 seconds", 599, 4],
    ["600 seconds", 600, 1],
  ])("that lasted %s counts as so many failures", (_, ran, failures) => {
    expect(failuresUpTo(failed(exited(1, 1, ran), 4))).toBe(failures);
  });
});

test.each([
  ["Exited", true],
  ["StartFailed", true],
  ["CrashLooping", false],
  ["Unhealthy", false],
  ["Available", false],
] as const)("%s: has it failed? %s", (state, expected) => {
  expect(hasFailed(buildWorker({ state }))).toBe(expected);
});

test("failures are remembered for a slot and revision, not for another", () => {
  const records = [{ slot: 1, revision: "a", attempts: 3 }];
  expect(rememberedFailures(records, 1, "a")).toBe(3);
  expect(rememberedFailures(records, 2, "a")).toBe(0);
  expect(rememberedFailures(records, 1, "b")).toBe(0);
});
