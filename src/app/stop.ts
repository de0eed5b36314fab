// Asking a worker to stop, so that its name tells since when: grace counts from there, whoever goes on with it.
// Decides nothing about workers.

import { WgctlError } from "../core/errors.ts";
import { phaseName, plainName, readPhase } from "../core/names.ts";
import type { WorkerFacts } from "../core/observed.ts";
import type { Phase } from "../core/worker.ts";
import type { Engine } from "../engine/engine.ts";

/** The clock comes to the second, so less than this may be no time at all. The planner waits for so much longer. */
const LATE_MS = 1_000;
/** A call that takes longer may have brought its signal later than the name allows for. */
const SLOW_CALL_MS = 100;

/** A worker as it was seen at that moment of the engine's clock (ms). */
export type Seen = { readonly now: number; readonly facts: WorkerFacts };

/** Writes the phase and the moment it begins, by the engine's clock, into the name; `none`: the name without any. */
export async function enterPhase(
  { facts, now }: Seen,
  phase: Phase["kind"] | "none",
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  const own = plainName(facts.name);
  const name = phase === "none" ? own : phaseName(own, phase, now);
  await engine.renameWorker(facts.id, name, signal);
}

/** The phases whose time counts from the stop signal, and the one whose time counts from being told to be quiet. */
export const STOPS: readonly Phase["kind"][] = ["stopping", "kept", "failed"];
export const DRAINS: readonly Phase["kind"][] = ["draining"];

/**
 * A worker can be told long after the name was written, by a slow engine or by a later run: then a name of one of
 * these phases is written anew, so that nobody loses time.
 */
export async function renewPhase(
  seen: Seen,
  phases: readonly Phase["kind"][],
  engine: Engine,
  signal: AbortSignal,
): Promise<void> {
  const { name } = seen.facts;
  const read = readPhase(name, plainName(name));
  const phase = read.kind === "own" ? read.phase : undefined;
  if (phase === undefined || !phases.includes(phase.kind)) return;
  if (seen.now - phase.since > LATE_MS) await enterPhase(seen, phase.kind, engine, signal);
}

/**
 * Sends a stop signal. A call that took long, because the engine is slow or this process was suspended, may have
 * brought it only just now: then the name is written anew. Throws what the call throws.
 */
export async function sendStop(
  id: string,
  name: string,
  { engine, ticks }: { readonly engine: Engine; readonly ticks: () => number },
  signal: AbortSignal,
): Promise<void> {
  const asked = ticks();
  try {
    await engine.signalWorker(id, name, signal);
  } finally {
    if (ticks() - asked > SLOW_CALL_MS) await beginAnew(id, engine, signal);
  }
}

/** Whoever has ended by now needs no new name, and an engine that does not answer cannot give one. */
async function beginAnew(id: string, engine: Engine, signal: AbortSignal): Promise<void> {
  try {
    const seen = await engine.inspectWorker(id, signal);
    if (seen?.facts.run.kind === "running") await renewPhase(seen, STOPS, engine, signal);
  } catch (error) {
    if (!(error instanceof WgctlError)) throw error;
  }
}
