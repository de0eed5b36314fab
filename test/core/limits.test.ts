// The arithmetic of a rollout.

import { expect, test } from "vitest";
import { resolveLimits } from "../../src/core/limits.ts";
import type { Amount } from "../../src/core/model.ts";
import { spec } from "../support/scene.ts";

const count = (number: number): Amount => ({ kind: "count", count: number });
const percent = (number: number): Amount => ({ kind: "percent", percent: number });

test.each<[number, Amount, Amount, readonly [number, number, number]]>([
  [5, count(1), count(0), [1, 0, 4]],
  [5, count(0), count(2), [0, 2, 5]],
  [5, count(9), count(0), [9, 0, 0]],
  [0, count(1), count(0), [1, 0, 0]],
  [10, percent(25), percent(25), [2, 3, 8]],
  [3, percent(50), percent(0), [1, 0, 2]],
  [3, percent(10), percent(0), [1, 0, 2]], // both come to nothing: one may be missing
  [3, percent(10), percent(10), [0, 1, 3]],
  [0, percent(10), percent(10), [1, 0, 0]],
  [4, percent(100), percent(100), [4, 4, 0]],
  [7, percent(29), percent(29), [2, 3, 5]],
])("of %i, %j unavailable and %j surge", (replicas, maxUnavailable, maxSurge, expected) => {
  const limits = resolveLimits(spec({ replicas, rollout: { maxUnavailable, maxSurge } }));
  expect([limits.maxUnavailable, limits.maxSurge, limits.minAvailable]).toEqual(expected);
  expect(limits.replicas).toBe(replicas);
});

test("Recreate takes all down at once and never has one too many", () => {
  const rollout = { strategy: "Recreate", maxSurge: count(3), maxUnavailable: count(1) } as const;
  expect(resolveLimits(spec({ replicas: 4, rollout }))).toEqual({
    replicas: 4,
    maxUnavailable: 4,
    maxSurge: 0,
    minAvailable: 0,
  });
});
