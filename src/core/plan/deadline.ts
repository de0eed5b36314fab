// By when a started worker has to be ready. Decides nothing about one that is not.

import type { Worker } from "../worker.ts";
import type { Scene } from "./scene.ts";

/** Engine time (ms) by which a started worker has to be ready; undefined: it is not running. */
export function healthyDeadline({ spec }: Scene, { facts: { run } }: Worker): number | undefined {
  const seconds = spec?.rollout.healthyDeadlineSeconds;
  if (run.kind !== "running" || seconds === undefined) return undefined;
  return run.startedAt + seconds * 1000;
}

/** Whether the time is over in which it had to become ready. */
export function isOverdue(scene: Scene, worker: Worker): boolean {
  const deadline = healthyDeadline(scene, worker);
  return deadline !== undefined && scene.now >= deadline;
}

/** A plan that is being made, as far as times go. */
type Agenda = { readonly scene: Scene; due(at: number): void };

/** The same, and where there is still time the plan notes the end of it. */
export function isOverdueNow(draft: Agenda, worker: Worker): boolean {
  const deadline = healthyDeadline(draft.scene, worker);
  if (deadline === undefined) return false;
  if (draft.scene.now < deadline) draft.due(deadline);
  return draft.scene.now >= deadline;
}
