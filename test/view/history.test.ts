import { expect, test } from "vitest";
import { type HistoryEntry, historyOf } from "../../src/core/journal.ts";
import { historyJson, renderHistory } from "../../src/view/history.ts";
import { createPaint } from "../../src/view/style.ts";
import { buildEntry, intent, outcome, SIGNAL, UNTIL } from "../support/journal.ts";

const plain = { paint: createPaint(false), width: undefined };

const REMOVE = { id: "3", action: "remove", container: "c1", reason: "scale-down" };
const PULL = { id: "4", action: "pull-image", worker: "mailer:2", slot: 0, revision: null };

const entries: readonly HistoryEntry[] = historyOf([
  intent(),
  outcome(),
  intent(SIGNAL),
  outcome({ ...SIGNAL, outcome: "uncertain", words: "the engine did not answer within 30 s" }),
  outcome({ ...REMOVE, outcome: "dropped", words: "it is running" }),
  outcome({ ...PULL, outcome: "failed", words: "manifest unknown\nask its owner" }),
  intent({ id: "5", run: "run-2", time: UNTIL, namespace: "shop", group: "crawler", slot: 12 }),
  intent({ id: "6", run: "run-2" }),
  outcome({ id: "6", run: "run-2", outcome: "found" }),
  outcome({ id: "7", run: "run-2", outcome: "not-found" }),
]);

test("the history is a table, newest last, each action with what came of it", () => {
  expect(renderHistory(entries, plain)).toBe(
    `TIME                  RUN    GROUP         ACTION      WORKER             REASON      OUTCOME
2026-11-29T12:00:00Z  run-1  mailer        create      mailer-1-1f2e3d4c  missing     done
2026-11-29T12:00:00Z  run-1  mailer        signal      mailer-1-1f2e3d4c  scale-down  uncertain: the engine did not answer within 30 s
2026-11-29T12:00:00Z  run-1  mailer        remove      mailer-1-1f2e3d4c  scale-down  dropped: it is running
2026-11-29T12:00:00Z  run-1  mailer        pull-image  mailer:2           missing     failed: manifest unknown ask its owner
2026-11-29T12:01:00Z  run-2  shop/crawler  create      mailer-1-1f2e3d4c  missing     unknown: the run ended before it learnt
2026-11-29T12:00:00Z  run-2  mailer        create      mailer-1-1f2e3d4c  missing     done, as was seen later
2026-11-29T12:00:00Z  run-2  mailer        create      mailer-1-1f2e3d4c  missing     not done, as far as was seen
`,
  );
});

test("an empty history says so", () => {
  expect(renderHistory([], plain)).toBe("No action is recorded.\n");
});

test("a terminal's width cuts the engine's words", () => {
  const [, signal] = renderHistory(entries.slice(1, 2), { ...plain, width: 110 }).split("\n");
  expect(signal).toMatch(/uncertain: the engine.*\.\.\.$/);
  expect(signal?.length).toBeLessThanOrEqual(110);
});

test("machines get every field", () => {
  expect(historyJson(entries.slice(1, 2), 3)).toEqual({
    formatVersion: 1,
    kind: "History",
    entries: [
      {
        ...buildEntry(SIGNAL),
        id: undefined,
        outcome: "uncertain",
        words: "the engine did not answer within 30 s",
      },
    ],
    unreadableLines: 3,
  });
});
