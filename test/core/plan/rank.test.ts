// The order in which workers go: total, and the same whatever order they come in.

import { expect, it } from "vitest";
import { worseFirst } from "../../../src/core/plan/rank.ts";
import type { WorkerState } from "../../../src/core/worker.ts";
import { buildWorker } from "../../support/build.ts";

const STATES: readonly WorkerState[] = [
  ...(["Exited", "StartFailed", "Created", "CrashLooping", "Unhealthy"] as const),
  ...(["Starting", "Ready", "Available", "Paused", "Stopping"] as const),
];
const OLD = { differences: [{ kind: "nonce" }] } as const;

const byState = STATES.map((state) => buildWorker({ state }));

it.each([
  ["worse states first", byState],
  [
    "old before desired",
    [buildWorker({ ...OLD, labels: { slot: 1 } }), buildWorker({ labels: { slot: 9 } })],
  ],
  ["the highest slot first", [3, 2, 1].map((slot) => buildWorker({ labels: { slot } }))],
  ["the first id first", ["a", "b", "c"].map((id) => buildWorker({ facts: { id } }))],
  [
    "a worse state before an older revision",
    [buildWorker({ state: "Ready" }), buildWorker({ ...OLD, state: "Available" })],
  ],
])("%s", (_, expected) => {
  for (const shuffled of [
    [...expected].reverse(),
    [...expected.slice(1), ...expected.slice(0, 1)],
  ]) {
    expect(shuffled.sort(worseFirst)).toEqual(expected);
  }
});

it("is total: of two workers one always goes first, and the other way round the other", () => {
  for (const one of byState) {
    for (const other of byState) {
      expect(Math.sign(worseFirst(one, other))).toBe(-Math.sign(worseFirst(other, one)) + 0);
    }
  }
});
