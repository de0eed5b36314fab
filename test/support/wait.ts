// Waiting for the world to be as a test needs it. Never sleeps for a fixed time.

import { waitUntil } from "../../scripts/lib/process.mjs";

/** Waits until the condition gives a value other than `false` or `undefined`, and answers with it. */
export async function waitFor<T>(
  what: string,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 20_000,
): Promise<T> {
  return waitUntil(what, condition, deadlineMs);
}
