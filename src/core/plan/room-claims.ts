// Which removals of a pass each create waits for, so that never more exist than may, in whatever order calls are done.

import type { Worker } from "../worker.ts";

/** A removal that takes an existing worker away, by the id of its action. */
export type Removal = { readonly worker: Worker; readonly id: string };

export class RoomClaims {
  readonly #claimed = new Set<string>();
  /** Creates that there was room for from the beginning. */
  #taken = 0;

  /**
   * Ids of the removals that one more create must wait for. Each create takes what room there is, or claims a removal
   * for itself alone, one in its slot first; where more exist than may, all creates wait for the same ones besides.
   * `before` is how many existed at the beginning of the pass.
   */
  claim(
    slot: number,
    removals: readonly Removal[],
    before: number,
    limit: number,
  ): readonly string[] {
    const excess = Math.max(0, before - limit);
    const left = removals.slice(excess).filter(({ id }) => !this.#claimed.has(id));
    const own = left.find(({ worker }) => worker.labels.slot === slot);
    const isFull = before + this.#taken >= limit;
    const claim = own ?? (isFull ? left[0] : undefined);
    if (claim === undefined) this.#taken += 1;
    else this.#claimed.add(claim.id);
    return [...removals.slice(0, excess), ...(claim === undefined ? [] : [claim])].map(
      ({ id }) => id,
    );
  }
}
