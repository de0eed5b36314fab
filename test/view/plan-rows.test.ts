import { describe, expect, test } from "vitest";
import type { Action, GroupPlan, Plan } from "../../src/core/plan/types.ts";
import type { Worker } from "../../src/core/worker.ts";
import { planRows } from "../../src/view/plan-rows.ts";
import {
  buildAction,
  buildCounts,
  buildGroupPlan,
  buildPlan,
  buildWorker,
  NOW,
  OLD_REVISION,
  REVISION,
  targetOf,
} from "../support/build.ts";

const TEMPLATE = [{ kind: "template", paths: ["environment.QUEUE"] }] as const;
const CHANGED = { reason: "template-changed", paths: ["environment.QUEUE"] } as const;

/** An available worker of the old revision. */
function oldWorker(slot: number, changes: Parameters<typeof buildWorker>[0] = {}): Worker {
  return buildWorker({
    ...changes,
    labels: { slot, revision: OLD_REVISION },
    differences: TEMPLATE,
  });
}

function retire(worker: Worker, changes: Partial<Pick<Action, "reason" | "paths">> = CHANGED) {
  const target = targetOf(worker);
  const about = { slot: worker.labels.slot, ...changes };
  const rename = buildAction({ kind: "rename", target, phase: "stopping" }, about);
  const needs = [rename.id];
  return [rename, buildAction({ kind: "signal", target, signal: "SIGTERM" }, { ...about, needs })];
}

function remove(worker: Worker, changes: Partial<Pick<Action, "reason" | "paths">> = CHANGED) {
  const about = { slot: worker.labels.slot, ...changes };
  return buildAction({ kind: "remove", target: targetOf(worker) }, about);
}

function create(slot: number, name = `mailer-${slot}-1f2e3d4c`): readonly Action[] {
  const worker = { name, slot, attempt: 1, revision: REVISION };
  const made = buildAction({ kind: "create", worker }, { slot });
  const start = { kind: "start", name, target: undefined } as const;
  return [made, buildAction(start, { slot, needs: [made.id] })];
}

/** The rows of one group as text, `replace mailer-1-9a8b7c6d (later) 0 calls`. */
function rowsOf(
  group: Partial<GroupPlan>,
  actions: readonly Action[] = [],
  deferred: readonly Action[] = [],
): readonly string[] {
  const plan: Plan = buildPlan({
    groups: [buildGroupPlan({ converged: false, ...group })],
    actions,
    deferred,
  });
  return planRows(plan).flatMap(({ rows }) =>
    rows.map((row) => `${row.verb} ${row.name} (${row.timing}) ${row.calls.length} calls`),
  );
}

describe("a worker is one row, whatever is done to it", () => {
  test("made and started", () => {
    expect(rowsOf({ workers: [], counts: buildCounts({ desired: 1 }) }, create(1))).toEqual([
      "create mailer-1-1f2e3d4c (now) 2 calls",
    ]);
  });

  test("retired, and the others later", () => {
    const workers = [1, 2, 3].map((slot) => oldWorker(slot));
    const [first] = workers;
    expect(rowsOf({ workers }, first === undefined ? [] : retire(first))).toEqual([
      "replace mailer-1-9a8b7c6d (now) 2 calls",
      "replace mailer-2-9a8b7c6d (later) 0 calls",
      "replace mailer-3-9a8b7c6d (later) 0 calls",
    ]);
  });

  test("gone already, its successor made in the same pass", () => {
    const exited = oldWorker(1, { state: "Exited" });
    const group = { workers: [exited], counts: buildCounts({ desired: 1 }) };
    expect(rowsOf(group, [remove(exited), ...create(1)])).toEqual([
      "replace mailer-1-9a8b7c6d (now) 3 calls",
    ]);
  });

  test("followed by one of the same name", () => {
    const exited = buildWorker({ state: "Exited" });
    const group = { workers: [exited], counts: buildCounts({ desired: 1 }) };
    expect(rowsOf(group, [remove(exited, { reason: "exited" }), ...create(1)])).toEqual([
      "replace mailer-1-1f2e3d4c (now) 3 calls",
    ]);
  });

  test("with surge its successor comes first", () => {
    const group = { workers: [oldWorker(1)], counts: buildCounts({ desired: 1 }) };
    expect(rowsOf(group, create(1))).toEqual(["replace mailer-1-9a8b7c6d (now) 2 calls"]);
  });

  test("made earlier and only started now", () => {
    const created = buildWorker({ state: "Created", facts: { run: { kind: "created" } } });
    const { name } = created.facts;
    const start = buildAction({ kind: "start", name, target: targetOf(created) });
    const group = { workers: [created], counts: buildCounts({ desired: 1 }) };
    expect(rowsOf(group, [start])).toEqual(["start mailer-1-1f2e3d4c (now) 1 calls"]);
  });

  test("armed again", () => {
    const worker = buildWorker();
    const arm = buildAction({ kind: "arm", target: targetOf(worker), policy: "always" });
    const group = { workers: [worker], counts: buildCounts({ desired: 1 }) };
    expect(rowsOf(group, [arm])).toEqual(["arm mailer-1-1f2e3d4c (now) 1 calls"]);
  });

  test("cut in two by the budget it happens now, and whole ones are deferred", () => {
    const workers = [buildWorker({ labels: { slot: 4 } }), buildWorker({ labels: { slot: 5 } })];
    const [rename, signal, ...second] = workers.flatMap((worker) =>
      retire(worker, { reason: "scale-down" }),
    );
    const cut = rename === undefined || signal === undefined ? [] : [signal];
    const group = { workers, counts: buildCounts({ desired: 0 }) };
    expect(rowsOf(group, rename === undefined ? [] : [rename], [...cut, ...second])).toEqual([
      "remove mailer-4-1f2e3d4c (now) 2 calls",
      "remove mailer-5-1f2e3d4c (deferred) 2 calls",
    ]);
  });
});

