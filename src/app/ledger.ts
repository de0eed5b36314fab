// What a run has done and learnt so far: counted, and kept for the plans and the status that follow.

import type { UncertainRecord } from "../core/status-types.ts";
import { toIso } from "../core/time.ts";
import type { Ended } from "./execute.ts";
import type { ActionOutcome } from "./reporter.ts";
import { Setbacks } from "./setbacks.ts";

/** A create without an answer counts as existing for twice its deadline, within these bounds. */
const UNCERTAIN_MS = { least: 60_000, most: 300_000 };

const TROUBLE: ReadonlySet<ActionOutcome["kind"]> = new Set(["failed", "uncertain"]);

export class Ledger {
  readonly setbacks = new Setbacks();
  /** Ids of workers that were sent their stop signal. */
  readonly signalled = new Set<string>();
  readonly #uncertain = new Map<string, readonly UncertainRecord[]>();
  readonly #uncertainMs: number;
  #attempted = 0;
  #done = 0;
  #isTroubled = false;

  constructor(callDeadlineMs: number) {
    const { least, most } = UNCERTAIN_MS;
    this.#uncertainMs = Math.min(most, Math.max(least, 2 * callDeadlineMs));
  }

  /** Calls that were tried, whatever came of them. */
  get attempted(): number {
    return this.#attempted;
  }

  get done(): number {
    return this.#done;
  }

  /** A call of the latest pass failed, or nobody knows what came of it. */
  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  /** Creates without an answer, by UID. */
  get uncertain(): Readonly<Record<string, readonly UncertainRecord[]>> {
    return Object.fromEntries(this.#uncertain);
  }

  /** Takes in what a pass came to; `now` is engine time, `ticks` the run's own. */
  takeIn(ended: readonly Ended[], now: number, ticks: number): void {
    this.setbacks.note(ended, ticks);
    this.#isTroubled = ended.some(({ outcome }) => TROUBLE.has(outcome.kind));
    for (const each of ended) this.#note(each, now);
  }

  #note({ action, outcome }: Ended, now: number): void {
    if (outcome.kind !== "skipped") this.#attempted += 1;
    if (outcome.kind === "done") this.#done += 1;
    if (action.kind === "signal" && outcome.kind === "done") this.signalled.add(action.target.id);
    if (action.kind === "create" && outcome.kind === "uncertain") {
      const { name, slot, revision } = action.worker;
      const record = { name, slot, revision, until: toIso(now + this.#uncertainMs) };
      this.#uncertain.set(action.group, [...(this.#uncertain.get(action.group) ?? []), record]);
    }
  }
}
