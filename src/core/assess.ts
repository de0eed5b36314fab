// Judges one container: whose it is, and what state a worker is in. Decides nothing about it.

import { decodeLabels } from "./labels.ts";
import type { ExitAction, ExitPolicy } from "./model.ts";
import { readPhase } from "./names.ts";
import type { RunFacts, WorkerFacts } from "./observed.ts";
import { readySince } from "./ready.ts";
import { AS_DESIRED, type Comparison } from "./revision.ts";
import type { WorkerRecord } from "./status-types.ts";
import { fromIso } from "./time.ts";
import type { Phase, Worker, WorkerState } from "./worker.ts";

/** What a worker is measured against. `compare` is undefined where its group is not, or not readably, declared. */
export type Yardstick = {
  readonly compare: Comparison | undefined;
  readonly minReadySeconds: number;
  readonly onExit: ExitPolicy | undefined;
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
  return { kind: "worker", worker: judge({ facts, labels, phase: own.phase }, yardstick, record) };
}

/** Judges a container that somebody else made: like one of ours of an earlier revision, whatever it was made from. */
export function assessAdopted(
  { facts, labels }: Pick<Worker, "facts" | "labels">,
  yardstick: Yardstick,
  record: WorkerRecord | undefined,
): Worker {
  const own = readPhase(facts.name, labels.name);
  const phase = own.kind === "own" ? own.phase : undefined;
  const worker = judge({ facts, labels, phase }, yardstick, record);
  return { ...worker, differences: [{ kind: "adopted" }, ...worker.differences] };
}

function judge(
  { facts, labels, phase }: Pick<Worker, "facts" | "labels" | "phase">,
  yardstick: Yardstick,
  record: WorkerRecord | undefined,
): Worker {
  const remembered = sameProcess(facts, record);
  const since = readySince(facts, fromRecord(remembered?.readySince));
  const state = stateOf(facts, phase, since, yardstick);
  const wasAvailable = state === "Available" || (remembered?.wasAvailable ?? false);
  const { differences, limitsToSet } = yardstick.compare?.(facts, labels) ?? AS_DESIRED;
  // A record of what was sent or answered speaks of the phase it saw, and so of the name.
  const inPhase = remembered?.name === facts.name ? remembered : undefined;
  return {
    facts,
    labels,
    phase,
    state,
    readySince: since,
    wasAvailable,
    isProven: wasAvailable || wasProven(phase, record),
    differences,
    limitsToSet,
    signalled: inPhase?.signalled ?? false,
    isDrained: inPhase?.isDrained ?? false,
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

/** Restarts by the engine change nothing about it; a worker that comes back from being kept is started by wgctl. */
function wasProven(phase: Phase | undefined, record: WorkerRecord | undefined): boolean {
  const isBack = record?.state === "Kept" && phase?.kind !== "kept";
  return record?.isProven === true && !isBack;
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

function stateOf(
  facts: WorkerFacts,
  phase: Phase | undefined,
  since: number | undefined,
  yardstick: Yardstick,
): WorkerState {
  const { run } = facts;
  if (run.kind === "removing") return "Removing";
  if (run.kind === "dead") return "Dead";
  if (run.kind === "paused") return "Paused";
  if (phase !== undefined) return phaseState(phase, run.kind);
  switch (run.kind) {
    case "created":
      return run.error === undefined ? "Created" : "StartFailed";
    case "exited":
      return exitAction(run, yardstick.onExit) === "Leave" ? "Completed" : "Exited";
    case "restarting":
      return "CrashLooping";
    case "running":
      return runningState(run.health?.status, isAvailable(since, yardstick), facts.restartCount);
  }
}

/** What is kept for return or inspection and has a process is on its way there, or back. */
function phaseState({ kind }: Phase, run: RunFacts["kind"]): WorkerState {
  const isAlive = run === "running" || run === "restarting";
  return isAlive && kind !== "draining" ? "Stopping" : PHASE_STATES[kind];
}

/** Whether an exit was one that nobody has to look at. */
export function succeeded({
  exitCode,
  oomKilled,
}: RunFacts & { readonly kind: "exited" }): boolean {
  return exitCode === 0 && !oomKilled;
}

/** What the manifest says of an exit: a fresh container unless it says otherwise. */
export function exitAction(
  run: RunFacts & { readonly kind: "exited" },
  onExit: ExitPolicy | undefined,
): ExitAction {
  return (succeeded(run) ? onExit?.success : onExit?.failure) ?? "Recreate";
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
      return false;
    default:
      return true;
  }
}

/** Whether it is under removal, or what a failed removal left. */
export function isRemains({ state }: Worker): boolean {
  return state === "Removing" || state === "Dead";
}

/** Whether it has a process, running, restarting or paused. */
export function isAlive({ facts }: Worker): boolean {
  const { kind } = facts.run;
  return kind === "running" || kind === "restarting" || kind === "paused";
}

/** Whether a kept worker was started again, and ended before it had its own name back. */
export function hasEndedOnReturn({ facts: { run }, phase }: Worker): boolean {
  if (phase?.kind !== "kept" || run.kind !== "exited") return false;
  // Names come to the second: one that had just been started when it was asked to go has not come back.
  return Math.floor(run.startedAt / 1000) * 1000 > phase.since;
}
