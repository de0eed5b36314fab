// Since when a worker has been ready without a break, from the engine's facts and what was remembered.

import type { HealthFacts, WorkerFacts } from "./observed.ts";

/** Docker keeps this many entries of the health log; a shorter log is the whole history. */
const FULL_HEALTH_LOG = 5;

/**
 * Engine time (ms) since which the worker has been ready without a break; undefined while it is not ready.
 * `remembered` is what an earlier run found for the same process.
 */
export function readySince(facts: WorkerFacts, remembered: number | undefined): number | undefined {
  const { run } = facts;
  if (run.kind !== "running") return undefined;
  if (run.health === undefined) return run.startedAt;
  if (run.health.status !== "healthy") return undefined;
  return remembered ?? healthySince(ofThisProcess(run.health, run.startedAt), run.startedAt);
}

/** The engine keeps the log of the process before; that one's health says nothing of this one's. */
function ofThisProcess(health: HealthFacts, startedAt: number): HealthFacts {
  return { ...health, log: health.log.filter((probe) => probe.startedAt >= startedAt) };
}

/** The end of the latest run of failures that made it unhealthy, else as far back as the log reaches. */
function healthySince(health: HealthFacts, startedAt: number): number {
  const broken = endOfLastBreak(health);
  if (broken !== undefined) return broken;
  const oldest = health.log[0];
  const isWhole = health.log.length < FULL_HEALTH_LOG;
  return isWhole && oldest !== undefined ? oldest.finishedAt : startedAt;
}

function endOfLastBreak({ log, retries }: HealthFacts): number | undefined {
  let failures = 0;
  let end: number | undefined;
  for (const probe of log) {
    if (!probe.ok) failures += 1;
    else {
      if (failures >= retries) end = probe.finishedAt;
      failures = 0;
    }
  }
  return end;
}
