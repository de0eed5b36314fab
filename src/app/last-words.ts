// What a worker wrote before it was set aside as failed. Tells it and decides nothing by it.

import { WgctlError } from "../core/errors.ts";
import { plainName } from "../core/names.ts";
import type { Action, Target } from "../core/plan/types.ts";
import type { EngineReader } from "../engine/engine.ts";
import type { Ended } from "./execute.ts";
import type { Reporter } from "./reporter.ts";

const LINES = 20;

type SetAside = Action & { readonly kind: "rename" };

/** Tells the last lines of each worker that a pass has set aside. Throws `aborted` alone. */
export async function tellLastWords(
  ended: readonly Ended[],
  { reader, reporter }: { readonly reader: EngineReader; readonly reporter: Reporter },
  signal: AbortSignal,
): Promise<void> {
  const failed = ended.flatMap(({ action, outcome }) =>
    outcome.kind === "done" && isSetAside(action) ? [action] : [],
  );
  for (const { target, group, detail } of failed) {
    const lines = await lastLines(target, reader, signal);
    reporter.notify({
      ...{ kind: "failed-worker", group, name: plainName(target.name), because: detail, lines },
    });
  }
}

function isSetAside(action: Action): action is SetAside {
  return action.kind === "rename" && action.phase === "failed";
}

/** What it said is of help and no more: a log that cannot be read now must not end a run. */
async function lastLines(
  { id }: Target,
  reader: EngineReader,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await reader.readLogs(id, LINES, signal);
  } catch (error) {
    if (!(error instanceof WgctlError) || error.code === "aborted") throw error;
    return [];
  }
}
