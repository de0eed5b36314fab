// What the journal says: one line for each thing that happened to an action, and what of it is still open.
// Times are the engine's. Pure: reading and writing the file is the store's.

import type { WorkerFacts } from "./observed.ts";
import type { UncertainRecord } from "./status-types.ts";
import { fromIso } from "./time.ts";

/** What a line is about, complete by itself: a line before it may be lost. */
export type JournalEntry = {
  /** Of the action: an intent and what came of it share one, and no other action ever has it. */
  readonly id: string;
  /** ISO 8601, as is `until`. */
  readonly time: string;
  readonly run: string;
  /** As plans call it: `create`. */
  readonly action: string;
  readonly uid: string;
  readonly namespace: string;
  /** The group's name. */
  readonly group: string;
  readonly slot: number;
  readonly revision: string | null;
  /** Name without phase; the reference where the action is about an image. */
  readonly worker: string;
  /** Id of the container; null before there is one. */
  readonly container: string | null;
  readonly reason: string;
};

/** A call that is about to be made and that must not be made twice unawares. */
export type Intent = JournalEntry & {
  /** A create of which nothing is known counts as an existing worker until then. */
  readonly until: string;
};

export type JournalOutcome =
  | "done"
  | "dropped"
  | "failed"
  /** The engine did not say, and the intent stays open. */
  | "uncertain"
  /** An open intent, settled by looking: the engine shows what it asked for, or has not shown it in time. */
  | "found"
  | "not-found";

export type Outcome = JournalEntry & {
  readonly outcome: JournalOutcome;
  /** What the engine said, or why the call was not made; may be empty. */
  readonly words: string;
};

/** What must not be forgotten: kept whole in each `settled` line, so that nothing before it has to be read. */
export type Pending = {
  /** Intents of which nobody knows what came. */
  readonly open: readonly Intent[];
  /** What was said to which container and when, `c0ffee signal 2026-…`, as far as no status file knows of it yet. */
  readonly signalled: readonly string[];
};

export type JournalLine =
  /** A run is about to make its first call. */
  | { readonly kind: "run"; readonly time: string; readonly run: string }
  | ({ readonly kind: "intent" } & Intent)
  | ({ readonly kind: "outcome" } & Outcome)
  /** The status file knows all that came before, except for what is pending. */
  | ({ readonly kind: "settled"; readonly time: string; readonly run: string } & Pending);

export const NOTHING_PENDING: Pending = { open: [], signalled: [] };

/** What is pending after one more line. */
export function follow(pending: Pending, line: JournalLine): Pending {
  switch (line.kind) {
    case "run":
      return pending;
    case "intent": {
      const { kind: _, ...intent } = line;
      return { ...pending, open: [...without(pending.open, line.id), intent] };
    }
    case "outcome":
      return close(pending, line);
    case "settled":
      return { open: line.open, signalled: line.signalled };
  }
}

function close({ open, signalled }: Pending, ended: Outcome): Pending {
  if (ended.outcome === "uncertain") return { open, signalled };
  const { action, outcome, container, time } = ended;
  const isSent =
    (action === "signal" || action === "quiet") && outcome === "done" && container !== null;
  const said = `${container} ${action} ${time}`;
  return {
    open: without(open, ended.id),
    signalled: isSent ? [...new Set([...signalled, said])] : signalled,
  };
}

/** The container that something was said to. */
export function toldContainer(said: string): string {
  return said.split(" ")[0] ?? "";
}

/** Whether that still counts: it was said to this very process, in the phase that its name tells. */
export function stillCounts(said: string, { id, name, run }: WorkerFacts): boolean {
  const [container, action, time] = said.split(" ");
  if (container !== id) return false;
  // Written by an older wgctl, which noted neither.
  if (action === undefined || time === undefined) return true;
  const startedAt = "startedAt" in run ? run.startedAt : 0;
  const isDraining = /[.]draining-[0-9]+$/.test(name);
  return isDraining === (action === "quiet") && startedAt <= (fromIso(time) ?? 0);
}

function without(open: readonly Intent[], id: string): readonly Intent[] {
  return open.filter((intent) => intent.id !== id);
}

/** Creates of which nobody knows what came, by UID: each name once. */
export function uncertainCreates({
  open,
}: Pending): Readonly<Record<string, readonly UncertainRecord[]>> {
  const byUid = new Map<string, Map<string, UncertainRecord>>();
  for (const { action, uid, slot, revision, worker, until } of open) {
    if (action !== "create" || revision === null) continue;
    const own = byUid.get(uid) ?? new Map<string, UncertainRecord>();
    byUid.set(uid, own.set(worker, { slot, revision, name: worker, until }));
  }
  return Object.fromEntries([...byUid].map(([uid, own]) => [uid, [...own.values()]]));
}

/** True once an intent's time is over, by the engine's clock (ms). */
export function isOver({ until }: Pick<Intent, "until">, now: number): boolean {
  return (fromIso(until) ?? 0) <= now;
}

/** One action as the history shows it. `unknown`: its run ended before it learnt what came of the call. */
export type HistoryEntry = JournalEntry & {
  readonly outcome: JournalOutcome | "unknown";
  readonly words: string;
};

/** The actions that lines tell of, by the time they began, each with the last that is known of it. */
export function historyOf(lines: readonly JournalLine[]): readonly HistoryEntry[] {
  const entries = new Map<string, HistoryEntry>();
  for (const line of lines) {
    if (line.kind === "intent") {
      const { kind: _, until: __, ...entry } = line;
      entries.set(line.id, { ...entry, outcome: "unknown", words: "" });
    } else if (line.kind === "outcome") {
      const { kind: _, ...entry } = line;
      entries.set(line.id, { ...entry, time: entries.get(line.id)?.time ?? line.time });
    }
  }
  return [...entries.values()];
}
