// What the status says of a planned group: the conditions, in words that stay the same while the situation does.

import { describe, expect, it, test } from "vitest";
import { judge, judgeUnreachable, type RunFailure } from "../../src/core/conditions.ts";
import { stamp, steady } from "../../src/core/judgement.ts";
import type { Block, GroupPlan } from "../../src/core/plan/types.ts";
import { toIso } from "../../src/core/time.ts";
import {
  buildCondition,
  buildCounts,
  buildDesired,
  buildGroupPlan,
  buildWorker,
  NOW,
} from "../support/build.ts";

/** The conditions as lines, `Ready=True Converged`. */
function lines(
  changes: Partial<GroupPlan>,
  failure?: RunFailure,
  isDeferred = false,
): readonly string[] {
  return judge(buildGroupPlan(changes), failure, isDeferred).map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );
}

const held = (code: Block["code"]): Partial<GroupPlan> => ({
  converged: false,
  blocks: [{ code, message: "held" }],
});
const old = buildWorker({ differences: [{ kind: "nonce" }] });
const serving = buildWorker();

describe("a group", () => {
  it.each<[string, Partial<GroupPlan>, readonly string[]]>([
    [
      "that is as declared",
      {},
      [
        "Ready=True Converged",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True NewRevisionAvailable",
      ],
    ],
    [
      "that is being rolled with enough workers",
      { converged: false, workers: [serving, old] },
      [
        "Ready=False Progressing",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True NewRevisionCreated",
        "Reconciling=True Progressing",
      ],
    ],
    [
      "that has too few workers",
      { converged: false, workers: [serving] },
      [
        "Ready=False MinimumReplicasUnavailable",
        "Available=False MinimumReplicasUnavailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True Progressing",
      ],
    ],
    [
      "that waits for a worker to stop",
      {
        converged: false,
        workers: [
          ...[serving, serving],
          buildWorker({ state: "Stopping", phase: { kind: "stopping", since: NOW } }),
        ],
      },
      [
        "Ready=False Progressing",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True WaitingForDrain",
      ],
    ],
    [
      "that keeps old ones and waits for nobody to stop",
      {
        converged: false,
        workers: [
          ...[serving, serving],
          buildWorker({
            state: "Kept",
            phase: { kind: "kept", since: NOW },
            differences: [{ kind: "nonce" }],
          }),
        ],
      },
      [
        "Ready=False Progressing",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True NewRevisionCreated",
        "Reconciling=True Progressing",
      ],
    ],
    [
      "whose workers have done their work counts them as serving",
      { converged: false, workers: [serving, buildWorker({ state: "Completed" })] },
      [
        "Ready=False Progressing",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True Progressing",
      ],
    ],
    [
      "that does not get on",
      { converged: false, isOverdue: true, workers: [serving, serving] },
      [
        "Ready=False ProgressDeadlineExceeded",
        "Available=True MinimumReplicasAvailable",
        "Progressing=False ProgressDeadlineExceeded",
        "Reconciling=True Progressing",
        "Stalled=True ProgressDeadlineExceeded",
      ],
    ],
    [
      "that backs off",
      { converged: false, workers: [buildWorker({ state: "Exited" })] },
      [
        "Ready=False MinimumReplicasUnavailable",
        "Available=False MinimumReplicasUnavailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True BackingOff",
      ],
    ],
    [
      "in a crash loop",
      { converged: false, isLooping: true, workers: [buildWorker({ state: "CrashLooping" })] },
      [
        "Ready=False MinimumReplicasUnavailable",
        "Available=False MinimumReplicasUnavailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True Progressing",
        "Stalled=True CrashLooping",
      ],
    ],
    [
      "that is being deleted",
      { converged: false, leaving: "deleted" },
      [
        "Ready=False Terminating",
        "Available=True MinimumReplicasAvailable",
        "Progressing=True ReplicasUpdated",
        "Reconciling=True Progressing",
        "Terminating=True Draining",
      ],
    ],
  ])("%s", (_, changes, expected) => {
    expect(lines(changes)).toEqual(expected);
  });

  it("that is deleted and gone says so, and nothing of terminating", () => {
    const gone = { leaving: "deleted", workers: [], counts: buildCounts({ observed: 0 }) } as const;
    expect(lines(gone)[0]).toBe("Ready=False Deleted");
    expect(lines(gone).join()).not.toContain("Terminating=");
  });

  it("whose budget is spent says that more is to come", () => {
    expect(lines({ converged: false }, undefined, true)).toContain(
      "Reconciling=True BudgetExhausted",
    );
  });

  it.each<[Block["code"], string, boolean]>([
    ["InvalidSpec", "Ready=False InvalidSpec", true],
    ["OwnershipConflict", "Ready=False OwnershipConflict", true],
    ["NewerVersion", "Ready=False NewerVersion", true],
    ["NewerCommit", "Ready=False NewerCommitObserved", true],
    ["RevisionFailed", "Ready=False RevisionFailed", true],
    ["RolledBack", "Ready=False RolledBack", true],
    ["NameConflict", "Ready=False NameConflict", false],
    ["Suspended", "Ready=False Suspended", false],
    ["Paused", "Ready=False Paused", false],
    ["WorkerPaused", "Ready=False WorkerPaused", false],
    ["ImageMissing", "Ready=False ImagePullFailed", false],
    ["ImagePullFailed", "Ready=False ImagePullFailed", false],
    ["NetworkMissing", "Ready=False NetworkMissing", false],
    ["InsufficientCapacity", "Ready=False InsufficientCapacity", false],
    ["BackingOff", "Ready=False BackingOff", false],
    ["WorkerUnknown", "Ready=Unknown EngineUnreachable", false],
  ])("held by %s says %s", (code, ready, isStalled) => {
    const said = lines(held(code));
    expect(said[0]).toBe(ready);
    expect(said.some((line) => line.startsWith("Stalled="))).toBe(isStalled);
    expect(said.some((line) => line.startsWith("Reconciling="))).toBe(false);
  });

  it("R7: whose workers the engine does not tell of is not known to be available", () => {
    expect(lines(held("WorkerUnknown"))).toContain("Available=Unknown EngineUnreachable");
  });

  it.each<[Block["code"], string | undefined]>([
    ["ImageMissing", "ImagePullFailed"],
    ["ImagePullFailed", "ImagePullFailed"],
    ["NetworkMissing", "NetworkMissing"],
    ["NameConflict", "NameConflict"],
    ["InsufficientCapacity", "InsufficientCapacity"],
    ["BackingOff", undefined],
    ["Paused", undefined],
  ])("held by %s fails to have workers for the reason %s", (code, reason) => {
    const said = lines(held(code)).filter((line) => line.startsWith("ReplicaFailure="));
    expect(said).toEqual(reason === undefined ? [] : [`ReplicaFailure=True ${reason}`]);
  });

  it.each<[string, string]>([
    ["Bind for 0.0.0.0:80 failed: port is already allocated", "PortConflict"],
    ["listen tcp4 0.0.0.0:80: bind: address already in use", "PortConflict"],
    ["network shop_default not found", "NetworkMissing"],
    ["mkdir /var/lib/docker/overlay2/x: no space left on device", "InsufficientCapacity"],
    ["fork/exec /usr/bin/runc: cannot allocate memory", "InsufficientCapacity"],
    ["fork/exec /proc/self/exe: resource temporarily unavailable", "InsufficientCapacity"],
    ["pipe2: too many open files", "InsufficientCapacity"],
    ["no available IPv4 addresses on this network's address pools", "InsufficientCapacity"],
    ["adding interface veth1 to bridge docker0 failed: exchange full", "InsufficientCapacity"],
    ["the command is nowhere to be found", "FailedStart"],
  ])("with the engine's words '%s' has the reason %s", (message, reason) => {
    const failure = { reason: "FailedStart", message } as const;
    expect(lines({ converged: false }, failure)).toContain(`ReplicaFailure=True ${reason}`);
    const refused = buildWorker({ facts: { run: { kind: "created", error: message } } });
    expect(lines({ converged: false, workers: [refused] })).toContain(
      `ReplicaFailure=True ${reason}`,
    );
  });

  it.each<[RunFailure["reason"], string]>([
    ["FailedCreate", "FailedCreate"],
    ["PortConflict", "PortConflict"],
    ["FailedStart", "FailedStart"],
    ["ImagePullFailed", "ImagePullFailed"],
    ["FailedCall", "FailedCreate"],
  ])("with the failure %s of this run says %s", (reason, said) => {
    expect(lines({ converged: false }, { reason, message: "" })).toContain(
      `ReplicaFailure=True ${said}`,
    );
  });

  it("with a worker that was refused says so without any memory of it", () => {
    const refused = buildWorker({ facts: { run: { kind: "created", error: "port is taken" } } });
    const found = judge(buildGroupPlan({ converged: false, workers: [refused] }), undefined, false);
    expect(found).toContainEqual(
      expect.objectContaining({
        type: "ReplicaFailure",
        reason: "FailedStart",
        message: "port is taken",
      }),
    );
  });

  it("that wants no workers is available without any", () => {
    const none = { desired: buildDesired({ replicas: 0 }), counts: buildCounts({ available: 0 }) };
    expect(lines({ ...none, workers: [] })).toContain("Available=True MinimumReplicasAvailable");
  });
});

