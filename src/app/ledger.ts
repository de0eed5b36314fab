// What a run has come to so far: counted, and what failed kept for the plans and the status that follow.

import type { ProbeFacts, Snapshot } from "../core/observed.ts";
import type { Ended } from "./execute.ts";
import type { ActionOutcome } from "./reporter.ts";
import { Setbacks } from "./setbacks.ts";

const TROUBLE: ReadonlySet<ActionOutcome["kind"]> = new Set(["failed", "uncertain"]);

export class Ledger {
  readonly setbacks = new Setbacks();
  readonly #probes = new Map<string, ProbeFacts>();
  #attempted = 0;
  #done = 0;
  #isTroubled = false;

  /** The latest answer of each worker that was asked, by container id. */
  get probes(): Snapshot["probes"] {
    return Object.fromEntries(this.#probes);
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

  /** Takes in what a pass came to. */
  takeIn(ended: readonly Ended[], ticks: number): void {
    this.setbacks.note(ended, ticks);
    this.#isTroubled = ended.some(({ outcome }) => TROUBLE.has(outcome.kind));
    for (const each of ended) {
      if (each.action.kind === "probe") this.#remember(each.action.target.id, each.outcome);
      else this.#count(each.outcome.kind);
    }
  }

  /** A question changes nothing, and is not counted. */
  #remember(id: string, outcome: ActionOutcome): void {
    if (outcome.kind === "done" && outcome.probe !== undefined) this.#probes.set(id, outcome.probe);
  }

  #count(kind: ActionOutcome["kind"]): void {
    if (kind !== "skipped") this.#attempted += 1;
    if (kind === "done") this.#done += 1;
  }
}
