// Where not all of several workers may go at once: those first that say they have nothing to do. Asks and sorts, and
// never says that one goes.

import type { Worker } from "../worker.ts";
import { type Draft, target } from "./draft.ts";
import type { Why } from "./why.ts";

/** An answer this old says nothing of what the worker does now. */
const FRESH_MS = 10_000;

/** 0 for a worker that is idle, 1 for any other: a key to sort by. */
export type Busyness = (worker: Worker) => number;

const ALL_THE_SAME: Busyness = () => 1;

/**
 * How busy the candidates for going are, where it makes a difference which of them go. Undefined: they are being asked,
 * and nobody is to be chosen before they have answered.
 */
export function busyness(
  draft: Draft,
  candidates: readonly Worker[],
  why: (worker: Worker) => Why,
): Busyness | undefined {
  const exec = draft.scene.spec?.drain?.idle?.exec;
  const mayGo = draft.serving() - draft.scene.limits.minAvailable;
  if (exec === undefined || mayGo <= 0 || candidates.length <= mayGo) return ALL_THE_SAME;
  const silent = candidates.filter(
    (worker) => worker.facts.run.kind === "running" && isIdle(draft, worker) === undefined,
  );
  for (const worker of silent) {
    const call = { kind: "probe", target: target(worker), asks: "idle", exec } as const;
    draft.push(draft.urgent, worker, why(worker), call);
  }
  return silent.length > 0 ? undefined : (worker) => (isIdle(draft, worker) === true ? 0 : 1);
}

/** What it answered a moment ago; undefined: it was not asked. */
function isIdle({ scene }: Draft, { facts }: Worker): boolean | undefined {
  const answer = scene.snapshot.probes[facts.id];
  const isMeant = answer?.asks === "idle" && answer.name === facts.name;
  return isMeant && scene.now - answer.at < FRESH_MS ? answer.isTrue : undefined;
}
