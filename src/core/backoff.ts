// How often a slot has failed at a revision, and when it may be tried again. From engine facts; memory only helps.

import { succeeded } from "./assess.ts";
import type { ExitPolicy } from "./model.ts";
import type { WorkerFacts } from "./observed.ts";
import type { FailureRecord } from "./status-types.ts";
import { fromIso } from "./time.ts";
import type { Worker } from "./worker.ts";

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;
/** A process that lasted this long had nothing to do with the failures before it. */
const FORGIVEN_AFTER_MS = 600_000;

/** Milliseconds to wait after the k-th failure in a row, k from 1; none where there was no failure. */
export function backoff(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/**
 * Failures in a row that end with this worker's, its own included. A container that was started again after a failure
 * still carries its first attempt, so a failure later than the remembered one is one more.
 */
export function failuresUpTo(worker: Worker, remembered: FailureRecord | undefined): number {
  if (lastedLong(worker.facts)) return 1;
  const { attempt } = worker.labels;
  if (remembered === undefined) return attempt;
  const { attempts } = remembered;
  return Math.max(attempt, isCounted(worker, remembered) ? attempts : attempts + 1);
}

function isCounted(worker: Worker, { at }: FailureRecord): boolean {
  return at === null || failedAt(worker) <= (fromIso(at) ?? 0);
}

/**
 * It ended, or could not be started, without being asked to go. An exit with 0 is a failure unless the manifest says
 * what becomes of successes.
 */
export function hasFailed(
  { state, facts: { run } }: Worker,
  onExit: ExitPolicy | undefined,
): boolean {
  if (state === "StartFailed") return true;
  if (state !== "Exited" || run.kind !== "exited") return false;
  return !(succeeded(run) && onExit?.success !== undefined);
}

function lastedLong({ run }: WorkerFacts): boolean {
  return run.kind === "exited" && run.finishedAt - run.startedAt >= FORGIVEN_AFTER_MS;
}

/** Engine time (ms) of a failure. One that is replaced while it runs has been failing since it started, as far as facts tell. */
export function failedAt({ facts: { run, createdAt } }: Worker): number {
  if (run.kind === "exited") return run.finishedAt;
  return "startedAt" in run ? run.startedAt : createdAt;
}

/** The failed attempts remembered for a slot and revision. */
export function rememberedFailure(
  records: readonly FailureRecord[],
  slot: number,
  revision: string,
): FailureRecord | undefined {
  return records.find((each) => each.slot === slot && each.revision === revision);
}
