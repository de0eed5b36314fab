// What lies ahead of a group, in closed form: counted from today's picture, not stepped through.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { drainOf, graceSeconds } from "./drain.ts";
import { isCurrent } from "./rank.ts";
import type { Block, Forecast } from "./types.ts";

/** Engine calls to take one running worker down: rename, signal, remove, and a disarm where it is armed. */
const CALLS_TO_RETIRE = 3;
/** Create and start. */
const CALLS_TO_CREATE = 2;

export function forecast(draft: Draft): Forecast {
  const planned = draft.urgent.length + draft.retirements.length;
  const { scene } = draft;
  const isHeld = draft.blocks.some(({ code }) => !GOES_ON.has(code)) || scene.leaving !== undefined;
  if (isHeld || scene.spec === undefined) {
    return {
      actions: planned + removalsAhead(draft),
      waves: planned === 0 ? 0 : 1,
      worstCaseSeconds: longestEnd(draft, goingNow(draft)),
      plusStartUp: false,
      obstacle: obstacle(draft),
    };
  }
  return rolling(draft, planned);
}

/** Blocks that the rest of the group goes on beside. */
const GOES_ON: ReadonlySet<Block["code"]> = new Set(["WorkerPaused", "ImagePullFailed"]);

function rolling(draft: Draft, planned: number): Forecast {
  const { limits, spec } = draft.scene;
  const later = draft
    .staying()
    .filter((worker) => !isCurrent(worker) || worker.labels.slot > limits.replicas);
  const going = goingNow(draft);
  const creates = createsAhead(draft);
  const perWave = Math.max(1, limits.maxUnavailable + limits.maxSurge);
  const laterWaves = Math.ceil(later.length / perWave);
  const waves =
    laterWaves +
    (going.length + draft.created.length > 0 || (creates > 0 && laterWaves === 0) ? 1 : 0);
  const minReady = creates > 0 ? (spec?.rollout.minReadySeconds ?? 0) : 0;
  return {
    actions:
      planned +
      removalsAhead(draft) +
      later.reduce((sum, worker) => sum + callsToRetire(draft, worker), 0) +
      (creates - draft.created.length) * CALLS_TO_CREATE,
    waves,
    worstCaseSeconds:
      waves * (longestEnd(draft, [...going, ...later]) + minReady) + secondsOfBackOff(draft),
    plusStartUp: creates > 0,
    obstacle: obstacle(draft),
  };
}

/** Workers that this pass has set, or an earlier one had, on their way out and that still run. */
function goingNow(draft: Draft): readonly Worker[] {
  return draft.scene.workers.filter(
    (worker) =>
      worker.facts.run.kind === "running" &&
      (worker.phase !== undefined || draft.isLeaving(worker)),
  );
}

/** Each of them still has to be removed by a later pass. */
function removalsAhead(draft: Draft): number {
  return goingNow(draft).length;
}

/** Workers to be made until every slot has one of the desired revision, this pass's included. */
function createsAhead(draft: Draft): number {
  const { replicas } = draft.scene.limits;
  const kept = draft
    .staying()
    .filter((worker) => isCurrent(worker) && worker.labels.slot <= replicas);
  const slots = new Set(kept.map((worker) => worker.labels.slot));
  return Math.max(0, replicas - slots.size);
}

function callsToRetire({ scene }: Draft, worker: Worker): number {
  const { run, restartPolicy } = worker.facts;
  if (run.kind !== "running") return 1;
  const drain = drainOf(scene, worker);
  const toDrain = [drain, drain?.quiet, drain?.waitFor].filter((each) => each !== undefined);
  return CALLS_TO_RETIRE + (restartPolicy === "no" ? 0 : 1) + toDrain.length;
}

/** Seconds until the slowest of them has ended: its drain, and its grace. */
function longestEnd({ scene }: Draft, workers: readonly Worker[]): number {
  const seconds = workers.map((worker) => {
    const draining = drainOf(scene, worker)?.waitFor?.timeoutSeconds ?? 0;
    return draining + graceSeconds(scene, worker);
  });
  return Math.max(0, ...seconds);
}

/** What is left of the wait for a worker that failed. */
function secondsOfBackOff(draft: Draft): number {
  const isWaiting = draft
    .staying()
    .some(({ state }) => state === "Exited" || state === "StartFailed");
  if (!isWaiting || draft.dueAt === undefined) return 0;
  return Math.max(0, Math.ceil((draft.dueAt - draft.scene.now) / 1000));
}

/** The first thing in the way that neither time nor this run removes. */
function obstacle({ blocks }: Draft): string | undefined {
  return blocks.find(({ code }) => OBSTACLES.has(code))?.message;
}

const OBSTACLES: ReadonlySet<Block["code"]> = new Set([
  "RevisionFailed",
  "RolledBack",
  "WorkerPaused",
  "ImageMissing",
  "NetworkMissing",
  "InsufficientCapacity",
  "NameConflict",
]);
