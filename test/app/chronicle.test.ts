// What a run tells its journal about actions, and which intents a look at the engine settles.

import { beforeEach, describe, expect, it } from "vitest";
import { Chronicle } from "../../src/app/chronicle.ts";
import type { ActionOutcome } from "../../src/app/reporter.ts";
import {
  follow,
  type Intent,
  type JournalLine,
  NOTHING_PENDING,
  type Pending,
} from "../../src/core/journal.ts";
import type { Action, Plan } from "../../src/core/plan/types.ts";
import { toIso } from "../../src/core/time.ts";
import type { Journal } from "../../src/store/journal.ts";
import {
  buildAction,
  buildGroupPlan,
  buildIdentity,
  buildPlan,
  buildWorker,
  NOW,
  REVISION,
  targetOf,
} from "../support/build.ts";
import { intent, SIGNAL, UNTIL } from "../support/journal.ts";

/** A journal that is a list. */
class Lines implements Journal {
  readonly run = "run-2";
  readonly lines: JournalLine[] = [];
  pending: Pending;
  isSettled = true;
  readonly isTorn = false;
  readonly trouble = undefined;

  constructor(pending: Pending = NOTHING_PENDING) {
    this.pending = pending;
  }

  async prepare(): Promise<void> {}

  commit(line: JournalLine): void {
    this.add([line]);
  }

  add(lines: readonly JournalLine[]): void {
    this.lines.push(...lines);
    this.pending = lines.reduce(follow, this.pending);
    this.isSettled = lines.at(-1)?.kind === "settled";
  }

  close(): void {}
}

const worker = buildWorker();
const plan = buildPlan({ groups: [buildGroupPlan({ workers: [worker] })] });
const target = targetOf(worker);

const create = buildAction({
  kind: "create",
  worker: { name: "mailer-2-1f2e3d4c", slot: 2, attempt: 1, revision: REVISION },
});
const signal = buildAction({ kind: "signal", target, signal: "SIGTERM" });

let lines: Lines;
beforeEach(() => {
  lines = new Lines();
});

async function begun(callDeadlineMs = 30_000, elapsed = 0): Promise<Chronicle> {
  const chronicle = new Chronicle(lines, callDeadlineMs);
  const made = new Map([["mailer-2-1f2e3d4c", "made-2"]]);
  await chronicle.begin({ plan, made, now: () => NOW + elapsed });
  return chronicle;
}

describe("an action", () => {
  it("is announced with all that is known of it, until twice the deadline of its call", async () => {
    const chronicle = await begun();
    expect(chronicle.intend(create)).toBe(true);
    expect(lines.lines).toEqual([
      { kind: "run", time: toIso(NOW), run: "run-2" },
      {
        ...{ kind: "intent", id: "run-2-1", time: toIso(NOW), run: "run-2", action: "create" },
        ...{ uid: plan.groups[0]?.identity.uid, namespace: "default", group: "mailer", slot: 1 },
        ...{ worker: "mailer-2-1f2e3d4c", container: null, revision: REVISION },
        ...{ reason: "missing", until: UNTIL },
      },
    ]);
  });

  it.each([
    [1_000, 60],
    [30_000, 60],
    [45_000, 90],
    [600_000, 300],
  ])(
    "with a deadline of %i ms counts for %i s from the call, not from the look",
    async (deadline, seconds) => {
      const elapsed = 7_000;
      (await begun(deadline, elapsed)).intend(create);
      expect(lines.lines.at(-1)).toMatchObject({ until: toIso(NOW + elapsed + seconds * 1000) });
    },
  );

  const told: readonly (readonly [string, Action, ActionOutcome, boolean, object | undefined])[] = [
    ["done", create, { kind: "done" }, true, { outcome: "done", container: "made-2" }],
    ["done without an intent", signal, { kind: "done" }, false, { outcome: "done" }],
    [
      "dropped",
      signal,
      { kind: "dropped", because: "it is gone" },
      true,
      { outcome: "dropped", words: "it is gone" },
    ],
    [
      "refused",
      create,
      { kind: "failed", code: "engine-rejected", message: "no" },
      true,
      { outcome: "failed", words: "no" },
    ],
    [
      "a signal without an answer",
      signal,
      { kind: "failed", code: "engine-timeout", message: "silence" },
      true,
      { outcome: "uncertain", words: "silence" },
    ],
    [
      "a create without an answer",
      create,
      { kind: "uncertain", message: "silence" },
      true,
      { outcome: "uncertain" },
    ],
    [
      "a call that was broken off",
      create,
      { kind: "skipped", because: "the run is stopping" },
      true,
      { outcome: "uncertain", words: "the run is stopping" },
    ],
    ["skipped before its call", create, { kind: "skipped", because: "x" }, false, undefined],
    [
      "long words",
      create,
      { kind: "uncertain", message: "x".repeat(10_000) },
      true,
      { words: "x".repeat(500) },
    ],
  ];

  it.each(told)("that is %s is told", async (_, action, outcome, hasIntent, expected) => {
    const chronicle = await begun();
    if (hasIntent) chronicle.intend(action);
    const before = lines.lines.length;
    chronicle.note(action, outcome);
    const [line] = lines.lines.slice(before);
    if (expected === undefined) expect(line).toBeUndefined();
    else expect(line).toMatchObject({ kind: "outcome", id: "run-2-1", ...expected });
  });

  it("of the same name in a later pass is another one", async () => {
    const chronicle = await begun();
    for (let pass = 0; pass < 2; pass += 1) {
      chronicle.intend(create);
      chronicle.note(create, { kind: "done" });
    }
    expect(lines.lines.flatMap((line) => ("id" in line ? [line.id] : []))).toEqual([
      ...["run-2-1", "run-2-1", "run-2-2", "run-2-2"],
    ]);
  });
});

