// Calls to the simulated engine as its callers live them: deadlines, aborts and scripted faults around what the world
// does. Time passes only while somebody waits.

import type { WgctlError } from "../../core/errors.ts";
import { takeFault } from "./fault.ts";
import { begin, finish } from "./in-flight.ts";
import { aborted, refusal } from "./refusal.ts";
import type { CallName, FaultEffect } from "./script.ts";
import { VirtualClock } from "./virtual-clock.ts";
import { findContainer, type World } from "./world.ts";
import type { WriteCall } from "./write-call.ts";

export type SessionOptions = {
  readonly world: World;
  /** Milliseconds of virtual time that a call waits for its answer. */
  readonly deadlineMs: number;
  /** Keeps the world after a change; resolves once it is kept. */
  readonly keep: () => Promise<void>;
};

/** One call: its name, and what it is about. */
export type CallSite = {
  readonly call: CallName;
  /** Names, ids and references. */
  readonly about: readonly string[];
  /** Milliseconds until the caller gives up, where that is not the session's deadline. */
  readonly deadlineMs?: number;
};

type Effect<K extends FaultEffect["kind"]> = Extract<FaultEffect, { readonly kind: K }>;

export class Session {
  readonly world: World;
  readonly #clock: VirtualClock;
  readonly #deadlineMs: number;
  readonly #keep: () => Promise<void>;

  constructor({ world, deadlineMs, keep }: SessionOptions) {
    this.world = world;
    this.#clock = new VirtualClock(world);
    this.#deadlineMs = deadlineMs;
    this.#keep = keep;
  }

  /** Makes a call that changes nothing; `work` is told of a fault that is a matter of its answer. */
  async read<T>(
    site: CallSite,
    signal: AbortSignal,
    work: (fault: FaultEffect | undefined) => T,
  ): Promise<T> {
    if (signal.aborted) throw aborted();
    const fault = takeFault(this.world, site.call, this.#subjects(site));
    if (fault === undefined) return answer(work(undefined), signal);
    try {
      await this.#suffer(site, fault, signal);
      return await answer(work(fault), signal);
    } finally {
      await this.#keep();
    }
  }

  /** Makes a call that changes the world; answers with the id it was about, a command with its exit code. */
  async write(
    about: Omit<CallSite, "call">,
    call: WriteCall,
    signal: AbortSignal,
  ): Promise<string> {
    if (signal.aborted) throw aborted();
    const site = { ...about, call: call.kind };
    try {
      const fault = takeFault(this.world, site.call, this.#subjects(site));
      return await answer(await this.#change(site, call, fault, signal), signal);
    } finally {
      await this.#keep();
    }
  }

  /** Lets time pass until it is over. Never throws: who stops waiting finds out by looking. */
  async wait(milliseconds: number, signal: AbortSignal, isOver: () => boolean): Promise<void> {
    const until = this.world.now + milliseconds;
    await this.#clock.sleep(until, signal, isOver).catch(() => undefined);
    await this.#keep().catch(() => undefined);
  }

  /** Lets so many seconds pass, whatever the deadline. Throws `aborted`. */
  async spend(seconds: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(this.world.now + seconds * 1000, signal);
  }

  /** Lets the call's deadline pass, and throws `engine-timeout`. */
  async waitInVain(site: CallSite, signal: AbortSignal): Promise<never> {
    const milliseconds = this.#deadlineOf(site);
    await this.#clock.sleep(this.world.now + milliseconds, signal);
    const message = `the engine did not answer within ${milliseconds / 1000} s`;
    throw failure(site, { code: "engine-timeout", message });
  }

  /** Calls back after so many milliseconds of virtual time; the answer calls it off. */
  startTimer(milliseconds: number, onDue: () => void): () => void {
    return this.#clock.alarm(this.world.now + milliseconds, onDue);
  }

  close(): Promise<void> {
    return this.#keep();
  }

  /** What comes before the answer of a call that changes nothing. */
  async #suffer(site: CallSite, fault: FaultEffect, signal: AbortSignal): Promise<void> {
    switch (fault.kind) {
      case "fail-before":
      case "fail-after":
        throw failure(site, fault);
      case "hang":
      case "late":
        return this.waitInVain(site, signal);
      case "slow":
        return this.#waitForAnswer(site, fault, signal);
      default:
        return;
    }
  }

  async #change(
    site: CallSite,
    call: WriteCall,
    fault: FaultEffect | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    switch (fault?.kind) {
      case "fail-before":
        throw failure(site, fault);
      case "fail-after":
        finish(this.world, begin(this.world, call));
        throw failure(site, fault);
      case "hang":
        return this.waitInVain(site, signal);
      case "late":
        return this.#changeLate(site, call, fault, signal);
      case "slow":
        return this.#changeSlowly(site, call, fault, signal);
      case "leave-dead":
        return this.#leaveDead(site, call);
      default:
        return finish(this.world, begin(this.world, call));
    }
  }

  /** Whatever is asked for happens later, when nobody listens any more. */
  async #changeLate(
    site: CallSite,
    call: WriteCall,
    { seconds, code }: Effect<"late">,
    signal: AbortSignal,
  ): Promise<never> {
    const inFlight = begin(this.world, call);
    this.world.late.push({ at: this.world.now + seconds * 1000, inFlight });
    if (code !== undefined) throw failure(site, { code });
    return this.waitInVain(site, signal);
  }

  /** A caller that gives up meanwhile does not stop what is under way. */
  async #changeSlowly(
    site: CallSite,
    call: WriteCall,
    fault: Effect<"slow">,
    signal: AbortSignal,
  ): Promise<string> {
    const inFlight = begin(this.world, call);
    const at = this.world.now + fault.seconds * 1000;
    try {
      await this.#waitForAnswer(site, fault, signal);
    } catch (error) {
      this.world.late.push({ at, inFlight });
      throw error;
    }
    return finish(this.world, inFlight);
  }

  #leaveDead(site: CallSite, call: WriteCall): never {
    const container = findContainer(this.world, begin(this.world, call).id);
    if (container !== undefined) container.state = { kind: "dead" };
    throw failure(site, { code: "engine-failed", message: "its files are in use" });
  }

  async #waitForAnswer(
    site: CallSite,
    { seconds }: Effect<"slow">,
    signal: AbortSignal,
  ): Promise<void> {
    if (seconds * 1000 >= this.#deadlineOf(site)) await this.waitInVain(site, signal);
    await this.spend(seconds, signal);
  }

  #deadlineOf({ deadlineMs }: CallSite): number {
    return deadlineMs ?? this.#deadlineMs;
  }

  /** A fault may name a container by its name where the call has only its id. */
  #subjects({ about }: CallSite): readonly string[] {
    const names = about.map((subject) => findContainer(this.world, subject)?.name ?? subject);
    return [...about, ...names];
  }
}

/** The way back to the caller, who may have called the call off meanwhile: what it did is done. */
async function answer<T>(value: T, signal: AbortSignal): Promise<T> {
  await undefined;
  if (signal.aborted) throw aborted();
  return value;
}

function failure(
  { call, about }: CallSite,
  { code, message }: Pick<Effect<"fail-before">, "code" | "message">,
): WgctlError {
  const what = about.length === 1 ? `${call} ${about[0]}` : call;
  return refusal(code, what, message ?? "a scripted fault");
}
