// The status document: what was seen, for which generation, and the little that a later run must remember.

import { describe, expect, it } from "vitest";
import type { GroupSpec } from "../../src/core/model.ts";
import { makeStatus, makeUnreachableStatus, type StatusContext } from "../../src/core/status.ts";
import { toIso } from "../../src/core/time.ts";
import {
  buildAction,
  buildDesired,
  buildGroupPlan,
  buildGroupStatus,
  buildIdentity,
  buildPlan,
  buildStatus,
  buildWorker,
  NOW,
  REVISION,
  UID,
} from "../support/build.ts";

const EVERY = { kind: "every", seconds: 60 } as const;

function context(changes: Partial<StatusContext> = {}): StatusContext {
  return {
    engine: { id: "E", endpoint: "unix:///run/docker.sock" },
    project: null,
    previous: undefined,
    narrowed: false,
    commit: "abc",
    failures: {},
    ...changes,
  };
}

const groupOf = (plan: Parameters<typeof makeStatus>[0], changes: Partial<StatusContext> = {}) =>
  makeStatus(plan, context(changes)).groups[0];

describe("a status", () => {
  it("holds every worker with what a later run must know of it", () => {
    const exited = buildWorker({
      state: "Exited",
      readySince: undefined,
      wasAvailable: false,
      facts: {
        run: {
          kind: "exited",
          startedAt: NOW - 9000,
          finishedAt: NOW,
          exitCode: 3,
          oomKilled: false,
        },
      },
    });
    const created = buildWorker({
      state: "Created",
      labels: { slot: 2 },
      facts: { run: { kind: "created" } },
    });
    const group = groupOf(buildPlan({ groups: [buildGroupPlan({ workers: [exited, created] })] }));
    expect(group?.workers).toMatchObject([
      {
        slot: 1,
        state: "Exited",
        startedAt: toIso(NOW - 9000),
        readySince: null,
        wasAvailable: false,
        exitCode: 3,
      },
      { slot: 2, state: "Created", startedAt: null, exitCode: null },
    ]);
  });

  it("says which generation converged last, and which revision was stable then", () => {
    const previous = buildStatus({
      groups: [
        buildGroupStatus({
          generation: 4,
          lastConvergedGeneration: 4,
          revisions: { desired: "old", stable: "old", blocked: null },
        }),
      ],
    });
    const rolling = buildGroupPlan({ generation: 5, converged: false, isComplete: false });
    expect(groupOf(buildPlan({ groups: [rolling] }), { previous })).toMatchObject({
      generation: 5,
      observedGeneration: 5,
      lastConvergedGeneration: 4,
      revisions: { desired: REVISION, stable: "old" },
    });
    const done = buildGroupPlan({ generation: 5 });
    expect(groupOf(buildPlan({ groups: [done] }), { previous })).toMatchObject({
      lastConvergedGeneration: 5,
      revisions: { stable: REVISION },
    });
  });

  it("keeps the commit that introduced a generation as long as that lasts", () => {
    const previous = buildStatus({
      groups: [buildGroupStatus({ generation: 1, commit: "first" })],
    });
    expect(groupOf(buildPlan(), { previous })?.commit).toBe("first");
    const next = buildPlan({ groups: [buildGroupPlan({ generation: 2 })] });
    expect(groupOf(next, { previous })?.commit).toBe("abc");
  });

  it.each<[string, GroupSpec["pullPolicy"], number | undefined, string | undefined]>([
    ["asked just now", EVERY, NOW, toIso(NOW)],
    ["asked by an earlier run", EVERY, undefined, toIso(NOW - 5_000)],
    ["asked in every run, which leaves nothing to remember", "always", NOW, undefined],
    ["never asked", "missing", undefined, undefined],
  ])("remembers when a registry was %s", (_, pullPolicy, at, expected) => {
    const desired = buildDesired({ pullPolicy });
    const group = buildGroupStatus({ imageCheckedAt: toIso(NOW - 5_000) });
    const previous = buildStatus({ groups: [group] });
    const imagesChecked = at === undefined ? {} : { "mailer:1": at, "other:1": 1 };
    const made = groupOf(buildPlan({ groups: [buildGroupPlan({ desired })] }), {
      previous,
      imagesChecked,
    });
    expect(made?.imageCheckedAt).toBe(expected);
    expect("imageCheckedAt" in (made ?? {})).toBe(expected !== undefined);
  });

  it("forgets with a new generation when a registry was asked: it may want another image", () => {
    const group = buildGroupStatus({ imageCheckedAt: toIso(NOW - 5_000) });
    const next = buildGroupPlan({ generation: 2, desired: buildDesired({ pullPolicy: EVERY }) });
    const previous = buildStatus({ groups: [group] });
    expect(groupOf(buildPlan({ groups: [next] }), { previous })).not.toHaveProperty(
      "imageCheckedAt",
    );
  });

  it("keeps the records of groups that a narrowed run left out, and only then", () => {
    const other = buildGroupStatus({ uid: "other", name: "a-first" });
    const previous = buildStatus({ groups: [other, buildGroupStatus()] });
    const names = (narrowed: boolean) =>
      makeStatus(buildPlan(), context({ previous, narrowed })).groups.map(({ name }) => name);
    expect(names(true)).toEqual(["a-first", "mailer"]);
    expect(names(false)).toEqual(["mailer"]);
  });

  it("forgets a group that nobody declares with its last worker", () => {
    const leaving = { desired: undefined, leaving: "pruned", converged: false } as const;
    const statusOf = (workers: ReturnType<typeof buildWorker>[]) =>
      makeStatus(buildPlan({ groups: [buildGroupPlan({ ...leaving, workers })] }), context());
    expect(statusOf([buildWorker()]).groups).toHaveLength(1);
    expect(statusOf([]).groups).toHaveLength(0);
  });

  it("remembers signals that were sent, and shows creates without an answer", () => {
    const worker = buildWorker({ signalled: true });
    const open = { name: "mailer-2-1f2e3d4c", slot: 2, revision: REVISION, until: toIso(NOW) };
    const plan = buildPlan({ groups: [buildGroupPlan({ workers: [worker], uncertain: [open] })] });
    const group = groupOf(plan);
    expect(group?.workers[0]?.signalled).toBe(true);
    expect(group?.uncertain).toEqual([open]);
  });

  it("sorts groups by namespace and name", () => {
    const groups = [
      buildGroupPlan({ identity: buildIdentity({ uid: "1", name: "b" }) }),
      buildGroupPlan({ identity: buildIdentity({ uid: "2", name: "a", namespace: "shop" }) }),
      buildGroupPlan({ identity: buildIdentity({ uid: "3", name: "a" }) }),
    ];
    const made = makeStatus(buildPlan({ groups }), context());
    expect(made.groups.map(({ uid }) => uid)).toEqual(["3", "1", "2"]);
  });

  it("tells of work that the budget left, for its own group only", () => {
    const deferred = [buildAction({ kind: "pull-image", image: "x" }, { group: "another" })];
    const open = [buildGroupPlan({ converged: false })];
    const reasons = (found: ReturnType<typeof groupOf>) =>
      found?.conditions.map(({ reason }) => reason);
    expect(reasons(groupOf(buildPlan({ groups: open, deferred })))).not.toContain(
      "BudgetExhausted",
    );
    const own = deferred.map((action) => ({ ...action, group: UID }));
    expect(reasons(groupOf(buildPlan({ groups: open, deferred: own })))).toContain(
      "BudgetExhausted",
    );
  });
});

describe("R7: the status of an engine that does not answer", () => {
  const previous = buildStatus();
  const status = makeUnreachableStatus(previous, "no answer", NOW);

  it("keeps every fact and makes every condition Unknown", () => {
    const [before] = previous.groups;
    const [after] = status.groups;
    expect(after).toMatchObject({ counts: before?.counts, workers: before?.workers });
    expect(after?.conditions.map(({ status: said }) => said)).toEqual([
      "Unknown",
      "Unknown",
      "Unknown",
    ]);
  });

  it("R2: says the same again, to the byte, as long as that lasts", () => {
    expect(makeUnreachableStatus(status, "no answer", NOW + 60_000)).toEqual(status);
  });
});
