// Waiting in virtual time: the clock moves when everybody waits, to the moment that the first of them waits for.

import { aborted } from "./refusal.ts";
import { step } from "./time.ts";
import type { World } from "./world.ts";

type Sleeper = { readonly until: number };
type Alarm = { readonly at: number; readonly onDue: () => void };

export class VirtualClock {
  readonly #world: World;
  readonly #sleepers = new Set<Sleeper>();
  readonly #alarms = new Set<Alarm>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Resolves at that moment of virtual time, or once `isOver` says so. Throws `aborted` when the signal fires. */
  async sleep(until: number, signal: AbortSignal, isOver = () => false): Promise<void> {
    const own = { until };
    this.#sleepers.add(own);
    try {
      while (this.#world.now < until && !isOver()) {
        await everybodyElse();
        if (signal.aborted) throw aborted();
        if (this.#isFirst(own) && !isOver()) this.#step(until);
      }
    } finally {
      this.#sleepers.delete(own);
    }
  }

  /** Calls back when sleepers have brought time to that moment, and moves none itself; the answer calls it off. */
  alarm(at: number, onDue: () => void): () => void {
    const own = { at, onDue };
    this.#alarms.add(own);
    return () => this.#alarms.delete(own);
  }

  #isFirst(own: Sleeper): boolean {
    return [...this.#sleepers].every((other) => own.until <= other.until);
  }

  #step(until: number): void {
    step(this.#world, Math.min(until, ...[...this.#alarms].map(({ at }) => at)));
    for (const alarm of this.#alarms) {
      if (alarm.at > this.#world.now) continue;
      this.#alarms.delete(alarm);
      alarm.onDue();
    }
  }
}

// A turn of the event loop: what can go on without waiting for the clock has gone on by then.
function everybodyElse(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
