// What is run or asked inside a worker that goes on running: telling it to take no new work, and questions to it.
// Decides nothing by the answers.

import { hasCode } from "../core/errors.ts";
import type { Quiet } from "../core/model.ts";
import type { Action } from "../core/plan/types.ts";
import type { Engine } from "../engine/engine.ts";
import type { ActionOutcome } from "./reporter.ts";
import type { Seen } from "./stop.ts";

/** What a shell and the engine answer for a program that cannot be run, or is not there. */
const CANNOT_RUN = [126, 127];

/**
 * Tells a worker to take no new work. Done once it has been told, whatever its command made of that: a worker that
 * cannot be quieted is drained all the same. Throws what the call throws.
 */
export async function tellQuiet(
  id: string,
  quiet: Quiet,
  engine: Engine,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  if (quiet.kind === "signal") {
    await engine.signalWorker(id, quiet.signal, signal);
    return { kind: "done" };
  }
  const answer = await run(id, quiet.exec, engine, signal);
  return answer.code === 0 ? { kind: "done" } : { kind: "done", words: answer.words };
}

/** Asks a worker by a command; only exit code 0 is a yes. Throws where the engine does not say. */
export async function askWorker(
  { asks, exec }: Action & { readonly kind: "probe" },
  { facts, now }: Seen,
  engine: Engine,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { code, words } = await run(facts.id, exec, engine, signal);
  const probe = { name: facts.name, asks, isTrue: code === 0, at: now };
  const isAnswer = code !== undefined && !CANNOT_RUN.includes(code);
  return isAnswer ? { kind: "done", probe } : { kind: "done", probe, words };
}

/** Its exit code, and what is to be said of one that is not 0; no code: it did not end in time. */
async function run(
  id: string,
  argv: readonly string[],
  engine: Engine,
  signal: AbortSignal,
): Promise<{ readonly code: number | undefined; readonly words: string }> {
  try {
    const code = await engine.execInWorker(id, argv, signal);
    const words = CANNOT_RUN.includes(code)
      ? `${argv[0]} cannot be run in it (exit code ${code})`
      : `${argv[0]} ended with exit code ${code}`;
    return { code, words };
  } catch (error) {
    if (!hasCode(error, "engine-timeout")) throw error;
    return { code: undefined, words: error.message };
  }
}
