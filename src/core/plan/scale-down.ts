// Takes away what is above the desired count, worst first, and never an available worker that is still needed.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { worseFirst } from "./rank.ts";
import { because, type Why } from "./why.ts";

export function scaleDown(draft: Draft): void {
  const { replicas, maxSurge } = draft.scene.limits;
  for (const worker of ranked(draft, (each) => each.labels.slot > replicas)) {
    retire(
      draft,
      worker,
      because("scale-down", `slot ${worker.labels.slot} of ${replicas}, ${worker.state}`),
    );
  }
  // Slots above the count that have to wait are no reason to take one that is wanted.
  const inRange = (each: Worker) => each.labels.slot <= replicas;
  for (const worker of ranked(draft, inRange)) {
    const present = ranked(draft, inRange).length;
    if (present <= replicas + maxSurge) return;
    retire(draft, worker, because("over-surge", `${present} exist, ${worker.state}`));
  }
}

function ranked(draft: Draft, choose: (worker: Worker) => boolean): readonly Worker[] {
  return draft.staying().filter(choose).sort(worseFirst);
}

function retire(draft: Draft, worker: Worker, why: Why): void {
  if (worker.state === "Available" && draft.available() - 1 < draft.scene.limits.minAvailable)
    return;
  draft.leave(worker, why);
}