/** An intent as it is pending. */
function openIntent(changes: Partial<Intent> = {}): Intent {
  const { kind: _, ...open } = intent(changes);
  return open;
}

describe("a look at the engine", () => {
  const late: Plan = { ...plan, now: NOW + 60_000 };
  const signalledPlan = (signalled: boolean) =>
    buildPlan({ groups: [buildGroupPlan({ workers: [buildWorker({ signalled })] })] });
  const leaving = buildWorker({ phase: { kind: "stopping", since: NOW } });
  const leavingPlan = buildPlan({ groups: [buildGroupPlan({ workers: [leaving] })] });
  const toWorker = { ...SIGNAL, container: worker.facts.id };
  const elsewhere = { id: "x", uid: "elsewhere" };

  it.each<[string, Pending["open"], Plan, readonly string[], readonly string[]]>([
    ["a create that it shows", [openIntent()], plan, ["run-1-1 found"], []],
    ["a create it does not show", [openIntent({ worker: "m-9-1f2e3d4c" })], plan, [], ["run-1-1"]],
    [
      "no create that one shows who leaves under its name",
      [openIntent()],
      leavingPlan,
      [],
      ["run-1-1"],
    ],
    ["nor for too long", [openIntent({ worker: "m-9-1f2e3d4c" })], late, ["run-1-1 not-found"], []],
    ["a create of a group it left out", [openIntent(elsewhere)], plan, [], ["x"]],
    ["and for too long", [openIntent(elsewhere)], late, ["x not-found"], []],
    ["a signal it knows of", [openIntent(toWorker)], signalledPlan(true), ["run-1-2 found"], []],
    ["a signal it does not know of", [openIntent(toWorker)], signalledPlan(false), [], ["run-1-2"]],
  ])("settles %s", (_, open, seen, ended, left) => {
    lines = new Lines({ open, signalled: [] });
    lines.isSettled = false;
    new Chronicle(lines, 30_000).settle(seen, true);
    const outcomes = lines.lines.flatMap((line) =>
      line.kind === "outcome" ? [`${line.id} ${line.outcome}`] : [],
    );
    expect([outcomes, lines.pending.open.map(({ id }) => id)]).toEqual([ended, left]);
    expect(lines.lines.at(-1)).toMatchObject({ kind: "settled", time: toIso(seen.now) });
  });

  it("says nothing where nothing is new", () => {
    lines = new Lines({ open: [openIntent({ worker: "m-9-1f2e3d4c" })], signalled: [] });
    new Chronicle(lines, 30_000).settle(plan, true);
    expect(lines.lines).toEqual([]);
  });

  it("leaves signals to the status file, but for groups that it did not look at", () => {
    const open = { open: [], signalled: [worker.facts.id, "elsewhere"] };
    for (const [isWhole, left] of [
      [true, []],
      [false, ["elsewhere"]],
    ] as const) {
      lines = new Lines(open);
      lines.isSettled = false;
      new Chronicle(lines, 30_000).settle(plan, isWhole);
      expect(lines.pending.signalled).toEqual(left);
    }
  });

  it("finds a create in its own group only", () => {
    const other = buildGroupPlan({
      identity: buildIdentity({ uid: "elsewhere" }),
      workers: [worker],
    });
    lines = new Lines({ open: [openIntent()], signalled: [] });
    lines.isSettled = false;
    new Chronicle(lines, 30_000).settle(buildPlan({ groups: [other] }), true);
    expect(lines.pending.open).toHaveLength(1);
  });
});