test("R7: an engine that does not answer makes everything Unknown", () => {
  const said = judgeUnreachable("no answer within 30s").map(({ status }) => status);
  expect(said).toEqual(["Unknown", "Unknown", "Unknown"]);
});

describe("the transition time", () => {
  const before = [buildCondition({ status: "True", lastTransitionTime: toIso(NOW - 5000) })];
  const again = (status: "True" | "False") =>
    stamp(
      [{ type: "Ready", status, reason: "Progressing", message: "new words" }],
      before,
      7,
      NOW,
    )[0];

  it("stays while the status does, whatever the reason", () => {
    expect(again("True")).toMatchObject({
      lastTransitionTime: toIso(NOW - 5000),
      reason: "Progressing",
      observedGeneration: 7,
    });
  });

  it("moves when the status does", () => {
    expect(again("False")?.lastTransitionTime).toBe(toIso(NOW));
  });
});

test.each([
  [`in use by ${"ab12".repeat(16)}`, "in use by …"],
  ["uid 01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a11 is not", "uid … is not"],
  ["at 2026-11-29T12:00:00.123Z and 2026-11-29T12:00:00+01:00", "at … and …"],
  ["not within 30s, 1.5h or 250ms", "not within …, … or …"],
  ["read tcp 10.0.0.2:48222->10.0.0.3:5000: reset", "read tcp 10.0.0.2:…->10.0.0.3:5000: reset"],
  ["port 5200 of 3 workers", "port 5200 of 3 workers"],
  ["image mailer:1.4.2 deadbeef", "image mailer:1.4.2 deadbeef"],
])("%j becomes %j", (message, said) => {
  expect(steady(message)).toBe(said);
  expect(steady(said)).toBe(said);
});
