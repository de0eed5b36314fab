// Makes sure that a state folder and an engine belong together, as cheaply as the facts allow.

import type { Plan } from "../core/plan/types.ts";
import type { StatusDocument } from "../core/status-types.ts";
import type { EngineReader } from "../engine/engine.ts";
import { checkEngine } from "../store/status-file.ts";

/**
 * The id of the engine that a plan was made on; `state-unusable` where what is remembered is of another one.
 * A remembered worker that is there proves the engine, and spares a run without work its dearest call.
 */
export async function engineId(
  reader: EngineReader,
  memory: StatusDocument | undefined,
  plan: Plan,
  signal: AbortSignal,
): Promise<string> {
  if (memory !== undefined && hasRememberedWorker(memory, plan)) return memory.engine.id;
  const { id } = await reader.identify(signal);
  if (memory !== undefined) checkEngine(memory, id);
  return id;
}

function hasRememberedWorker(memory: StatusDocument, plan: Plan): boolean {
  const remembered = new Set(memory.groups.flatMap((group) => group.workers.map(({ id }) => id)));
  return plan.groups.some((group) => group.workers.some(({ facts }) => remembered.has(facts.id)));
}
