// Takes, keeps and gives back the lease of one run, so that of several machines one at a time changes an engine.
// What the claims mean is core/lease.ts; when to take and ask is the run's.

import { WgctlError } from "../core/errors.ts";
import {
  describeLease,
  heldLabels,
  keepsOut,
  type Lease,
  releasedLabels,
  type Tenant,
} from "../core/lease.ts";
import type { Engine } from "../engine/engine.ts";
import { LeaseClaims, type LeaseView } from "./lease-claims.ts";
import type { StartTimer } from "./timer.ts";

const POLL_MS = 500;
/** The engine's clock comes to the second. */
const CLOCK_GRAIN_MS = 1_000;

export type LeaseTerms = {
  /** Undefined: all unnamed projects share one lease. */
  readonly projectUid: string | undefined;
  readonly tenant: () => Tenant;
  /** How long a holder that was killed keeps others out: milliseconds, several seconds at the least. */
  readonly durationMs: number;
  /** How long to wait for another holder; 0: one try. */
  readonly waitMs: number;
};

/** The time of a run, and whom to tell when waiting begins or the holder changes. */
export type LeaseContext = {
  readonly ticks: () => number;
  readonly startTimer: StartTimer;
  readonly onWait: (holder: string) => void;
};

/** A lease that is ours: since when by the engine's clock, when to renew it and when it ends in ticks. */
type Hold = { readonly since: number; readonly renewAt: number; readonly endsAt: number };

/** Why a run has its lease no more. */
export type Loss = { readonly isTaken: boolean; readonly message: string };

