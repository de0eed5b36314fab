// What a run tells its journal: each action before and after its call, and what looking has settled since.
// Decides nothing about workers.

import {
  follow,
  type Intent,
  isOver,
  type JournalEntry,
  type JournalLine,
  type Outcome,
  type Pending,
  toldContainer,
} from "../core/journal.ts";
import { plainName } from "../core/names.ts";
import type { Action, GroupPlan, Plan } from "../core/plan/types.ts";
import { toIso } from "../core/time.ts";
import type { Worker } from "../core/worker.ts";
import type { Journal } from "../store/journal.ts";
import { UNKNOWN } from "./perform.ts";
import type { ActionOutcome } from "./reporter.ts";

/** A call without an answer may still take effect for twice its deadline, within these bounds. */
const UNCERTAIN_MS = { least: 60_000, most: 300_000 };
/** An engine may say much; what it says first tells most. */
const MOST_WORDS = 500;

/** What a pass knows that its actions do not say. */
export type PassFacts = {
  readonly plan: Plan;
  /** The engine's time, in milliseconds. */
  readonly now: () => number;
  /** Ids of workers made in this pass, by name. */
  readonly made: ReadonlyMap<string, string>;
};

export class Chronicle {
  readonly #journal: Journal;
  readonly #uncertainMs: number;
  /** Intents of this pass without an outcome, by the action's id. */
  readonly #intents = new Map<string, Intent>();
  #pass: PassFacts | undefined;
  #count = 0;

  constructor(journal: Journal, callDeadlineMs: number) {
    const { least, most } = UNCERTAIN_MS;
    this.#journal = journal;
    this.#uncertainMs = Math.min(most, Math.max(least, 2 * callDeadlineMs));
  }

  get pending(): Pending {
    return this.#journal.pending;
  }

  /** Why nothing can be written any more. */
  get trouble(): Journal["trouble"] {
    return this.#journal.trouble;
  }

  /** A crash cut off the journal's last line; so it is until the next one is written. */
  get isTorn(): boolean {
    return this.#journal.isTorn;
  }

