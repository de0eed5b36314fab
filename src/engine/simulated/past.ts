// Earlier listings, for stale reads. Remembers only while a fault may ask for them.

import type { WorkerFacts } from "../../core/observed.ts";
import type { FaultEffect } from "./script.ts";
import type { World } from "./world.ts";

const REMEMBERED = 64;

export class Past {
  readonly #world: World;
  #listings: { readonly at: number; readonly workers: readonly WorkerFacts[] }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes a listing in; answers with it, or where it is to be stale with the latest one that is old enough. */
  see(workers: readonly WorkerFacts[], fault: FaultEffect | undefined): readonly WorkerFacts[] {
    const { now, faults } = this.#world;
    const seen = fault?.kind === "stale" ? this.recall(fault.seconds) : undefined;
    const isNeeded = faults.some(({ effect }) => effect.kind === "stale");
    const older = isNeeded ? this.#listings : [];
    this.#listings = isNeeded ? [...older, { at: now, workers }].slice(-REMEMBERED) : [];
    return seen ?? workers;
  }

  /** The latest listing at least so many seconds old, else the oldest; undefined: none is remembered. */
  recall(seconds: number): readonly WorkerFacts[] | undefined {
    const until = this.#world.now - seconds * 1000;
    const old = this.#listings.findLast(({ at }) => at <= until) ?? this.#listings[0];
    return old?.workers;
  }
}
