// Asking a worker to stop, so that its name tells since when: grace counts from there, whoever goes on with it.
// Decides nothing about workers.

import { WgctlError } from "../core/errors.ts";
import { phaseName, plainName, readPhase } from "../core/names.ts";
import type { WorkerFacts } from "../core/observed.ts";
import type { Phase } from "../core/worker.ts";
import type { Engine } from "../engine/engine.ts";

/** The clock comes to the second, so less than this may be no time at all. */
const LATE_MS = 1_000;

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

/** On a slow engine the signal can come long after the name was written: then it is written anew. */
export async function renewPhase(seen: Seen, engine: Engine, signal: AbortSignal): Promise<void> {
  const phase = phaseOfStop(seen.facts);
  if (phase === undefined || seen.now - phase.since <= LATE_MS) return;
  await enterPhase(seen, phase.kind, engine, signal);
}

/** The phase whose time counts from the stop signal; draining counts from its own beginning. */
function phaseOfStop({ name }: WorkerFacts): Phase | undefined {
  const read = readPhase(name, plainName(name));
  const phase = read.kind === "own" ? read.phase : undefined;
  return phase?.kind === "draining" ? undefined : phase;
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
    if (ticks() - asked > LATE_MS) await beginAnew(id, engine, signal);
  }
}

/** Whoever has ended by now needs no new name, and an engine that does not answer cannot give one. */
async function beginAnew(id: string, engine: Engine, signal: AbortSignal): Promise<void> {
  try {
    const seen = await engine.inspectWorker(id, signal);
    if (seen?.facts.run.kind === "running") await renewPhase(seen, engine, signal);
  } catch (error) {
    if (!(error instanceof WgctlError)) throw error;
  }
}