  /**
   * Begins a pass. Throws `state-unwritable` or `state-unusable` where the journal cannot be written: then no call may
   * be made.
   */
  async begin(pass: PassFacts): Promise<void> {
    this.#pass = pass;
    const time = toIso(pass.now());
    await this.#journal.prepare(time);
    if (this.#count === 0) this.#journal.commit({ kind: "run", time, run: this.#journal.run });
  }

  /** Says that a call is about to be made; true once that is on the disk, false where it cannot be: see `trouble`. */
  intend(action: Action): boolean {
    const pass = this.#underWay();
    const until = toIso(pass.now() + this.#uncertainMs);
    const intent = { ...this.#entry(action, pass), until };
    try {
      this.#journal.commit({ kind: "intent", ...intent });
    } catch (error) {
      if (error === this.#journal.trouble) return false;
      throw error;
    }
    this.#intents.set(action.id, intent);
    return true;
  }

  /** Says what came of an action; a question to a worker is none. Never throws: see `trouble`. */
  note(action: Action, outcome: ActionOutcome): void {
    if (action.kind === "probe") return;
    const intent = this.#intents.get(action.id);
    this.#intents.delete(action.id);
    if (intent === undefined && outcome.kind === "skipped") return;
    const pass = this.#underWay();
    const entry = intent === undefined ? this.#entry(action, pass) : entryOf(intent);
    const container = entry.container ?? pass.made.get(entry.worker) ?? null;
    const time = toIso(pass.now());
    this.#journal.add([
      { kind: "outcome", ...entry, container, time, ...wordsOf(action, outcome) },
    ]);
  }

  /**
   * Takes in a plan that the status file has been written for: intents that it shows, or whose time is over by it,
   * are settled. Where nothing is new nothing is written. `isWhole`: every group has been looked at.
   */
  settle(plan: Plan, isWhole: boolean): void {
    const { pending, isSettled } = this.#journal;
    const time = toIso(plan.now);
    const ended = pending.open.flatMap((intent) => closing(intent, plan, time));
    if (ended.length === 0 && isSettled) return;
    const { open, signalled } = ended.reduce<Pending>(follow, pending);
    const unseen = isWhole ? [] : signalled.filter((said) => !hasWorker(plan, toldContainer(said)));
    const { run } = this.#journal;
    this.#journal.add([...ended, { kind: "settled", time, run, open, signalled: unseen }]);
  }

  #underWay(): PassFacts {
    if (this.#pass === undefined) throw new Error("an action is done outside a pass");
    return this.#pass;
  }

  #entry(action: Action, { plan, now }: PassFacts): JournalEntry {
    const group = plan.groups.find(({ identity }) => identity.uid === action.group);
    this.#count += 1;
    return {
      id: `${this.#journal.run}-${this.#count}`,
      time: toIso(now()),
      run: this.#journal.run,
      action: action.kind,
      uid: action.group,
      namespace: group?.identity.namespace ?? "",
      group: group?.identity.name ?? "",
      slot: action.slot,
      ...subjectOf(action, group),
      reason: action.reason,
    };
  }
}

type Subject = Pick<JournalEntry, "worker" | "container" | "revision">;

function subjectOf(action: Action, group: GroupPlan | undefined): Subject {
  switch (action.kind) {
    case "pull-image":
      return { worker: action.image, container: null, revision: null };
    case "create":
      return { worker: action.worker.name, container: null, revision: action.worker.revision };
    default: {
      const container = action.target?.id ?? null;
      const worker = group?.workers.find(({ facts }) => facts.id === container);
      const name = action.kind === "start" ? action.name : action.target.name;
      const revision = worker === undefined ? group?.revision : worker.labels.revision;
      return { worker: plainName(name), container, revision: revision ?? null };
    }
  }
}

function entryOf({ until: _, ...entry }: Intent): JournalEntry {
  return entry;
}

function wordsOf(action: Action, outcome: ActionOutcome): Pick<Outcome, "outcome" | "words"> {
  switch (outcome.kind) {
    case "done":
      // How a worker ended is told with the last that is done about it.
      return { outcome: "done", words: cut(outcome.words ?? ending(action)) };
    case "dropped":
      return { outcome: "dropped", words: cut(outcome.because) };
    case "failed": {
      const isSent = action.kind === "signal" || action.kind === "quiet";
      const isUnknown = isSent && UNKNOWN.some((code) => code === outcome.code);
      return { outcome: isUnknown ? "uncertain" : "failed", words: cut(outcome.message) };
    }
    case "skipped": // after its intent: the call was broken off
      return { outcome: "uncertain", words: cut(outcome.because) };
    case "uncertain":
      return { outcome: "uncertain", words: cut(outcome.message) };
  }
}

function ending(action: Action): string {
  if (action.kind === "rename") return action.phase === "none" ? "returned" : action.phase;
  return action.kind === "remove" ? action.detail : "";
}

function cut(words: string): string {
  return words.slice(0, MOST_WORDS);
}

/** The line that ends an open intent, if this plan's observation does. */
function closing(
  intent: Intent,
  plan: Plan,
  time: string,
): readonly (JournalLine & { readonly kind: "outcome" })[] {
  const isShown = plan.groups
    .filter(({ identity }) => identity.uid === intent.uid)
    .some(({ workers }) => workers.some((worker) => shows(worker, intent)));
  if (!isShown && !isOver(intent, plan.now)) return [];
  const outcome = isShown ? "found" : "not-found";
  return [{ kind: "outcome", ...entryOf(intent), time, outcome, words: "" }];
}

function shows({ facts, signalled }: Worker, { action, worker, container }: Intent): boolean {
  return action === "create" ? facts.name === worker : facts.id === container && signalled;
}

function hasWorker({ groups }: Plan, id: string): boolean {
  return groups.some(({ workers }) => workers.some(({ facts }) => facts.id === id));
}
