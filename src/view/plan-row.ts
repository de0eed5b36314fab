// One row of a plan as a person sees it: a worker, what becomes of it, why and when.

import { isCurrent } from "../core/plan/rank.ts";
import type { Action, GroupPlan, Reason } from "../core/plan/types.ts";

/** What becomes of a worker, or what is done to it. */
export type Verb =
  | "pull"
  | "create"
  | "start"
  /** A kept worker comes back. */
  | "return"
  | "replace"
  /** In place, without a restart. */
  | "update"
  | "arm"
  /** It failed its revision, and is left for inspection. */
  | "set-aside"
  | "remove"
  /** Nothing but a question to it. */
  | "ask";

/** `now` in this pass; `deferred` by the budget; `later` in a wave to come; `stopping` goes on by itself. */
export type Timing = "now" | "deferred" | "later" | "stopping";

export type PlanRow = {
  readonly verb: Verb;
  /** The worker as it is called without its phase, or the image to pull. */
  readonly name: string;
  readonly slot: number;
  readonly reason: Reason;
  readonly detail: string;
  readonly paths: readonly string[];
  readonly timing: Timing;
  /** It is stopped and not removed, so that it can return. */
  readonly isKept?: boolean;
  /** The engine calls behind it, none where they come later. */
  readonly calls: readonly Action[];
};

/** Whether the slot of a worker that goes for this reason gets, or has, another one. */
export function isReplaced(group: GroupPlan, slot: number, reason: Reason): boolean {
  if (group.leaving !== undefined || slot > group.counts.desired) return false;
  if (reason !== "leaving") return !GOES_FOR_GOOD.has(reason);
  return !group.workers.some(
    (worker) => worker.labels.slot === slot && worker.phase === undefined && isCurrent(worker),
  );
}

const GOES_FOR_GOOD: ReadonlySet<Reason> = new Set([
  "scale-down",
  "over-surge",
  "duplicate",
  "failed",
  "completed",
  "deleted",
  "pruned",
]);
