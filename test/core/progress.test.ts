// When a rollout has stopped getting on.

import { expect, test } from "vitest";
import { advance, progressDeadline, type Standing } from "../../src/core/progress.ts";
import type { ProgressRecord } from "../../src/core/status-types.ts";
import { toIso } from "../../src/core/time.ts";
import { ago, NOW } from "../support/scene.ts";

const DEADLINE_MS = 600_000;
const HALFWAY: Standing = {
  revision: "a",
  replicas: 4,
  updated: 2,
  ready: 2,
  available: 1,
  old: 2,
};

/** Reached and seen so many seconds ago. */
function record(reached: number, seen: number): ProgressRecord {
  return { ...HALFWAY, at: toIso(ago(reached)), seenAt: toIso(ago(seen)) };
}

test.each<[string, Partial<Standing>]>([
  ["one more is updated", { updated: 3 }],
  ["one more is ready", { ready: 3 }],
  ["one more is available", { available: 2 }],
  ["one old worker fewer", { old: 1 }],
  ["another revision", { revision: "b" }],
  ["another count", { replicas: 5 }],
])("time begins anew: %s", (_, change) => {
  const next = advance(record(599, 1), { ...HALFWAY, ...change }, NOW, DEADLINE_MS, false);
  expect(next.at).toBe(toIso(NOW));
});

test.each<[string, Partial<Standing>]>([
  ["nothing has changed", {}],
  ["one fewer is available", { available: 0 }],
  ["one old worker more", { old: 3 }],
])("time goes on: %s", (_, change) => {
  const next = advance(record(599, 1), { ...HALFWAY, ...change }, NOW, DEADLINE_MS, false);
  expect(next).toEqual(record(599, 1));
});

test("what was reached once is not reached again by going to and fro", () => {
  const fallen = advance(
    record(300, 1),
    { ...HALFWAY, available: 0, updated: 3 },
    NOW,
    DEADLINE_MS,
    false,
  );
  expect(fallen.available).toBe(1);
  const back = advance(
    { ...fallen, at: toIso(ago(300)) },
    { ...HALFWAY, updated: 3 },
    NOW,
    DEADLINE_MS,
    false,
  );
  expect(back.at).toBe(toIso(ago(300)));
});

test("a look is written down once in a quarter of the deadline", () => {
  expect(advance(record(300, 149), HALFWAY, NOW, DEADLINE_MS, false)).toEqual(record(300, 149));
  expect(advance(record(300, 150), HALFWAY, NOW, DEADLINE_MS, false)).toEqual(record(300, 0));
});

test("a time in which nobody looked is not held against the rollout", () => {
  expect(advance(record(900, 601), HALFWAY, NOW, DEADLINE_MS, false)).toEqual(record(0, 0));
  expect(advance(record(900, 600), HALFWAY, NOW, DEADLINE_MS, false)).toEqual(record(900, 0));
});

test("the deadline counts from the best that was reached", () => {
  expect(progressDeadline(record(100, 1), DEADLINE_MS)).toBe(NOW + 500_000);
});

test("no time counts while workers finish their jobs", () => {
  expect(advance(record(550, 150), HALFWAY, NOW, DEADLINE_MS, true)).toEqual(record(0, 0));
  expect(advance(record(550, 149), HALFWAY, NOW, DEADLINE_MS, true)).toEqual(record(550, 149));
});
