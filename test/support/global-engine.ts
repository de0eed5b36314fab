// Starts the engines that the real-engine tests of a run need: one for each file that may run at the same time. A file
// takes one of them in take-engine.ts. Without private engines there is a single one, and one file runs at a time.

import type { TestProject } from "vitest/node";
import { ensureEngine, type FoundEngine } from "../../scripts/lib/ensure-engine.mjs";
import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { ensureBuilt } from "./cli.ts";
import { TEST_IMAGE } from "./image.ts";

export type EngineUnderTest = {
  /** Its `DOCKER_HOST`. */
  readonly host: string;
  /** Path of its network namespace, for nsenter; empty when the engine is not private. */
  readonly netns: string;
};

declare module "vitest" {
  export interface ProvidedContext {
    /** One for each file that may run at the same time. */
    engines: readonly EngineUnderTest[];
  }
}

/** Called by vitest once, before any test of the `engine` project; what it returns is called after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = await openEngines(project.config.maxWorkers);
  await Promise.all(engines.map(({ host }) => loadWorkerImage(host, TEST_IMAGE)));
  // Two files on one engine would see each other's workers and volumes.
  project.config.maxWorkers = engines.length;
  project.provide("engines", engines.map(underTest));
  // Here, because two files would build at the same time.
  await ensureBuilt();
  return async () => {
    await Promise.all(engines.map(({ stop }) => stop()));
  };
}

/** So many private engines, or the only one there is. */
async function openEngines(wanted: number): Promise<readonly FoundEngine[]> {
  const open = () => ensureEngine({ agree: async () => true, packages: ["docker-registry"] });
  // Alone at first: it may have to install something.
  const first = await open();
  if (first.state === undefined) return [first];
  const others = await Promise.all(Array.from({ length: wanted - 1 }, open));
  return [first, ...others.filter(({ state }) => state !== undefined)];
}

function underTest({ host, state }: FoundEngine): EngineUnderTest {
  return { host, netns: state === undefined ? "" : `/proc/${state.init}/ns/net` };
}
