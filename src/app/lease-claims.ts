// The claims of one project's lease on an engine: read, made and dropped. Decides nothing about whose it is.

import { WgctlError } from "../core/errors.ts";
import { currentLease, type Lease, leaseNumbers, leasePrefix } from "../core/lease.ts";
import type { Engine, EngineReader } from "../engine/engine.ts";

/** What one look at the claims saw. */
export type LeaseView = {
  /** Engine time in milliseconds. */
  readonly now: number;
  /** The claim that counts; undefined: there is none. */
  readonly lease: Lease | undefined;
  /** Ascending, the one that counts included. */
  readonly numbers: readonly number[];
};

/** An engine that is coming up, or just making a volume, can list it before it has its labels. */
const LOOKS = 4;
const LOOK_AGAIN_MS = 300;

/** Looks at the claims of a project's lease, and again where the one that counts cannot be read. Throws `engine-*`. */
export async function readLease(
  reader: EngineReader,
  projectUid: string | undefined,
  signal: AbortSignal,
): Promise<LeaseView> {
  const prefix = leasePrefix(projectUid);
  for (let looks = 1; ; looks += 1) {
    const { now, claims } = await reader.listClaims(prefix, signal);
    const lease = currentLease(claims, prefix);
    if (lease?.state.kind !== "unreadable" || looks >= LOOKS) {
      return { now, lease, numbers: leaseNumbers(claims, prefix) };
    }
    await reader.waitForChange(LOOK_AGAIN_MS, signal);
  }
}

export class LeaseClaims {
  readonly #engine: Engine;
  readonly #projectUid: string | undefined;
  readonly #prefix: string;

  constructor(engine: Engine, projectUid: string | undefined) {
    this.#engine = engine;
    this.#projectUid = projectUid;
    this.#prefix = leasePrefix(projectUid);
  }

  read(signal: AbortSignal): Promise<LeaseView> {
    return readLease(this.#engine, this.#projectUid, signal);
  }

  /** Makes the claim after the one that was seen, and looks again: only the look tells whether it is the one that counts. */
  async makeNext(
    seen: LeaseView,
    labels: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<{ readonly number: number; readonly after: LeaseView }> {
    const number = (seen.lease?.number ?? 0) + 1;
    const failure = await this.#make(number, labels, signal);
    const after = await this.read(signal);
    if ((after.lease?.number ?? 0) < number) throw failure ?? notKept(number);
    await this.#dropBelow(after.numbers, signal);
    return { number, after };
  }

  /** The error of a claim that may or may not be there now; undefined: one of that number is. */
  async #make(
    number: number,
    labels: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      await this.#engine.makeClaim({ name: `${this.#prefix}${number}`, labels }, signal);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** The highest is never dropped, so whoever looks finds who has it. What stays is dropped by the next. */
  async #dropBelow(numbers: readonly number[], signal: AbortSignal): Promise<void> {
    try {
      for (const number of numbers.slice(0, -1)) {
        await this.#engine.dropClaim(`${this.#prefix}${number}`, signal);
      }
    } catch (error) {
      if (!(error instanceof WgctlError)) throw error;
    }
  }
}

function notKept(number: number): WgctlError {
  return new WgctlError(
    "engine-failed",
    `the engine does not list the claim ${number} it has made`,
  );
}
