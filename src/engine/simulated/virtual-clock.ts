// Waiting in virtual time: the clock moves when everybody waits, to the moment that the first of them waits for.

import { aborted } from "./refusal.ts";
import { step } from "./time.ts";
import type { World } from "./world.ts";

type Sleeper = { readonly until: number };

export class VirtualClock {
  readonly #world: World;
  readonly #sleepers = new Set<Sleeper>();

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
        if (this.#isFirst(own) && !isOver()) step(this.#world, until);
      }
    } finally {
      this.#sleepers.delete(own);
    }
  }

  #isFirst(own: Sleeper): boolean {
    return [...this.#sleepers].every((other) => own.until <= other.until);
  }
}

// A turn of the event loop: what can go on without waiting for the clock has gone on by then.
function everybodyElse(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
