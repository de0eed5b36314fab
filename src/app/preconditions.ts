// What must still hold right before a call. A plan is a moment old; where the world has moved, it decides again.

import { startOf } from "../core/assess.ts";
import { plainName } from "../core/names.ts";
import type { RunFacts, WorkerFacts } from "../core/observed.ts";
import type { Action, Target } from "../core/plan/types.ts";

/** Whether a call may be made, need not be, or must not be. */
export type Verdict =
  | { readonly kind: "go" }
  | { readonly kind: "already-done" }
  | { readonly kind: "moved"; readonly because: string };

type Existing = Exclude<Action, { readonly kind: "pull-image" | "create" }> & {
  readonly target: Target;
};
type Kinds = readonly RunFacts["kind"][];

const ALIVE: Kinds = ["running", "restarting"];
const AT_REST: Kinds = ["created", "exited"];

/** Checks an action on an existing container against what it is now; undefined: it is gone. */
export function check(action: Existing, facts: WorkerFacts | undefined): Verdict {
  if (facts === undefined) return action.kind === "remove" ? DONE : moved("it is gone");
  const { target } = action;
  switch (action.kind) {
    case "start":
      return facts.run.kind === "running" ? DONE : checkSame(target, facts, AT_REST);
    case "rename":
      return isNamed(action, facts) ? DONE : checkSame(target, facts, [...ALIVE, ...AT_REST]);
    case "arm":
    case "disarm":
      return checkSame(target, facts, [...ALIVE, ...AT_REST]);
    case "quiet":
    case "probe":
      return checkSame(target, facts, ["running"]);
    case "update-in-place":
      return [...ALIVE, ...AT_REST, "paused"].includes(facts.run.kind) ? GO : itIs(facts);
    case "remove":
      return [...ALIVE, "paused"].includes(facts.run.kind) ? itIs(facts) : GO;
    case "signal":
    case "kill":
      return checkSame(target, facts, ALIVE);
  }
}

/** It has its own name back already: once more is refused. */
function isNamed({ phase }: Action & { readonly kind: "rename" }, { name }: WorkerFacts): boolean {
  return phase === "none" && name === plainName(name);
}

/** Still the same process, or its same end, so the reason for the call still stands. */
function checkSame(target: Target, facts: WorkerFacts, kinds: Kinds): Verdict {
  const { kind } = facts.run;
  const wasAlive = ALIVE.includes(target.run);
  const isAsPlanned = wasAlive ? ALIVE.includes(kind) : kind === target.run;
  if (!isAsPlanned || !kinds.includes(kind)) return itIs(facts);
  return startOf(facts) === target.startedAt ? GO : moved("it has been started again");
}

const GO: Verdict = { kind: "go" };
const DONE: Verdict = { kind: "already-done" };

function itIs({ run }: WorkerFacts): Verdict {
  return moved(`it is ${run.kind}`);
}

function moved(because: string): Verdict {
  return { kind: "moved", because };
}
