// The rows of the benchmark's table: what was measured, against what, and whether the promise is kept.

/** @typedef {{ what: string, measured: string, limit: string, ok: boolean }} Row */

/**
 * A ratio of two medians.
 *
 * @param {string} what
 * @param {[string, number]} ours   name and milliseconds
 * @param {[string, number]} peer
 * @param {number} limit
 * @returns {Row}
 */
export function ratioRow(what, [, ours], [peerName, peer], limit) {
  const ratio = ours / peer;
  const measured = `${ratio.toFixed(2)} x  (${roundly(ours)} ms, ${peerName} ${roundly(peer)} ms)`;
  return { what, measured, limit: `${limit.toFixed(2)} x`, ok: ratio <= limit };
}

/**
 * A time (ms) that has a limit of its own.
 *
 * @param {string} what
 * @param {number} measured
 * @param {number} limit
 * @returns {Row}
 */
export function limitRow(what, measured, limit) {
  return {
    what,
    measured: `${roundly(measured)} ms`,
    limit: `${limit} ms`,
    ok: measured <= limit,
  };
}

/** @param {number} milliseconds */
function roundly(milliseconds) {
  return milliseconds < 10 ? milliseconds.toFixed(1) : String(Math.round(milliseconds));
}
