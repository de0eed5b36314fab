// What the contract asks of an engine besides the port: other people's hands on it, and a clock to measure waits by.

import type { Engine } from "../../src/engine/engine.ts";

export type Fixture = {
  readonly engine: Engine;
  /** UID label and beginning of the names of all that the fixture makes. */
  readonly run: string;
  /** An image whose worker runs until it is told to stop. */
  readonly image: string;
  readonly hands: Hands;
  /** Milliseconds from any fixed point, in the time the engine lives in. */
  clock(): number;
  /** Removes what was made, and gives the engine back. */
  close(): Promise<void>;
};

/** What somebody else does. */
export type Hands = {
  /** Runs a container that is not ours; answers with its id. */
  runStranger(name: string, labels?: Readonly<Record<string, string>>): Promise<string>;
  removeByForce(id: string): Promise<void>;
  pause(id: string): Promise<void>;
  unpause(id: string): Promise<void>;
  /** Resolves once a worker's process handles its stop signals: until then they pass it by. */
  listens(id: string): Promise<void>;
  /** A worker of kind `mendable` passes its health check from now on. */
  mend(id: string): Promise<void>;
  /** A worker of kind `crashable` ends with exit code 4. */
  crash(id: string): Promise<void>;
  makeNetwork(name: string): Promise<void>;
  /** Makes the reference stand for another image than before; answers with its id. */
  moveTag(reference: string): Promise<string>;
  removeTag(reference: string): Promise<void>;
  /** An image registry of the fixture's own; undefined: there can be none here. */
  openRegistry(): Promise<RegistryHands | undefined>;
  restartEngine(): Promise<void>;
};

export type RegistryHands = {
  /** An image in it. */
  readonly reference: string;
  /** Has the reference mean a new image there, which the engine does not have; answers with its id. */
  push(): Promise<string>;
  goDown(): Promise<void>;
};

export type OpenFixture = () => Promise<Fixture>;
