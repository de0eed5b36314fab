// Judges one container: whose it is, and what state a worker is in. Decides nothing about it.

import { decodeLabels } from "./labels.ts";
import { readPhase } from "./names.ts";
import type { WorkerFacts } from "./observed.ts";
import { readySince } from "./ready.ts";
import type { Comparison } from "./revision.ts";
import type { WorkerRecord } from "./status-types.ts";
import { fromIso } from "./time.ts";
import type { Phase, Worker, WorkerState } from "./worker.ts";

/** What a worker is measured against. `compare` is undefined where its group is not, or not readably, declared. */
export type Yardstick = {
  readonly compare: Comparison | undefined;
  readonly minReadySeconds: number;
  readonly now: number;
};

/** A container under our labels that is not ours after all. */
export type Foreign = { readonly id: string; readonly name: string; readonly because: string };

export type Assessment =
  | { readonly kind: "worker"; readonly worker: Worker }
  | { readonly kind: "foreign"; readonly foreign: Foreign };

/** Judges one container by its labels, name and facts; `record` is what the status file says of the same id. */
export function assess(
  facts: WorkerFacts,
  yardstick: Yardstick,
  record: WorkerRecord | undefined,
): Assessment {
  const labels = decodeLabels(facts.labels);
  if (labels === undefined) return foreign(facts, "its labels are incomplete");
  const own = readPhase(facts.name, labels.name);
  if (own.kind === "copied") {
    return foreign(facts, `its labels were copied from ${labels.name}`);
  }
  const remembered = sameProcess(facts, record);
  const since = readySince(facts, fromRecord(remembered?.readySince));
  const state = stateOf(facts, own.phase, isAvailable(since, yardstick));
  return {
    kind: "worker",
    worker: {
      facts,
      labels,
      phase: own.phase,
      state,
      readySince: since,
      wasAvailable: state === "Available" || (remembered?.wasAvailable ?? false),
      differences: yardstick.compare?.(facts, labels) ?? [],
      signalled: remembered?.signalled ?? false,
    },
  };
}

function foreign(facts: WorkerFacts, because: string): Assessment {
  return { kind: "foreign", foreign: { id: facts.id, name: facts.name, because } };
}

/** A record speaks only of the process it saw: a restart makes it a stranger's. */
function sameProcess(
  facts: WorkerFacts,
  record: WorkerRecord | undefined,
): WorkerRecord | undefined {
  const startedAt = startOf(facts);
  const isSame = startedAt !== undefined && fromRecord(record?.startedAt) === startedAt;
  return isSame ? record : undefined;
}

function fromRecord(time: string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : fromIso(time);
}

/** Engine time (ms) at which the current or last process started; undefined: none ever did. */
export function startOf({ run }: WorkerFacts): number | undefined {
  return "startedAt" in run ? run.startedAt : undefined;
}

function isAvailable(since: number | undefined, { minReadySeconds, now }: Yardstick): boolean {
  if (since === undefined) return false;
  // The engine's clock comes to the second, so a worker just started can seem to start in the future.
  return minReadySeconds === 0 || now - since >= minReadySeconds * 1000;
}

const PHASE_STATES = {
  draining: "Draining",
  stopping: "Stopping",
  kept: "Kept",
  failed: "Failed",
} as const satisfies Record<Phase["kind"], WorkerState>;

function stateOf(facts: WorkerFacts, phase: Phase | undefined, available: boolean): WorkerState {
  const { run } = facts;
  if (run.kind === "removing") return "Removing";
  if (run.kind === "dead") return "Dead";
  if (run.kind === "paused") return "Paused";
  if (phase !== undefined) return PHASE_STATES[phase.kind];
  switch (run.kind) {
    case "created":
      return run.error === undefined ? "Created" : "StartFailed";
    case "exited":
      return "Exited";
    case "restarting":
      return "CrashLooping";
    case "running":
      return runningState(run.health?.status, available, facts.restartCount);
  }
}

function runningState(
  health: "starting" | "healthy" | "unhealthy" | undefined,
  available: boolean,
  restarts: number,
): WorkerState {
  if (available) return "Available";
  if (health === "unhealthy") return "Unhealthy";
  if (restarts > 0) return "CrashLooping";
  return health === "starting" ? "Starting" : "Ready";
}

/** Whether it counts against `replicas + maxSurge`: its memory, ports and name are real. */
export function exists(worker: Worker): boolean {
  switch (worker.state) {
    case "Removing":
    case "Dead":
      return false;
    case "Kept":
    case "Failed":
      return isAlive(worker);
    default:
      return true;
  }
}

/** Whether it has a process, running, restarting or paused. */
export function isAlive({ facts }: Worker): boolean {
  const { kind } = facts.run;
  return kind === "running" || kind === "restarting" || kind === "paused";
}
