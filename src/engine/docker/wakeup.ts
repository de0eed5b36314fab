// One open subscription to the engine's events. It only says "look again", never what happened.

import { setMaxListeners } from "node:events";
import type { Call, DockerClient } from "./client.ts";
import { readChunks } from "./exchange.ts";
import { UID_LABEL } from "./list.ts";

const EVENTS = [
  ...["create", "start", "die", "destroy", "kill", "rename", "health_status"],
  ...["oom", "pause", "unpause"],
];

/**
 * Wakes who waits when something happens to one of our containers.
 *
 * The stream is opened by the first wait and kept, so that what happens between two waits is not lost. It
 * begins at the last observation, which covers the time before it was open; the engine's clock is known
 * to the second, so the first wait may wake once for nothing.
 */
export class Wakeup {
  readonly #client: DockerClient;
  readonly #closing = new AbortController();
  #observedAt: number | undefined;
  #following = false;
  #happened = false;
  #wake: (() => void) | undefined;

  constructor(client: DockerClient) {
    this.#client = client;
    setMaxListeners(0, this.#closing.signal);
  }

  /** An observation begins: what happened before it needs no wake-up any more. */
  observationBegins(): void {
    this.#happened = false;
  }

  /** An observation was made at that time of the engine (ms). */
  observationMade(now: number): void {
    this.#observedAt = now;
  }

  /** Resolves after that time (ms), at the next event, or when the signal fires. Never throws. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#following) void this.#follow();
    if (!this.#happened && !signal.aborted) await this.#sleep(milliseconds, signal);
    this.#happened = false;
  }

  close(): void {
    this.#closing.abort();
  }

  #sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      signal.addEventListener("abort", wake, { once: true });
      this.#wake = wake;
    });
  }

  async #follow(): Promise<void> {
    this.#following = true;
    try {
      const answer = await this.#client.stream(this.#subscription(), this.#closing.signal);
      for await (const _ of readChunks(answer, this.#closing.signal)) this.#notice();
    } catch {
      // Where there are no events to be had, waiting is all that is left; the next wait tries again.
    } finally {
      this.#following = false;
    }
  }

  #notice(): void {
    this.#happened = true;
    this.#wake?.();
  }

  #subscription(): Call {
    const filters = { type: ["container"], label: [UID_LABEL], event: EVENTS };
    const since = this.#observedAt;
    return {
      method: "GET",
      path: "/events",
      query: {
        filters: JSON.stringify(filters),
        ...(since === undefined ? {} : { since: String(Math.floor(since / 1000)) }),
      },
      what: "follow the engine's events",
    };
  }
}
