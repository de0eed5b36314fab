// What has gone wrong for each group in this run, and how long it therefore starts nothing.

import type { RunFailure } from "../core/conditions.ts";
import type { Hold } from "../core/plan/types.ts";
import type { Refusal } from "../core/status-types.ts";
import type { Ended } from "./execute.ts";
import { type Rest, restAfter } from "./rest.ts";

type Setback = Rest & { readonly failure: RunFailure; readonly isOfNew: boolean };

/** Failures in a row per group: a growing rest after each, and the end of trying in this run after a few. */
export class Setbacks {
  readonly #byGroup = new Map<string, Setback>();
  readonly #refusals = new Map<string, Refusal>();

  /** Takes in what a pass came to, pulls excepted: what they come to is a matter of the image, not of one group. */
  note(pass: readonly Ended[], ticks: number): void {
    const ended = pass.filter(({ action }) => action.kind !== "pull-image");
    for (const uid of new Set(ended.map(({ action }) => action.group))) {
      const own = ended.filter(({ action }) => action.group === uid);
      const failed = own.find(({ outcome }) => outcome.kind === "failed");
      if (failed !== undefined) this.#strike(uid, failed, ticks);
      else if (own.some((each) => this.#isOvercome(uid, each))) this.#byGroup.delete(uid);
    }
  }

  #strike(uid: string, failed: Ended, ticks: number): void {
    const rest = restAfter(this.#byGroup.get(uid), isHopeless(failed), ticks);
    this.#byGroup.set(uid, { ...rest, failure: failureOf(failed), isOfNew: isOfNew(failed) });
    const refusal = refusalOf(failed);
    if (refusal !== undefined) this.#refusals.set(uid, refusal);
  }

  /** A start that works, or any call that does where it was no start that failed. */
  #isOvercome(uid: string, { action, outcome }: Ended): boolean {
    if (outcome.kind !== "done") return false;
    return action.kind === "start" || this.#byGroup.get(uid)?.failure.reason === "FailedCall";
  }

  /** By UID: what went wrong last with each group that has not worked since. */
  failures(): Readonly<Record<string, RunFailure>> {
    return Object.fromEntries([...this.#byGroup].map(([uid, { failure }]) => [uid, failure]));
  }

  /** By UID: the revisions of which the engine makes no worker. No other worker that starts changes that. */
  refusals(): Readonly<Record<string, Refusal>> {
    return Object.fromEntries(this.#refusals);
  }

  /** By UID: the groups that start nothing at this moment. */
  holds(ticks: number): Readonly<Record<string, Hold>> {
    const resting = [...this.#byGroup].filter(([, { until }]) => until > ticks);
    return Object.fromEntries(resting.map(([uid, setback]) => [uid, holdOf(setback)]));
  }

  /** Whether a group will be tried again in this run. */
  willTryAgain(uid: string): boolean {
    return Number.isFinite(this.#byGroup.get(uid)?.until ?? Number.POSITIVE_INFINITY);
  }
}

function holdOf({ failure: { message }, isOfNew }: Setback): Hold {
  return { code: "BackingOff", message, ...(isOfNew && { isOfNew }) };
}

/** A worker that comes back is an old one. */
function isOfNew({ action: { kind, reason } }: Ended): boolean {
  return (kind === "create" || kind === "start") && reason !== "rollback";
}

function refusalOf({ action, outcome }: Ended): Refusal | undefined {
  if (action.kind !== "create" || outcome.kind !== "failed") return undefined;
  if (outcome.code !== "engine-rejected") return undefined;
  return { revision: action.worker.revision, message: outcome.message };
}

/** A request the engine calls wrong stays so until somebody acts. */
function isHopeless({ outcome }: Ended): boolean {
  return outcome.kind === "failed" && outcome.code === "engine-rejected";
}

function failureOf({ action, outcome }: Ended): RunFailure {
  const message = outcome.kind === "failed" ? outcome.message : "";
  switch (action.kind) {
    case "create":
      return { reason: "FailedCreate", message };
    case "start":
      return { reason: "FailedStart", message };
    default:
      return { reason: "FailedCall", message: `${action.kind}: ${message}` };
  }
}
