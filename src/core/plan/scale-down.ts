// Takes away what is above the desired count, worst first, and never an available worker that is still needed.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { retire } from "./keep.ts";
import { worseFirst } from "./rank.ts";
import { because } from "./why.ts";

export function scaleDown(draft: Draft): void {
  const { replicas, maxSurge } = draft.scene.limits;
  for (const worker of ranked(draft, (each) => each.labels.slot > replicas)) {
    const detail = `slot ${worker.labels.slot} of ${replicas}, ${worker.state}`;
    if (draft.canSpare(worker)) retire(draft, worker, because("scale-down", detail));
  }
  // Slots above the count that have to wait are no reason to take one that is wanted.
  const inRange = (each: Worker) => each.labels.slot <= replicas;
  for (const worker of ranked(draft, inRange)) {
    const present = ranked(draft, inRange).length;
    if (present <= replicas + maxSurge) return;
    const detail = `${present} exist, ${worker.state}`;
    if (draft.canSpare(worker)) retire(draft, worker, because("over-surge", detail));
  }
}

function ranked(draft: Draft, choose: (worker: Worker) => boolean): readonly Worker[] {
  return draft.staying().filter(choose).sort(worseFirst);
}
