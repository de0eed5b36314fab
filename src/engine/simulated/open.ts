// Opens the simulated engine over a world. Its written behaviour is docs/simulated-engine.md.

import type { Engine, EngineReader } from "../engine.ts";
import { openReader } from "./reader.ts";
import { Session } from "./session.ts";
import { advance } from "./time.ts";
import type { World } from "./world.ts";
import { WorldKeeper } from "./world-file.ts";
import { openWriter } from "./writer.ts";

export type SimulatedOptions = {
  /** Changed in place by whoever has it open. */
  readonly world: World;
  /** Where the world is kept after each change; absent: in memory only. */
  readonly file?: string;
  /** Milliseconds of virtual time from the start of a call to its answer; 30 s unless given. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds of virtual time that a pull may be silent; 60 s unless given. */
  readonly pullSilenceMs?: number;
};

/** The port, and the hand on the clock. */
export type SimulatedEngine = Engine & {
  readonly world: World;
  /** Moves virtual time by so many milliseconds. */
  advance(milliseconds: number): void;
  /** Milliseconds of virtual time from a fixed point. */
  ticks(): number;
  /** Calls back after so many milliseconds of virtual time, as callers let it pass; the answer calls it off. */
  startTimer(milliseconds: number, onDue: () => void): () => void;
};

const REQUEST_TIMEOUT_MS = 30_000;
const PULL_SILENCE_MS = 60_000;

/** Opens an engine for reading only: it never writes the file, so what it lets pass is forgotten. */
export function openSimulatedReader(options: SimulatedOptions): EngineReader {
  return openReader(openSession(options, undefined), endpointOf(options));
}

/** Opens an engine. */
export function openSimulatedEngine(options: SimulatedOptions): SimulatedEngine {
  const { world, file, pullSilenceMs = PULL_SILENCE_MS } = options;
  const session = openSession(options, file);
  return {
    ...openReader(session, endpointOf(options)),
    ...openWriter(session, pullSilenceMs),
    world,
    advance: (milliseconds) => advance(world, milliseconds),
    ticks: () => world.now,
    startTimer: (milliseconds, onDue) => session.startTimer(milliseconds, onDue),
  };
}

function openSession({ world, requestTimeoutMs }: SimulatedOptions, file?: string): Session {
  const keeper = file === undefined ? undefined : new WorldKeeper(world, file);
  return new Session({
    world,
    deadlineMs: requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    keep: async () => keeper?.keep(),
  });
}

function endpointOf({ world, file }: SimulatedOptions): string {
  return `simulated://${file ?? world.engine.id}`;
}
