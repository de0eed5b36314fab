// How long what failed is left in peace within a run: longer each time, and for good after a few times.

export type Rest = {
  /** Failures in a row. */
  readonly strikes: number;
  /** Ticks until which nothing is tried; infinite once it is given up. */
  readonly until: number;
};

const FIRST_REST_MS = 1_000;
const GIVE_UP_AFTER = 3;

/** The rest after one more failure; a hopeless one is the last. */
export function restAfter(before: Rest | undefined, isHopeless: boolean, ticks: number): Rest {
  const strikes = (before?.strikes ?? 0) + 1;
  const isFinal = strikes >= GIVE_UP_AFTER || isHopeless;
  const rest = isFinal ? Number.POSITIVE_INFINITY : FIRST_REST_MS * 2 ** (strikes - 1);
  return { strikes, until: ticks + rest };
}
