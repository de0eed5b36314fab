// Interleaved measuring: candidates take turns, so that a slow minute of the machine hits all of them alike.

/** @typedef {{ name: string, run: () => Promise<void>, reset?: () => Promise<void> }} Candidate */

/**
 * Median of milliseconds per candidate name. One unmeasured round warms the file cache; `reset` is not timed.
 *
 * @param {readonly Candidate[]} candidates
 * @param {number} rounds
 * @param {{ warmUp?: boolean }} [options]
 * @returns {Promise<Record<string, number>>}
 */
export async function measureInterleaved(candidates, rounds, { warmUp = true } = {}) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(candidates.map(({ name }) => [name, []]));
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const { name, run, reset } of rotate(candidates, Math.max(round, 0))) {
      const started = performance.now();
      await run();
      const took = performance.now() - started;
      if (round >= 0) times[name]?.push(took);
      await reset?.();
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
}

/**
 * Nobody goes first every time.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} by
 */
function rotate(items, by) {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
