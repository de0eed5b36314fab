// Resource limits of a container: what its template asked for, and what was set since.

import type { ResourceLimits } from "../../core/observed.ts";
import type { Template } from "../../core/template.ts";
import type { Container, World } from "./world.ts";

const LEAST_MEMORY = 6 * 1024 ** 2;

/** The limits as they are now; absent: there is none. */
export function limitsOf({ template, limits }: Pick<Container, "template" | "limits">) {
  const { swap, ...others }: ResourceLimits = { ...asked(template), ...limits };
  return { ...others, ...(swap && swap !== usualSwap(others.memory) ? { swap } : {}) };
}

/** Where nothing is said there is as much swap as memory. */
function usualSwap(memory: number | undefined): number | undefined {
  return memory === undefined ? undefined : 2 * memory;
}

function asked(template: Template): ResourceLimits {
  const { cpus, mem_limit: memory, memswap_limit: swap, pids_limit: pids } = template;
  return {
    ...(cpus ? { cpus } : {}),
    ...(memory ? { memory } : {}),
    ...(swap && swap !== usualSwap(memory) ? { swap } : {}),
    ...(pids !== undefined && pids > 0 ? { pids } : {}),
  };
}

/** What the engine says no to; undefined: nothing. */
export function wrongLimits(
  world: World,
  { cpus, memory, swap }: ResourceLimits,
): string | undefined {
  if (memory !== undefined && memory < LEAST_MEMORY) return "the least memory limit is 6 MB";
  if (swap !== undefined && swap !== -1 && swap < (memory ?? 0)) {
    return "memory and swap together cannot be less than memory";
  }
  if (cpus !== undefined && cpus > world.engine.cpus) {
    return `there are only ${world.engine.cpus} CPUs, not ${cpus}`;
  }
  return undefined;
}

/** Sets limits; what is left out, and 0, which the engine takes for nothing said, stays. */
export function setLimits(container: Container, limits: ResourceLimits): void {
  const { cpus, memory, pids } = limits;
  const swap = limits.swap ?? usualSwap(memory || undefined);
  container.limits = {
    ...container.limits,
    ...(cpus ? { cpus } : {}),
    ...(memory ? { memory } : {}),
    ...(pids ? { pids } : {}),
    ...(swap ? { swap } : {}),
  };
}
