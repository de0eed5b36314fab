// How often a slot has failed at a revision, and when it may be tried again. From engine facts; memory only helps.

import type { WorkerFacts } from "./observed.ts";
import type { FailureRecord } from "./status-types.ts";
import type { Worker } from "./worker.ts";

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;
/** A process that lasted this long had nothing to do with the failures before it. */
const FORGIVEN_AFTER_MS = 600_000;

/** Milliseconds to wait after the k-th failure in a row, k from 1. */
export function backoff(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/** Failures in a row that end with this worker's, its own included. */
export function failuresUpTo(worker: Worker): number {
  return lastedLong(worker.facts) ? 1 : worker.labels.attempt;
}

/** It ended, or could not be started, without being asked to go. */
export function hasFailed(worker: Worker): boolean {
  return worker.state === "Exited" || worker.state === "StartFailed";
}

function lastedLong({ run }: WorkerFacts): boolean {
  return run.kind === "exited" && run.finishedAt - run.startedAt >= FORGIVEN_AFTER_MS;
}

/** Engine time (ms) at which a failed worker may be replaced. */
export function retryAt(worker: Worker): number {
  return failedAt(worker.facts) + backoff(failuresUpTo(worker));
}

/** A worker that is replaced while it runs has been failing since it started, as far as facts tell. */
function failedAt({ run, createdAt }: WorkerFacts): number {
  if (run.kind === "exited") return run.finishedAt;
  return "startedAt" in run ? run.startedAt : createdAt;
}

/** The failed attempts remembered for a slot and revision. */
export function rememberedFailures(
  records: readonly FailureRecord[],
  slot: number,
  revision: string,
): number {
  const record = records.find((each) => each.slot === slot && each.revision === revision);
  return record?.attempts ?? 0;
}
