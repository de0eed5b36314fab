// Starts the engine that all real-engine tests of a run share, and gives it to them through the environment.

import type { TestProject } from "vitest/node";
import { ensureEngine } from "../../scripts/lib/ensure-engine.mjs";
import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { TEST_IMAGE } from "./image.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** `DOCKER_HOST` of the engine under test. */
    engineHost: string;
    /** Path of its network namespace, for nsenter; empty when the engine is not private. */
    engineNetns: string;
  }
}

/** Called by vitest once, before any test of the `engine` project; what it returns is called after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await ensureEngine({ agree: async () => true, packages: ["docker-registry"] });
  const netns = engine.state === undefined ? "" : `/proc/${engine.state.init}/ns/net`;
  await loadWorkerImage(engine.host, TEST_IMAGE);
  project.provide("engineHost", engine.host);
  project.provide("engineNetns", netns);
  process.env["WGCTL_TEST_HOST"] = engine.host;
  process.env["WGCTL_TEST_NETNS"] = netns;
  return engine.stop;
}
