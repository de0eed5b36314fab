// What lies ahead of a group, in closed form.

import { expect, test } from "vitest";
import type { DesiredGroup } from "../../../src/core/model.ts";
import type { WorkerFacts } from "../../../src/core/observed.ts";
import { exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";

const OLD = { spec: { template: { command: ["old"] } } };
const ARMED = { ...OLD, facts: { restartPolicy: "always" } };
const surge = {
  maxSurge: { kind: "count", count: 1 },
  maxUnavailable: { kind: "count", count: 0 },
} as const;

/** Calls, waves, seconds, and a plus where workers must start. */
test.each<[string, DesiredGroup, readonly WorkerFacts[], string]>([
  ["nothing to do", group(), [1, 2, 3].map((slot) => worker(slot)), "0 calls, 0 waves, 0s"],
  ["three to make", group(), [], "6 calls, 1 waves, 5s+"],
  ["one to make", group(), [worker(1), worker(2)], "2 calls, 1 waves, 5s+"],
  [
    "two to take away",
    group({ replicas: 1 }),
    [1, 2, 3].map((slot) => worker(slot)),
    "6 calls, 1 waves, 10s",
  ],
  [
    "one by one, all three",
    group(),
    [1, 2, 3].map((slot) => worker(slot, OLD)),
    "15 calls, 3 waves, 45s+",
  ],
  [
    "armed ones cost a call more",
    group({ replicas: 1 }),
    [worker(1, ARMED)],
    "6 calls, 1 waves, 15s+",
  ],
  [
    "one that has ended is removed at once",
    group({ replicas: 1 }),
    [worker(1, { run: exited(60) })],
    "3 calls, 1 waves, 5s+",
  ],
  [
    "with surge the successor comes first",
    group({ replicas: 2, rollout: surge }),
    [1, 2].map((slot) => worker(slot, OLD)),
    "10 calls, 3 waves, 45s+",
  ],
  [
    "one on its way out",
    group({ replicas: 0 }),
    [worker(1, { phase: "stopping", phaseAge: 1 })],
    "2 calls, 1 waves, 10s",
  ],
  [
    "a longer grace counts",
    group({ replicas: 0, template: { stop_grace_period: 90 } }),
    [worker(1)],
    "3 calls, 1 waves, 90s",
  ],
  ["a group that is suspended", group({ suspend: true }), [], "0 calls, 0 waves, 0s"],
  [
    "all that is left is waiting",
    group({ replicas: 1 }),
    [worker(1, { run: running(1) })],
    "0 calls, 0 waves, 0s",
  ],
])("%s", (_, desired, there, expected) => {
  const [planned] = planFor([desired], snapshot(there)).groups;
  const {
    actions = 0,
    waves = 0,
    worstCaseSeconds = 0,
    plusStartUp = false,
  } = planned?.forecast ?? {};
  const plus = plusStartUp ? "+" : "";
  expect(`${actions} calls, ${waves} waves, ${worstCaseSeconds}s${plus}`).toBe(expected);
});
