// How a worker goes: each call of this file is the next step on its way out, whatever step it is at.
// It knows the order of the calls, never whether a worker should go.

import { isAdopted } from "../adoption.ts";
import type { Worker } from "../worker.ts";
import { type Draft, target } from "./draft.ts";
import { type Drain, drainOf, graceSeconds, isDrained } from "./drain.ts";
import type { Action, ActionCall } from "./types.ts";
import type { Why } from "./why.ts";

/** What becomes of a worker once it has ended: gone, kept for return, or kept for inspection. */
export type Destination = "remove" | "kept" | "failed";

const PHASES = { remove: "stopping", kept: "kept", failed: "failed" } as const;
const DEFAULT_STOP_SIGNAL = "SIGTERM";
/** A name tells the second, rounded down, and is not written anew where the signal comes up to a second after that. */
const NAME_LATE_MS = 2_000;
/** Between two questions whether a worker is drained. */
const PROBE_EVERY_MS = 2_000;

type Step = {
  readonly draft: Draft;
  readonly worker: Worker;
  readonly why: Why;
  readonly destination: Destination;
  readonly lane: Action[];
};

/** The next step on a worker's way out. Returns false where it may not be touched. */
export function leave(
  draft: Draft,
  worker: Worker,
  why: Why,
  destination: Destination = "remove",
): boolean {
  const lane = worker.phase === undefined ? draft.retirements : draft.urgent;
  const step: Step = { draft, worker, why, destination, lane };
  switch (worker.facts.run.kind) {
    case "paused":
      draft.block({
        code: "WorkerPaused",
        message: `${worker.labels.name} is paused by someone and would have to go; unpause or remove it`,
      });
      return false;
    case "removing":
      return true;
    case "created":
    case "exited":
    case "dead":
      putAway(step);
      return true;
    case "restarting":
      stopRestarting(step);
      return true;
    case "running":
      stopRunning(step);
      return true;
  }
}

/** It has no process: it goes at once, or is called what it is kept as. A container that never ran is worth nothing. */
function putAway({ draft, worker, why, destination }: Step): void {
  const { kind } = worker.facts.run;
  const isWorthKeeping = kind === "exited" || (kind === "created" && destination === "failed");
  if (destination === "remove" || !isWorthKeeping) {
    const kept = isAdopted(worker) ? ({ keepsVolumes: true } as const) : {};
    const call: ActionCall = { kind: "remove", target: target(worker), ...kept };
    draft.markFreed(worker, draft.push(draft.urgent, worker, why, call));
    return;
  }
  const disarm = pushDisarm({ draft, worker, why, destination, lane: draft.urgent });
  if (worker.phase?.kind === destination) return;
  const call: ActionCall = { kind: "rename", target: target(worker), phase: destination };
  draft.markFreed(worker, draft.push(draft.urgent, worker, why, call, disarm));
}

/** A restarting container cannot be renamed; disarmed and signalled it ends at once. */
function stopRestarting(step: Step): void {
  step.draft.markLeaving(step.worker);
  pushSignal(step, pushDisarm(step));
}

function stopRunning(step: Step): void {
  const { draft, worker, destination } = step;
  draft.markLeaving(worker);
  const disarm = pushDisarm(step);
  const drain = destination === "failed" ? undefined : drainOf(draft.scene, worker);
  if (drain !== undefined && isDraining(step, drain)) {
    goOnDraining(step, drain, disarm);
    return;
  }
  const asked = askedAt(worker);
  if (asked !== undefined && worker.signalled) {
    killWhenDue(step, asked + graceSeconds(draft.scene, worker) * 1000);
    return;
  }
  // A name that has waited for its signal is written anew with it, not here: a small budget would never get past that.
  // One that is not to be inspected after all must not look as if it had failed only now.
  const isForgiven = worker.phase?.kind === "failed" && destination === "remove";
  const isNamed = asked !== undefined && !isForgiven;
  pushSignal(step, isNamed ? disarm : pushRename(step, PHASES[destination], disarm));
}

/** When the phase began in which its stop signal is sent; undefined: it is not in one yet. */
function askedAt({ phase }: Worker): number | undefined {
  return phase === undefined || phase.kind === "draining" ? undefined : phase.since;
}

function isDraining({ draft, worker }: Step, drain: Drain): boolean {
  if (worker.phase === undefined) return true;
  return worker.phase.kind === "draining" && !isDrained(draft.scene, worker, worker.phase, drain);
}

/** Into the phase, quiet, and then the question again and again until its time is over. */
function goOnDraining(step: Step, drain: Drain, disarm: readonly string[]): void {
  const { draft, worker, why, lane } = step;
  const isNew = worker.phase === undefined;
  const named = isNew ? pushRename(step, "draining", disarm) : disarm;
  if (drain.quiet !== undefined && !worker.signalled) {
    draft.push(
      lane,
      worker,
      why,
      { kind: "quiet", target: target(worker), by: drain.quiet },
      named,
    );
    return;
  }
  if (worker.phase !== undefined && drain.waitFor !== undefined) {
    askWhenDue(step, drain.waitFor, worker.phase.since);
  }
}

function askWhenDue(step: Step, waitFor: NonNullable<Drain["waitFor"]>, since: number): void {
  const { draft, worker, why, lane } = step;
  const { now, snapshot } = draft.scene;
  draft.due(since + waitFor.timeoutSeconds * 1000);
  const asked = snapshot.probes[worker.facts.id];
  const at = asked?.name === worker.facts.name ? asked.at + PROBE_EVERY_MS : now;
  if (now < at) draft.due(at);
  else {
    const { exec } = waitFor;
    draft.push(lane, worker, why, { kind: "probe", target: target(worker), asks: "drained", exec });
  }
}

function pushRename(
  { draft, worker, why, lane }: Step,
  phase: (typeof PHASES)[Destination] | "draining",
  needs: readonly string[],
): readonly string[] {
  const call: ActionCall = { kind: "rename", target: target(worker), phase };
  return [draft.push(lane, worker, why, call, needs).id];
}

function killWhenDue({ draft, worker, why }: Step, end: number): void {
  const at = end + NAME_LATE_MS;
  if (draft.scene.now < at) draft.due(at);
  else draft.push(draft.urgent, worker, why, { kind: "kill", target: target(worker) });
}

function pushDisarm({ draft, worker, why, lane }: Step): readonly string[] {
  if (worker.facts.restartPolicy === "no") return [];
  return [draft.push(lane, worker, why, { kind: "disarm", target: target(worker) }).id];
}

function pushSignal({ draft, worker, why, lane }: Step, needs: readonly string[]): void {
  const signal = worker.facts.stopSignal ?? DEFAULT_STOP_SIGNAL;
  draft.push(lane, worker, why, { kind: "signal", target: target(worker), signal }, needs);
}
