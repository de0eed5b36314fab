// What a plan says of how a group stands: whether it gets on, and whether a worker keeps ending.

import { describe, expect, it } from "vitest";
import type { DesiredGroup } from "../../../src/core/model.ts";
import type { WorkerFacts } from "../../../src/core/observed.ts";
import type { PlanRequest } from "../../../src/core/plan/plan.ts";
import type { ProgressRecord } from "../../../src/core/status-types.ts";
import { toIso } from "../../../src/core/time.ts";
import { ago, exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { OLD, remembering, revisionFor } from "./table.ts";

const trio = group();
const revision = revisionFor(trio);
const rolling = [worker(1, { run: running(2) }), worker(2, OLD), worker(3, OLD)];

/** As far as `rolling` has come, so many seconds ago. */
function reached(seconds: number): Partial<PlanRequest> {
  const progress: ProgressRecord = {
    ...{ revision, replicas: 3, updated: 1, ready: 1, available: 0, old: 2 },
    ...{ at: toIso(ago(seconds)), seenAt: toIso(ago(9)) },
  };
  return remembering({
    revisions: { desired: revision, stable: null, blocked: null },
    progress,
  });
}

const standing = (
  desired: DesiredGroup,
  workers: readonly WorkerFacts[],
  request: Partial<PlanRequest> = {},
) => planFor([desired], snapshot(workers), request).groups[0];

describe("progress", () => {
  it("is measured from the first look on", () => {
    expect(standing(trio, rolling)?.progress).toMatchObject({
      ...{ revision, replicas: 3, updated: 1, ready: 1, available: 0, old: 2 },
      at: toIso(ago(0)),
    });
  });

  it.each([
    ["is over once nothing got on for as long as the deadline", 600, true],
    ["is not before", 599, false],
  ])("%s", (_, seconds, expected) => {
    expect(standing(trio, rolling, reached(seconds))?.isOverdue).toBe(expected);
  });

  it.each<[string, DesiredGroup, readonly WorkerFacts[]]>([
    ["where all is as declared", trio, [1, 2, 3].map((slot) => worker(slot))],
    ["where the group leaves", group({}, { deletionTimestamp: toIso(ago(1)) }), rolling],
  ])("is not measured %s", (_, desired, workers) => {
    const found = standing(desired, workers, reached(9_999));
    expect([found?.progress, found?.isOverdue]).toEqual([undefined, false]);
  });
});

describe("no time is over", () => {
  const leaving = worker(3, { ...OLD, attempt: 2, phase: "stopping", phaseAge: 2 });
  it.each<[string, DesiredGroup, readonly WorkerFacts[]]>([
    ["while the rollout is paused", group({ rollout: { paused: true } }), rolling],
    ["while the revision has failed", trio, [worker(1, { run: exited(2) }), worker(2, OLD)]],
    ["while a worker finishes its job", trio, [...rolling, leaving]],
  ])("%s, and what was reached is remembered", (_, desired, workers) => {
    const found = standing(desired, workers, reached(9_999));
    expect([found?.progress?.updated, found?.isOverdue]).toEqual([1, false]);
  });
});

describe("a worker keeps ending", () => {
  const failures = (attempts: number) =>
    remembering({ failures: [{ slot: 1, revision, attempts, at: toIso(ago(9)) }] });
  const others = [worker(2), worker(3)];

  it.each<[string, readonly WorkerFacts[], Partial<PlanRequest>, boolean]>([
    ["once is bad luck", [worker(1, { run: exited(2) })], {}, false],
    ["twice is a loop", [worker(1, { attempt: 2, run: exited(2) })], {}, true],
    ["though its container is gone", [], failures(2), true],
    ["not once it serves", [worker(1)], failures(2), false],
    [
      "by the engine's restarts",
      [worker(1, { run: { kind: "restarting", startedAt: ago(2), exitCode: 1 } })],
      {},
      true,
    ],
  ])("%s", (_, workers, request, expected) => {
    expect(standing(trio, [...workers, ...others], request)?.isLooping).toBe(expected);
  });
});

describe("an obstacle in the forecast", () => {
  it.each<[string, DesiredGroup, readonly WorkerFacts[], RegExp | undefined]>([
    ["nothing", trio, rolling, undefined],
    [
      "a paused worker",
      trio,
      [worker(1, { run: { kind: "paused", startedAt: ago(9) } })],
      /is paused by someone/,
    ],
    [
      "a revision that failed",
      trio,
      [worker(1, { run: exited(2) }), worker(2, OLD)],
      /^the new revision failed/,
    ],
    [
      "an image that is not there",
      group({ template: { image: "mailer:9" }, pullPolicy: "never" }),
      [],
      /pull_policy is never/,
    ],
  ])("%s", (_, desired, workers, expected) => {
    const obstacle = standing(desired, workers)?.forecast.obstacle;
    if (expected === undefined) expect(obstacle).toBeUndefined();
    else expect(obstacle).toMatch(expected);
  });
});