describe("what each call makes of a worker", () => {
  const counts = buildCounts({ desired: 1 });
  const at = targetOf(buildWorker());
  const kept = buildWorker({ state: "Kept", phase: { kind: "kept", since: 1_795_953_000_000 } });
  const { name } = kept.facts;
  const limits = { cpus: 1 };
  const ask = (asks: "drained" | "idle") =>
    buildAction({ kind: "probe", target: at, asks, exec: ["idle"] });
  const rename = (phase: "kept" | "failed" | "none", reason: Action["reason"]) =>
    buildAction({ kind: "rename", target: at, phase }, { reason });
  const disarm = buildAction({ kind: "disarm", target: at }, { reason: "failed" });

  test.each<[string, readonly Action[], string]>([
    ["retired for a successor", [rename("kept", "template-changed")], "replace (now) kept"],
    ["set aside", [rename("failed", "failed")], "set-aside (now)"],
    ["to be set aside once it has ended", [disarm], "set-aside (now)"],
    ["failed and useless", [remove(buildWorker(), { reason: "failed" })], "remove (now)"],
    ["kept in vain", [remove(buildWorker(), { reason: "completed" })], "remove (now)"],
    [
      "started to return",
      [buildAction({ kind: "start", name, target: targetOf(kept) })],
      "return (now)",
    ],
    ["back, under its own name", [rename("none", "rollback")], "return (now)"],
    [
      "given other limits",
      [buildAction({ kind: "update-in-place", target: at, limits })],
      "update (now)",
    ],
    ["asked whether it is idle", [ask("idle")], "ask (now)"],
    ["asked whether it is drained", [ask("drained")], "replace (stopping)"],
    ["drained and stopped", [ask("drained"), rename("kept", "drift")], "replace (now) kept"],
  ])("%s", (_, actions, shown) => {
    const group = buildGroupPlan({ converged: false, workers: [], counts });
    const [rows] = planRows(buildPlan({ groups: [group], actions }));
    const lines = rows?.rows.map(
      ({ verb, timing, isKept, name: called }) =>
        `${called} ${verb} (${timing})${isKept ? " kept" : ""}`,
    );
    expect(lines).toEqual([`mailer-1-1f2e3d4c ${shown}`]);
  });
});

describe("what goes and what comes back", () => {
  const counts = buildCounts({ desired: 1 });
  const successor = buildWorker();
  test.each<readonly [string, Action["reason"], Partial<GroupPlan>, number, string]>([
    ["unhealthy", "unhealthy", {}, 1, "replace"],
    ["a crashed one", "exited", {}, 1, "replace"],
    ["drifted", "drift", {}, 1, "replace"],
    ["above the count", "scale-down", {}, 2, "remove"],
    ["old and above the count", "template-changed", {}, 2, "remove"],
    ["a copy", "duplicate", {}, 1, "remove"],
    ["too many", "over-surge", {}, 1, "remove"],
    ["deleted", "deleted", { leaving: "deleted" }, 1, "remove"],
    ["pruned", "pruned", { leaving: "pruned" }, 1, "remove"],
    ["on its way out", "leaving", {}, 1, "replace"],
    ["on its way out with a successor", "leaving", { workers: [successor] }, 1, "remove"],
  ])("%s", (_name, reason, group, slot, verb) => {
    const worker = buildWorker({ labels: { slot, attempt: 2 } });
    const rows = rowsOf({ workers: [], counts, ...group }, retire(worker, { reason }));
    expect(rows).toContain(`${verb} ${worker.labels.name} (now) 2 calls`);
  });
});

