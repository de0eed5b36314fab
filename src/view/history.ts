// The history of a state folder, as a table for a person and as a value for a machine.

import type { Json } from "../core/canonical.ts";
import type { HistoryEntry } from "../core/journal.ts";
import type { Paint, Tone } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";
import { groupTitle } from "./text.ts";

const FORMAT_VERSION = 1;

export type HistoryLook = {
  readonly paint: Paint;
  /** Columns of the terminal; undefined: no limit. */
  readonly width: number | undefined;
};

const HEADINGS = ["TIME", "RUN", "GROUP", "ACTION", "WORKER", "REASON", "OUTCOME"] as const;

/** One line for each action, newest last, ending in a newline. */
export function renderHistory(entries: readonly HistoryEntry[], look: HistoryLook): string {
  if (entries.length === 0) return "No action is recorded.\n";
  const head = HEADINGS.map((text): Cell => ({ text, tone: "strong" }));
  return `${renderTable([head, ...entries.map(cells)], look).join("\n")}\n`;
}

function cells(entry: HistoryEntry): readonly Cell[] {
  return [
    toTheSecond(entry.time),
    { text: entry.run, tone: "faint" },
    groupTitle({ namespace: entry.namespace, name: entry.group }),
    entry.action,
    entry.worker,
    entry.reason,
    outcomeCell(entry),
  ];
}

/** `2026-11-29T12:00:00Z`, of a time with milliseconds. */
function toTheSecond(time: string): string {
  return time.replace(/\.\d+Z$/, "Z");
}

/** What it came to, and how a person is to take it. */
const OUTCOMES = {
  done: ["done", "good"],
  dropped: ["dropped", "faint"],
  failed: ["failed", "alert"],
  uncertain: ["uncertain", "alert"],
  unknown: ["unknown: the run ended before it learnt", "alert"],
  found: ["done, as was seen later", "good"],
  "not-found": ["not done, as far as was seen", "alert"],
} as const satisfies Record<HistoryEntry["outcome"], readonly [string, Tone]>;

function outcomeCell({ outcome, words }: HistoryEntry): Cell {
  const [text, tone] = OUTCOMES[outcome];
  return { text: words === "" ? text : `${text}: ${words}`, tone };
}

/** The same for a machine: times are ISO 8601 by the engine's clock, what is not known is null. */
export function historyJson(entries: readonly HistoryEntry[], unreadable: number): Json {
  return {
    formatVersion: FORMAT_VERSION,
    kind: "History",
    entries: entries.map(entryJson),
    unreadableLines: unreadable,
  };
}

function entryJson(entry: HistoryEntry): Json {
  const { time, run, action, uid, namespace, group, slot, revision, worker } = entry;
  const { container, reason, outcome, words } = entry;
  return {
    ...{ time, run, action, uid, namespace, group, slot, revision, worker, container, reason },
    ...{ outcome, words },
  };
}
