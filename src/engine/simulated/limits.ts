// Resource limits of a container: what its template asked for, and what was set since.

import type { Template } from "../../core/model.ts";
import type { ResourceLimits } from "../../core/observed.ts";
import type { Container, World } from "./world.ts";

const LEAST_MEMORY = 6 * 1024 ** 2;

/** The limits as they are now; absent: there is none. */
export function limitsOf({ template, limits }: Pick<Container, "template" | "limits">) {
  return { ...asked(template), ...limits };
}

function asked({ cpus, mem_limit: memory, pids_limit: pids }: Template): ResourceLimits {
  return {
    ...(cpus ? { cpus } : {}),
    ...(memory ? { memory } : {}),
    ...(pids !== undefined && pids > 0 ? { pids } : {}),
  };
}

/** What the engine says no to; undefined: nothing. */
export function wrongLimits(world: World, { cpus, memory }: ResourceLimits): string | undefined {
  if (memory !== undefined && memory < LEAST_MEMORY) return "the least memory limit is 6 MB";
  if (cpus !== undefined && cpus > world.engine.cpus) {
    return `there are only ${world.engine.cpus} CPUs, not ${cpus}`;
  }
  return undefined;
}

/** Sets limits; what is left out, and 0, which the engine takes for nothing said, stays. */
export function setLimits(container: Container, { cpus, memory, pids }: ResourceLimits): void {
  container.limits = {
    ...container.limits,
    ...(cpus ? { cpus } : {}),
    ...(memory ? { memory } : {}),
    ...(pids ? { pids } : {}),
  };
}