describe("what comes later", () => {
  const three = buildCounts({ desired: 3 });

  test("an empty slot that this pass has no room for", () => {
    const group = { workers: [buildWorker()], counts: buildCounts({ desired: 2 }) };
    expect(rowsOf(group)).toEqual(["create mailer-2-1f2e3d4c (later) 0 calls"]);
  });

  test("before the pull, or after failures, a name is known in part", () => {
    const workers = [buildWorker()];
    const counts = buildCounts({ desired: 2 });
    const failures = [{ slot: 2, revision: REVISION, attempts: 1, at: null }];
    expect(rowsOf({ workers, counts, revision: undefined })).toEqual([
      "create mailer-2 (later) 0 calls",
    ]);
    expect(rowsOf({ workers, counts, failures })).toEqual(["create mailer-2 (later) 0 calls"]);
  });

  test("one above the count that is still needed", () => {
    const workers = [buildWorker(), buildWorker({ labels: { slot: 2 } })];
    expect(rowsOf({ workers, counts: buildCounts({ desired: 1 }) })).toEqual([
      "remove mailer-2-1f2e3d4c (later) 0 calls",
    ]);
  });

  test("one that was asked to stop and runs on", () => {
    const phase = { kind: "stopping", since: NOW - 5_000 } as const;
    const workers = [oldWorker(1, { state: "Stopping", phase })];
    expect(rowsOf({ workers, counts: buildCounts({ desired: 1 }) })).toEqual([
      "replace mailer-1-9a8b7c6d (stopping) 0 calls",
    ]);
  });

  test("nothing, where the planner says that the group is converged", () => {
    expect(rowsOf({ workers: [oldWorker(1)], counts: three, converged: true })).toEqual([]);
  });

  test.each([
    "InvalidSpec",
    "Suspended",
    "OwnershipConflict",
    "NameConflict",
    "NewerVersion",
    "NewerCommit",
    "WorkerUnknown",
    "ImageMissing",
    "NetworkMissing",
    "InsufficientCapacity",
    "BackingOff",
  ] as const)("nothing, while %s holds the group", (code) => {
    const group = { workers: [oldWorker(1)], counts: three, blocks: [{ code, message: "" }] };
    expect(rowsOf(group)).toEqual([]);
  });

  test("the same as ever, while the image's registry cannot be asked", () => {
    const blocks = [{ code: "ImagePullFailed", message: "" } as const];
    const counts = buildCounts({ desired: 1 });
    expect(rowsOf({ workers: [oldWorker(1)], counts, blocks })).toEqual(
      rowsOf({ workers: [oldWorker(1)], counts }),
    );
  });

  test("while the rollout is paused, only what is missing", () => {
    const blocks = [{ code: "Paused", message: "" } as const];
    const workers = [oldWorker(1), oldWorker(2)];
    expect(rowsOf({ workers, counts: three, blocks })).toEqual([
      "create mailer-3-1f2e3d4c (later) 0 calls",
    ]);
  });

  test("a worker that someone paused is left out", () => {
    const workers = [oldWorker(1, { state: "Paused" })];
    expect(rowsOf({ workers, counts: buildCounts({ desired: 1 }) })).toEqual([]);
  });

  test("a create without an answer fills its slot", () => {
    const uncertain = [{ slot: 1, revision: REVISION, name: "mailer-1-1f2e3d4c", until: "" }];
    expect(rowsOf({ workers: [], counts: buildCounts({ desired: 1 }), uncertain })).toEqual([]);
  });
});

describe("what a group without rows is", () => {
  test.each<readonly [string, Partial<GroupPlan>]>([
    ["unchanged", {}],
    ["held", { converged: false, blocks: [{ code: "Suspended", message: "" }] }],
    ["waiting", { converged: false, waitingFor: ["1 worker to become available"] }],
  ])("%s", (kind, group) => {
    const [rows] = planRows(buildPlan({ groups: [buildGroupPlan(group)] }));
    expect(rows?.kind).toBe(kind);
  });
});
