// What must still hold right before a call. A plan is a moment old; where the world has moved, it decides again.

import { startOf } from "../core/assess.ts";
import type { RunFacts, WorkerFacts } from "../core/observed.ts";
import type { Action, Target } from "../core/plan/types.ts";

/** Whether a call may be made, need not be, or must not be. */
export type Verdict =
  | { readonly kind: "go" }
  | { readonly kind: "already-done" }
  | { readonly kind: "moved"; readonly because: string };

type Existing = Action & { readonly target: Target };

const ALIVE: readonly RunFacts["kind"][] = ["running", "restarting"];

/** Checks an action on an existing container against what it is now; undefined: it is gone. */
export function check(action: Existing, facts: WorkerFacts | undefined): Verdict {
  if (facts === undefined) return action.kind === "remove" ? DONE : moved("it is gone");
  switch (action.kind) {
    case "start":
      if (facts.run.kind === "running") return DONE;
      return facts.run.kind === "created" ? GO : moved(`it is ${facts.run.kind}`);
    case "remove":
      return ALIVE.includes(facts.run.kind) || facts.run.kind === "paused"
        ? moved(`it is ${facts.run.kind}`)
        : GO;
    default:
      return checkAlive(action.target, facts);
  }
}

/** The same process still runs, so the reason to stop it still stands. */
function checkAlive(target: Target, facts: WorkerFacts): Verdict {
  if (!ALIVE.includes(facts.run.kind)) return moved(`it is ${facts.run.kind}`);
  return startOf(facts) === target.startedAt ? GO : moved("it has been started again");
}

const GO: Verdict = { kind: "go" };
const DONE: Verdict = { kind: "already-done" };

function moved(because: string): Verdict {
  return { kind: "moved", because };
}
