// What is worth saying of a group although nothing is done about it.

import type { Template } from "../model.ts";
import type { Worker } from "../worker.ts";
import type { Scene } from "./scene.ts";

/** The network of a container whose template names none. */
const DEFAULT_NETWORK = "bridge";

/** One sentence each, without a final stop. */
export function notices({ spec, workers }: Scene): readonly string[] {
  if (spec === undefined) return [];
  return workers.flatMap((worker) => {
    const extra = extraNetworks(worker, spec.template);
    if (extra.length === 0) return [];
    const names = extra.join(", ");
    return [`${worker.labels.name} is also on network ${names}, which its template does not name`];
  });
}

/** Somebody has connected it by hand: taking it off again could break what they did it for. */
function extraNetworks({ facts, phase }: Worker, template: Template): readonly string[] {
  const { network_mode: mode = DEFAULT_NETWORK, networks = { [mode]: {} } } = template;
  // One alone is what the engine gave it, whatever it calls that.
  if (phase !== undefined || facts.networks.length < 2) return [];
  return facts.networks.filter((name) => !Object.hasOwn(networks, name)).toSorted();
}