export class LeaseKeeper {
  readonly #engine: Engine;
  readonly #claims: LeaseClaims;
  readonly #terms: LeaseTerms;
  readonly #context: LeaseContext;
  readonly #lost = new AbortController();
  #tenant: Tenant | undefined;
  #hold: Hold | undefined;
  #loss: Loss | undefined;
  #trouble: unknown;
  #keeping: Promise<void> | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(engine: Engine, terms: LeaseTerms, context: LeaseContext) {
    this.#engine = engine;
    this.#claims = new LeaseClaims(engine, terms.projectUid);
    this.#terms = terms;
    this.#context = context;
  }

  /** Fires when the lease was ours and is no more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Undefined as long as nothing was lost. */
  get loss(): Loss | undefined {
    return this.#loss;
  }

  /**
   * Makes sure before a pass that the lease is ours. True: it was taken just now, and what was seen before counts no
   * more. Throws `lock-held` where somebody else has it for longer than we wait, and `engine-*`.
   */
  async secure(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.#loss !== undefined) return false;
    if (this.#hold === undefined) return this.#take(signal);
    await this.#keep(signal);
    return false;
  }

  /** Resolves while calls may be made, renewing where that is due. Throws `aborted` where the lease is not ours. */
  async permit(signal: AbortSignal): Promise<void> {
    if (this.#isDue()) await this.#keep(signal);
    if (this.#hold === undefined) throw new WgctlError("aborted", "the run has no lease");
  }

  /** Gives the lease back. What the engine does not take back ends by itself, so no failure is told. */
  async release(signal: AbortSignal): Promise<void> {
    await this.#keeping;
    this.#cancelTimer();
    if (this.#hold === undefined) return;
    this.#hold = undefined;
    await this.#giveBack(signal).catch(() => undefined);
  }

  async #take(signal: AbortSignal): Promise<boolean> {
    const deadline = this.#context.ticks() + this.#terms.waitMs;
    let told = "";
    while (!signal.aborted) {
      const asked = this.#context.ticks();
      const seen = await this.#claims.read(signal);
      if (seen.lease === undefined || !keepsOut(seen.lease, this.#us(), seen.now)) {
        if (await this.#claim(seen, asked, seen.now, signal)) return true;
        continue;
      }
      const holder = describeLease(seen.lease);
      const left = deadline - this.#context.ticks();
      if (left <= 0) throw leaseHeld(holder, this.#terms.waitMs);
      if (holder !== told) this.#context.onWait(holder);
      told = holder;
      await this.#engine.waitForChange(Math.min(POLL_MS, left), signal);
    }
    return false;
  }

  /** Makes the next claim ours; false: somebody else's counts. `asked` is when what was seen was asked for, in ticks. */
  async #claim(
    seen: LeaseView,
    asked: number,
    since: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { durationMs, projectUid } = this.#terms;
    const labels = heldLabels(projectUid, this.#us(), since, seen.now + durationMs);
    const { number, after } = await this.#claims.makeNext(seen, labels, signal);
    if (!this.#isOurs(after.lease) || after.lease?.number !== number) return false;
    const endsAt = asked + durationMs - CLOCK_GRAIN_MS;
    this.#hold = { since, renewAt: asked + durationMs / 3, endsAt };
    this.#watch();
    return true;
  }

  /** One at a time. An engine that does not answer is asked again as long as the lease lasts. */
  #keep(signal: AbortSignal): Promise<void> {
    this.#keeping ??= this.#renew(signal)
      .catch((error: unknown) => {
        this.#trouble = error;
      })
      .then(() => {
        this.#keeping = undefined;
        this.#endInTime();
      });
    return this.#keeping;
  }

  /** Makes sure that the claim that counts is still ours, and makes the next when a third of its time has gone. */
  async #renew(signal: AbortSignal): Promise<void> {
    const asked = this.#context.ticks();
    const seen = await this.#claims.read(signal);
    if (this.#hold === undefined) return;
    if (!this.#isOurs(seen.lease)) return this.#lose(lossTo(seen.lease));
    if (!this.#isDue() || (await this.#claim(seen, asked, this.#hold.since, signal))) return;
    this.#lose(lossTo((await this.#claims.read(signal)).lease));
  }

  #isDue(): boolean {
    return this.#hold !== undefined && this.#context.ticks() >= this.#hold.renewAt;
  }

  #endInTime(): void {
    if (this.#hold === undefined || this.#context.ticks() < this.#hold.endsAt) return;
    const because = this.#trouble instanceof Error ? `: ${this.#trouble.message}` : "";
    this.#lose({ isTaken: false, message: `the lease could not be renewed in time${because}` });
  }

  #lose(loss: Loss): void {
    this.#loss = loss;
    this.#hold = undefined;
    this.#cancelTimer();
    this.#lost.abort();
  }

  /** One call may take longer than a lease lasts, so it is looked after by the clock as well. */
  #watch(): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#context.startTimer(this.#terms.durationMs / 6, () => {
      if (this.#isDue()) void this.#keep(new AbortController().signal);
      this.#watch();
    });
  }

  async #giveBack(signal: AbortSignal): Promise<void> {
    const seen = await this.#claims.read(signal);
    if (!this.#isOurs(seen.lease)) return;
    const labels = releasedLabels(this.#terms.projectUid, this.#us().facts);
    await this.#claims.makeNext(seen, labels, signal);
  }

  #isOurs(lease: Lease | undefined): boolean {
    return lease?.state.kind === "held" && lease.state.token === this.#us().token;
  }

  /** Asked for once, and not by a run that has nothing to do. */
  #us(): Tenant {
    this.#tenant ??= this.#terms.tenant();
    return this.#tenant;
  }
}

function lossTo(lease: Lease | undefined): Loss {
  if (lease === undefined) {
    return { isTaken: false, message: "the lease is gone: somebody removed its volume" };
  }
  const who = describeLease(lease);
  return lease.state.kind === "released"
    ? { isTaken: false, message: `the lease was taken from this run; now it has ${who}` }
    : { isTaken: true, message: `the lease was taken over by ${who}` };
}

function leaseHeld(holder: string, waitMs: number): WgctlError {
  const waited = waitMs === 0 ? "" : ` (waited ${Math.round(waitMs / 1000)}s)`;
  return new WgctlError("lock-held", `the lease on the engine is held by ${holder}${waited}`, {
    hint: "wait with --lock-timeout, leave it with --if-locked=skip, or end it with `wgctl unlock` if its run is gone",
  });
}
