// What is worth saying of a group although nothing is done about it.

import { type Adoption, isAdopted, shortId } from "../adoption.ts";
import type { Template } from "../template.ts";
import type { Worker } from "../worker.ts";
import type { Scene } from "./scene.ts";

/** The network of a container whose template names none. */
const DEFAULT_NETWORK = "bridge";

/** One sentence each, without a final stop. */
export function notices({ adoption, spec, workers }: Scene): readonly string[] {
  if (spec === undefined) return [];
  const ofWorkers = workers.flatMap((worker) => [
    ...(isAdopted(worker) ? [] : extraNetworks(worker, spec.template)),
    ...(spec.onUnhealthy === "Report" ? unhealthiness(worker) : []),
  ]);
  return [...ofWorkers, ...goneContainers(adoption)];
}

/** Nothing is done in place of a container that is gone: whoever has its name now is somebody else's. */
function goneContainers({ gone }: Adoption): readonly string[] {
  if (gone.length === 0) return [];
  const ids = gone.map(shortId).join(", ");
  return [`spec.adopt names what is gone from the engine (${ids}); take it out`];
}

/** One that had been well is left to whoever asked for a report only. */
function unhealthiness({ labels, state, wasAvailable }: Worker): readonly string[] {
  const isLeft = state === "Unhealthy" && wasAvailable;
  return isLeft ? [`${labels.name} is unhealthy and left so, as onUnhealthy says`] : [];
}

/** Somebody has connected it by hand: taking it off again could break what they did it for. */
function extraNetworks({ facts, labels, phase }: Worker, template: Template): readonly string[] {
  const { network_mode: mode = DEFAULT_NETWORK, networks = { [mode]: {} } } = template;
  // One alone is what the engine gave it, whatever it calls that.
  if (phase !== undefined || facts.networks.length < 2) return [];
  const extra = facts.networks.filter((name) => !Object.hasOwn(networks, name)).toSorted();
  if (extra.length === 0) return [];
  return [
    `${labels.name} is also on network ${extra.join(", ")}, which its template does not name`,
  ];
}
