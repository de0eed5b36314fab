// A real engine for the demo, or, where none can be had, the simulated one. Says which, and why.

import { dockerEngine } from "./docker-engine.mjs";
import { simulatedEngine } from "./simulated-engine.mjs";

const WHAT_IT_MEANS =
  "The story is told on wgctl's simulated engine: the same program, but no container is real, and time is virtual.\n";

/**
 * @param {{ isSimulated: boolean, home: string, ensure: () => Promise<import("../lib/ensure-engine.mjs").FoundEngine>, tell: (text: string) => void }} options
 * @returns {Promise<import("./story.mjs").DemoEngine>}
 */
export async function chooseEngine({ isSimulated, home, ensure, tell }) {
  if (isSimulated) {
    tell(`NOTICE: a simulated engine was asked for.\n${WHAT_IT_MEANS}`);
    return simulatedEngine(home);
  }
  try {
    return dockerEngine(await ensure());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tell(`NOTICE: ${why}\n${WHAT_IT_MEANS}`);
    return simulatedEngine(home);
  }
}
