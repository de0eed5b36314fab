// Takes away what is above the desired count, worst first, and never an available worker that is still needed.

import type { Worker } from "../worker.ts";
import type { Draft } from "./draft.ts";
import { busyness } from "./idle.ts";
import { retire } from "./keep.ts";
import { worseFirst } from "./rank.ts";
import { because } from "./why.ts";

export function scaleDown(draft: Draft): void {
  const { replicas, maxSurge } = draft.scene.limits;
  takeAbove(draft, replicas);
  // Slots above the count that have to wait are no reason to take one that is wanted.
  const inRange = (each: Worker) => each.labels.slot <= replicas;
  for (const worker of ranked(draft, inRange)) {
    const present = ranked(draft, inRange).length;
    if (present <= replicas + maxSurge) return;
    const detail = `${present} exist, ${worker.state}`;
    if (draft.canSpare(worker)) retire(draft, worker, because("over-surge", detail));
  }
}

/** Of those above the count all go, though not always at once: then idle ones first. */
function takeAbove(draft: Draft, replicas: number): void {
  const why = ({ labels, state }: Worker) =>
    because("scale-down", `slot ${labels.slot} of ${replicas}, ${state}`);
  const above = ranked(draft, (each) => each.labels.slot > replicas);
  const available = above.filter(({ state }) => state === "Available");
  const others = above.filter(({ state }) => state !== "Available");
  for (const worker of others) {
    if (draft.canSpare(worker)) retire(draft, worker, why(worker));
  }
  const busy = busyness(draft, available, why);
  if (busy === undefined) return;
  for (const worker of [...available].sort((one, other) => busy(one) - busy(other))) {
    if (draft.canSpare(worker)) retire(draft, worker, why(worker));
  }
}

function ranked(draft: Draft, choose: (worker: Worker) => boolean): readonly Worker[] {
  return draft.staying().filter(choose).sort(worseFirst);
}
