// The limits of a live container against the template: what can be set in place, and what only a new container can have.

import type { ResourceLimits } from "./observed.ts";
import type { Template } from "./template.ts";

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
  const swap = compareSwap(live, template);
  const isSame = live.cpus === cpus && live.memory === memory && swap === "same";
  if (isSame && (pids === undefined || live.pids === pids)) return AS_DECLARED;
  const tooMuch = [
    ...(cpus === undefined && live.cpus !== undefined ? ["cpus"] : []),
    ...(isTooMuchMemory(live.memory, memory) ? ["mem_limit"] : []),
    ...(swap === "lowered" ? ["memswap_limit"] : []),
  ];
  const toSet: ResourceLimits = {
    ...(cpus !== undefined && nano(cpus) !== nano(live.cpus) ? { cpus } : {}),
    ...(memory !== undefined && (live.memory ?? 0) < memory ? { memory } : {}),
    ...swapToSet(live, template),
    ...(pids !== undefined && pids !== live.pids ? { pids } : {}),
  };
  return { toSet: Object.keys(toSet).length === 0 ? undefined : toSet, tooMuch };
}

type SwapCompared = "same" | "raised" | "lowered";

/** An engine that cannot limit swap says that there is no limit, whatever it was asked for: that is no drift. */
function compareSwap(live: ResourceLimits, { memswap_limit: declared }: Template): SwapCompared {
  const own = liveSwap(live);
  if (declared === undefined || own === undefined || own === -1 || own === declared) return "same";
  return declared === -1 || declared > own ? "raised" : "lowered";
}

/** Where nothing is said, an engine allows as much swap as memory. */
function liveSwap({ memory, swap }: ResourceLimits): number | undefined {
  return swap ?? (memory === undefined ? undefined : 2 * memory);
}

/** Goes with memory: without a word it would become twice that. One that is to be lowered stays, for it may be in use. */
function swapToSet(live: ResourceLimits, template: Template): Pick<ResourceLimits, "swap"> {
  const { mem_limit: memory, memswap_limit: declared } = template;
  const compared = compareSwap(live, template);
  const isSetAnew = memory !== undefined && (live.memory ?? 0) < memory;
  if (declared === undefined || (compared !== "raised" && !isSetAnew)) return {};
  return { swap: compared === "lowered" ? (liveSwap(live) ?? declared) : declared };
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
