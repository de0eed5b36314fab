// What has gone wrong for each group in this run, and how long it therefore starts nothing.

import type { RunFailure } from "../core/conditions.ts";
import type { Block } from "../core/plan/types.ts";
import type { Ended } from "./execute.ts";

const FIRST_REST_MS = 1_000;
const GIVE_UP_AFTER = 3;

type Setback = {
  readonly failure: RunFailure;
  readonly strikes: number;
  /** Ticks until which the group rests; infinite once it is given up. */
  readonly until: number;
};

/** Failures in a row per group: a growing rest after each, and the end of trying in this run after a few. */
export class Setbacks {
  readonly #byGroup = new Map<string, Setback>();

  /** Takes in what a pass came to. */
  note(ended: readonly Ended[], ticks: number): void {
    for (const uid of new Set(ended.map(({ action }) => action.group))) {
      const own = ended.filter(({ action }) => action.group === uid);
      const failed = own.find(({ outcome }) => outcome.kind === "failed");
      if (failed !== undefined) this.#strike(uid, failed, ticks);
      else if (own.some((each) => this.#isOvercome(uid, each))) this.#byGroup.delete(uid);
    }
  }

  #strike(uid: string, failed: Ended, ticks: number): void {
    const strikes = (this.#byGroup.get(uid)?.strikes ?? 0) + 1;
    const isFinal = strikes >= GIVE_UP_AFTER || isHopeless(failed);
    const rest = isFinal ? Number.POSITIVE_INFINITY : FIRST_REST_MS * 2 ** (strikes - 1);
    this.#byGroup.set(uid, { failure: failureOf(failed), strikes, until: ticks + rest });
  }

  /** A start that works, or any call that does where it was no start that failed. */
  #isOvercome(uid: string, { action, outcome }: Ended): boolean {
    if (outcome.kind !== "done") return false;
    const isStart = action.kind === "start" || action.kind === "pull-image";
    return isStart || this.#byGroup.get(uid)?.failure.reason === "FailedCall";
  }

  /** By UID: what went wrong last with each group that has not worked since. */
  failures(): Readonly<Record<string, RunFailure>> {
    return Object.fromEntries([...this.#byGroup].map(([uid, { failure }]) => [uid, failure]));
  }

  /** By UID: the groups that start nothing at this moment. */
  holds(ticks: number): Readonly<Record<string, Block>> {
    const resting = [...this.#byGroup].filter(([, { until }]) => until > ticks);
    return Object.fromEntries(
      resting.map(([uid, { failure }]) => [uid, { code: "BackingOff", message: failure.message }]),
    );
  }

  /** Whether a group will be tried again in this run. */
  willTryAgain(uid: string): boolean {
    return Number.isFinite(this.#byGroup.get(uid)?.until ?? Number.POSITIVE_INFINITY);
  }
}

/** The registry's no, and a request the engine calls wrong, stay the same until somebody acts. */
function isHopeless({ action, outcome }: Ended): boolean {
  if (outcome.kind !== "failed") return false;
  if (action.kind === "pull-image") {
    return outcome.code === "engine-denied" || outcome.code === "engine-not-found";
  }
  return outcome.code === "engine-rejected";
}

function failureOf({ action, outcome }: Ended): RunFailure {
  const message = outcome.kind === "failed" ? outcome.message : "";
  switch (action.kind) {
    case "pull-image":
      return { reason: "ImagePullFailed", message };
    case "create":
      return { reason: "FailedCreate", message };
    case "start":
      return { reason: "FailedStart", message };
    default:
      return { reason: "FailedCall", message: `${action.kind}: ${message}` };
  }
}
