// What is pending after which lines, and what a person is told of them.

import { describe, expect, it } from "vitest";
import {
  follow,
  historyOf,
  type JournalLine,
  NOTHING_PENDING,
  stillCounts,
  uncertainCreates,
} from "../../src/core/journal.ts";
import { fromIso } from "../../src/core/time.ts";
import { buildFacts, REVISION, UID } from "../support/build.ts";
import {
  buildEntry,
  intent,
  outcome,
  SENT,
  SIGNAL,
  settled,
  TIME,
  UNTIL,
} from "../support/journal.ts";

const after = (...lines: readonly JournalLine[]) => lines.reduce(follow, NOTHING_PENDING);

/** Ids of open intents, and containers that are known to be signalled. */
const brief = (...lines: readonly JournalLine[]) => {
  const { open, signalled } = after(...lines);
  return [open.map(({ id }) => id), signalled];
};

describe("what is pending", () => {
  const other = { id: "run-1-9", worker: "mailer-2-1f2e3d4c" };

  it.each<[string, readonly JournalLine[], readonly unknown[]]>([
    ["nothing at first", [], [[], []]],
    ["a run that has begun", [{ kind: "run", time: TIME, run: "run-1" }], [[], []]],
    ["an intent alone", [intent()], [["run-1-1"], []]],
    ["the same intent twice", [intent(), intent()], [["run-1-1"], []]],
    ["an intent and its outcome", [intent(), outcome()], [[], []]],
    ["an intent and another's outcome", [intent(), outcome(other)], [["run-1-1"], []]],
    ["a failure", [intent(), outcome({ outcome: "failed" })], [[], []]],
    ["no answer", [intent(), outcome({ outcome: "uncertain" })], [["run-1-1"], []]],
    [
      "no answer, and found later",
      [intent(), outcome({ outcome: "uncertain" }), outcome({ outcome: "found" })],
      [[], []],
    ],
    ["an outcome without its intent", [outcome()], [[], []]],
    ["a signal that was sent", [intent(SIGNAL), outcome(SIGNAL)], [[], [SENT]]],
    ["a signal without an answer", [intent(SIGNAL)], [["run-1-2"], []]],
    [
      "a signal that was not sent",
      [intent(SIGNAL), outcome({ ...SIGNAL, outcome: "dropped" })],
      [[], []],
    ],
    [
      "what a settled line says, and nothing from before it",
      [intent(), outcome(SIGNAL), settled({ open: [intent(other)], signalled: ["c7"] })],
      [["run-1-9"], ["c7"]],
    ],
  ])("%s", (_, lines, expected) => {
    expect(brief(...lines)).toEqual(expected);
  });
});

describe("what was said to a worker still counts", () => {
  const facts = (name: string, startedAt: number) =>
    buildFacts({ id: "c1", name, run: { kind: "running", startedAt } });
  const sent = fromIso(TIME) ?? 0;

  it.each<[string, string, ReturnType<typeof facts>, boolean]>([
    ["to the process that heard it", SENT, facts("m.stopping-1", sent), true],
    ["not to one that was started since", SENT, facts("m.kept-1", sent + 1), false],
    ["not to another container", SENT.replace("c1", "c2"), facts("m.stopping-1", 0), false],
    ["a stop signal not while it drains", SENT, facts("m.draining-1", 0), false],
    ["a word to drain while it drains", `c1 quiet ${TIME}`, facts("m.draining-1", 0), true],
    ["and not once it is to stop", `c1 quiet ${TIME}`, facts("m.stopping-1", 0), false],
    ["as an older wgctl wrote it, always", "c1", facts("m.kept-1", sent + 1), true],
  ])("%s", (_, said, worker, expected) => {
    expect(stillCounts(said, worker)).toBe(expected);
  });
});

describe("creates without an answer", () => {
  it("are told by group, each name once", () => {
    const later = "2026-11-29T13:00:00.000Z";
    const pending = after(
      intent(),
      intent({ id: "run-2-1", until: later }),
      intent({ id: "run-2-2", uid: "other", slot: 4, worker: "other-4-1f2e3d4c" }),
      intent(SIGNAL),
    );
    expect(uncertainCreates(pending)).toEqual({
      [UID]: [{ slot: 1, revision: REVISION, name: "mailer-1-1f2e3d4c", until: later }],
      other: [{ slot: 4, revision: REVISION, name: "other-4-1f2e3d4c", until: UNTIL }],
    });
  });
});

describe("the history", () => {
  it("has an action once, at the time it began, with the last that is known of it", () => {
    const late = "2026-11-29T12:01:00.000Z";
    const lines = [
      { kind: "run", time: TIME, run: "run-1" } as const,
      intent(),
      intent(SIGNAL),
      outcome({ outcome: "uncertain", words: "no answer", time: late }),
      outcome({ outcome: "found", time: late }),
      outcome({ id: "run-1-3", action: "remove", container: "c1" }),
      settled(),
    ];
    expect(historyOf(lines)).toEqual([
      { ...buildEntry(), outcome: "found", words: "" },
      { ...buildEntry(SIGNAL), outcome: "unknown", words: "" },
      {
        ...buildEntry({ id: "run-1-3", action: "remove", container: "c1" }),
        ...{ outcome: "done", words: "" },
      },
    ]);
  });
});
