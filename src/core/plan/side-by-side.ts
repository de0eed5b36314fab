// Who may not run beside whom: with Recreate no two revisions, and without surge no two workers in a slot.

import { isAlive } from "../assess.ts";
import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";

/** Recreate: all workers of other revisions are gone before the first of this one is made or started. */
export function mustWaitForOthers(
  draft: Draft,
  revision: string,
  isOfIt: (worker: Worker) => boolean,
): boolean {
  const { uncertain } = draft.scene;
  if (!isRecreated(draft)) return false;
  return (
    draft.remaining().some((worker) => !isOfIt(worker)) ||
    uncertain.some((create) => create.revision !== revision)
  );
}

export function isRecreated({ scene }: Draft): boolean {
  return scene.spec?.rollout.strategy === "Recreate";
}

/** Without surge one that is not running waits for who runs in its slot. */
export function mustWaitForSlot(draft: Draft, worker: Worker): boolean {
  if (draft.scene.limits.maxSurge > 0) return false;
  const { slot } = worker.labels;
  return draft
    .remaining()
    .some((other) => other !== worker && other.labels.slot === slot && isAlive(other));
}
