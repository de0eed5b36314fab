// The window of starts in flight, per group.

import { expect, test } from "vitest";
import type { ActionOutcome } from "../../src/app/reporter.ts";
import { SlowStart } from "../../src/app/slow-start.ts";

const OUTCOMES: Readonly<Record<ActionOutcome["kind"], ActionOutcome>> = {
  done: { kind: "done" },
  dropped: { kind: "dropped", because: "" },
  failed: { kind: "failed", code: "engine-failed", message: "" },
  skipped: { kind: "skipped", because: "" },
  uncertain: { kind: "uncertain", message: "" },
};

test.each<[readonly ActionOutcome["kind"][], number, boolean]>([
  [[], 1, false],
  [["done"], 2, false],
  [["done", "done"], 3, false],
  [["done", "done", "done"], 3, false],
  [["failed"], 1, true],
  [["done", "failed", "done"], 3, true],
  [["uncertain"], 1, true],
  [["dropped", "skipped"], 1, false],
])("after %j the window is %i, halted: %s", (kinds, window, isHalted) => {
  const slowStart = new SlowStart(3);
  for (const kind of kinds) slowStart.note("mailer", OUTCOMES[kind]);
  expect([slowStart.window("mailer"), slowStart.isHalted("mailer")]).toEqual([window, isHalted]);
  expect([slowStart.window("other"), slowStart.isHalted("other")]).toEqual([1, false]);
});
