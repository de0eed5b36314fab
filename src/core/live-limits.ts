// The limits of a live container against the template: what can be set in place, and what only a new container can have.

import type { Template } from "./model.ts";
import type { ResourceLimits } from "./observed.ts";

/** The engine counts CPUs in billionths. */
const NANO = 1_000_000_000;

type LimitsCompared = {
  readonly toSet: ResourceLimits | undefined;
  readonly tooMuch: readonly string[];
};

const AS_DECLARED: LimitsCompared = { toSet: undefined, tooMuch: [] };

/**
 * `toSet`: limits to be set while it runs; undefined: none. `tooMuch`: paths of limits that the engine cannot take off,
 * and of a memory limit that is to be lower than what may be in use.
 */
export function compareLimits(live: ResourceLimits, template: Template): LimitsCompared {
  const { cpus, mem_limit: memory } = template;
  const pids = limitedPids(template);
  const isSame = live.cpus === cpus && live.memory === memory;
  if (isSame && (pids === undefined || live.pids === pids)) return AS_DECLARED;
  const tooMuch = [
    ...(cpus === undefined && live.cpus !== undefined ? ["cpus"] : []),
    ...(isTooMuchMemory(live.memory, memory) ? ["mem_limit"] : []),
  ];
  const toSet: ResourceLimits = {
    ...(cpus !== undefined && nano(cpus) !== nano(live.cpus) ? { cpus } : {}),
    ...(memory !== undefined && (live.memory ?? 0) < memory ? { memory } : {}),
    ...(pids !== undefined && pids !== live.pids ? { pids } : {}),
  };
  return { toSet: Object.keys(toSet).length === 0 ? undefined : toSet, tooMuch };
}

/** The declared limit; undefined: there is none. An engine may have one of its own, which is no drift. */
export function limitedPids({ pids_limit: pids }: Template): number | undefined {
  return pids === -1 ? undefined : pids;
}

function nano(cpus: number | undefined): number | undefined {
  return cpus === undefined ? undefined : Math.round(cpus * NANO);
}

function isTooMuchMemory(live: number | undefined, declared: number | undefined): boolean {
  return live !== undefined && (declared === undefined || live > declared);
}
