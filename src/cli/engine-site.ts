// Where the engine of a run is, and how it is opened: what a command needs to know of it.

import type { ApplyDependencies } from "../app/apply-types.ts";
import type { Engine, EngineReader } from "../engine/engine.ts";

export type EngineSite = {
  /** As the port names it; the process lock is keyed by it. */
  readonly endpoint: string;
  readonly stateFolder: string;
  /** What excludes another run at the same time: its working on the same project there, or on this engine at all. */
  readonly lockedBy: "project" | "engine";
  openReader(): Promise<OpenReader>;
  /** Opens the engine to be changed: only with the process lock held, or for the lease alone. */
  openEngine(): Promise<OpenEngine>;
};

export type OpenReader = {
  readonly reader: EngineReader;
  /** Milliseconds since 1970, for when the engine cannot tell. */
  readonly now: () => number;
};

export type OpenEngine = {
  readonly engine: Engine;
  /** The time that runs on this engine keep. */
  readonly clock: Pick<ApplyDependencies, "ticks" | "now" | "startTimer">;
};
