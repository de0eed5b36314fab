// Goes on with what an earlier pass began: workers on their way out, and remains that the engine left.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import type { Reason } from "./types.ts";
import { because, type Why, whyOld } from "./why.ts";

/** Everything goes: the group is being deleted, or nobody declares it any more. */
export function depart(draft: Draft, reason: Reason & ("deleted" | "pruned")): void {
  const detail = reason === "deleted" ? "deletionTimestamp is set" : "no manifest declares it";
  for (const worker of draft.scene.workers) draft.leave(worker, because(reason, detail));
}

/** The next step for every worker that is on its way out. */
export function finishLeaving(draft: Draft): void {
  for (const worker of draft.scene.workers) {
    if (worker.phase !== undefined || worker.state === "Dead") {
      draft.leave(worker, whyGone(worker, draft.scene.limits.replicas));
    }
  }
}

function whyGone(worker: Worker, replicas: number): Why {
  if (worker.state === "Dead") return because("leaving", "the engine left its remains");
  const { slot } = worker.labels;
  if (slot > replicas) return because("scale-down", `slot ${slot} of ${replicas}`);
  return isCurrent(worker) ? because("leaving", "it was asked to stop") : whyOld(worker);
}
