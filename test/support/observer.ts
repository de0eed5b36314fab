// An outside observer that samples a group's containers while wgctl works, to hold it to its promises.

import { setTimeout as delay } from "node:timers/promises";
import { type ListedContainer, listContainers, testHost } from "./engine.ts";

/** What one look saw. */
export type Sample = {
  /** Milliseconds since the observer started. */
  readonly at: number;
  readonly containers: readonly ListedContainer[];
  /** Containers that are there, leaving ones included; not those under removal, or stopped and kept. */
  readonly existing: number;
  /** Containers whose process runs. */
  readonly running: number;
};

export type Observer = {
  /** The samples until now. */
  soFar(): readonly Sample[];
  /** Ends the sampling and answers with all samples. Throws when no sample could be taken. */
  stop(): Promise<readonly Sample[]>;
};

export type ObserverOptions = {
  readonly host?: string;
  /** 50 unless given. */
  readonly everyMs?: number;
  /** The engine may be down for a while: what cannot be seen is left out. */
  readonly mayMiss?: boolean;
};

/** Looks every so often at the containers with this label, until stopped. */
export function observe(label: string, options: ObserverOptions = {}): Observer {
  const { host = testHost(), everyMs = 50, mayMiss = false } = options;
  const samples: Sample[] = [];
  const started = performance.now();
  const ended = new AbortController();
  const look = async () => {
    while (!ended.signal.aborted) {
      try {
        const containers = await listContainers(label, host);
        samples.push(toSample(performance.now() - started, containers));
      } catch (error) {
        if (!mayMiss) throw error;
      }
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const looking = look();
  looking.catch(() => undefined); // `stop` throws it
  return {
    soFar: () => [...samples],
    async stop() {
      ended.abort();
      await looking;
      if (samples.length === 0) throw new Error("the observer saw nothing");
      return samples;
    },
  };
}

function toSample(at: number, listed: readonly ListedContainer[]): Sample {
  // while a container is renamed a listing can show it twice
  const containers = [...new Map(listed.map((container) => [container.id, container])).values()];
  const existing = containers.filter(
    ({ state, name }) =>
      state !== "removing" &&
      state !== "dead" &&
      // what is kept or set aside counts while it runs
      (state === "running" || state === "restarting" || !/\.(kept|failed)-\d+$/.test(name)),
  );
  const running = containers.filter(({ state }) => state === "running");
  return { at, containers, existing: existing.length, running: running.length };
}
