// What a run has come to so far: counted, and what failed kept for the plans and the status that follow.

import type { ProbeFacts, Snapshot } from "../core/observed.ts";
import type { GroupPlan } from "../core/plan/types.ts";
import type { Ended } from "./execute.ts";
import { ImageWatch } from "./image-watch.ts";
import type { ActionOutcome } from "./reporter.ts";
import { Setbacks } from "./setbacks.ts";

const TROUBLE: ReadonlySet<ActionOutcome["kind"]> = new Set(["failed", "uncertain"]);

export class Ledger {
  readonly setbacks = new Setbacks();
  readonly watch: ImageWatch;
  readonly #probes = new Map<string, ProbeFacts>();
  #attempted = 0;
  #done = 0;
  #isTroubled = false;

  constructor(ticks: () => number) {
    this.watch = new ImageWatch(ticks);
  }

  /** The latest answer of each worker that was asked, by container id. */
  get probes(): Snapshot["probes"] {
    return Object.fromEntries(this.#probes);
  }

  /** Calls that were tried, whatever came of them. */
  get attempted(): number {
    return this.#attempted;
  }

  get done(): number {
    return this.#done;
  }

  /** A call of the latest pass failed, or nobody knows what came of it. */
  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  /** Takes in what a pass came to. */
  takeIn(ended: readonly Ended[], ticks: number): void {
    this.setbacks.note(ended, ticks);
    this.watch.note(ended);
    this.#isTroubled = ended.some(({ outcome }) => TROUBLE.has(outcome.kind));
    for (const each of ended) {
      if (each.action.kind === "probe") this.#remember(each.action.target.id, each.outcome);
      else this.#count(each.outcome.kind);
    }
  }

  /** Whether what failed for a group is only left in peace for a while. */
  willTryAgain({ blocks, desired, identity }: GroupPlan): boolean {
    const image = desired?.kind === "valid" ? desired.spec.template.image : "";
    return blocks.some(({ code }) => {
      if (code === "BackingOff") return this.setbacks.willTryAgain(identity.uid);
      const isOfImage = code === "ImagePullFailed" || code === "ImageMissing";
      return isOfImage && this.watch.willTryAgain(image);
    });
  }

  /** A question changes nothing, and is not counted. */
  #remember(id: string, outcome: ActionOutcome): void {
    if (outcome.kind === "done" && outcome.probe !== undefined) this.#probes.set(id, outcome.probe);
  }

  #count(kind: ActionOutcome["kind"]): void {
    if (kind !== "skipped") this.#attempted += 1;
    if (kind === "done") this.#done += 1;
  }
}
