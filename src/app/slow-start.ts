// How many creates and starts of a group may be in flight: one at first, one more with each success, none after a
// failure. So "no capacity" costs a few errors and not one for every worker.

import type { ActionOutcome } from "./reporter.ts";

const STARTS_PER_CPU = 4;
const MOST_STARTS_AT_ONCE = 16;

/** Creates, starts and pulls in flight at most, on an engine with so many CPUs. */
export function startsAtOnce(cpus: number): number {
  return Math.min(MOST_STARTS_AT_ONCE, STARTS_PER_CPU * cpus);
}

export class SlowStart {
  readonly #limit: number;
  readonly #windows = new Map<string, number>();
  readonly #halted = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  window(group: string): number {
    return this.#windows.get(group) ?? 1;
  }

  /** The group starts nothing more in this pass. */
  isHalted(group: string): boolean {
    return this.#halted.has(group);
  }

  note(group: string, outcome: ActionOutcome): void {
    switch (outcome.kind) {
      case "done":
        this.#windows.set(group, Math.min(this.#limit, this.window(group) + 1));
        return;
      case "failed":
      case "uncertain":
        this.#halted.add(group);
        return;
      case "dropped":
      case "skipped":
        return;
    }
  }
}
