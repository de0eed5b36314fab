// The worker image the tests use, and variants of it that are other images under other or the same tags.

import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { testHost } from "./engine.ts";

/** On the engine before any real-engine test starts. `fixtures/demo/bin/worker` says what its environment does. */
export const TEST_IMAGE = "wgctl-test-worker:1";

/** Loads a variant of the worker image under this reference and answers with its id; a taken tag moves. */
export async function loadVariant(reference: string, variant: string): Promise<string> {
  return loadWorkerImage(testHost(), reference, variant);
}
