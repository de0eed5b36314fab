// The arithmetic of a rollout: how many may be missing, how many may be too many.

import type { Amount, GroupSpec } from "./model.ts";

export type Limits = {
  readonly replicas: number;
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  /** Available workers that our own doing never goes below. */
  readonly minAvailable: number;
};

/**
 * Resolves percentages: unavailable rounds down, surge rounds up, and where both come to zero one worker may
 * be unavailable, because otherwise nothing could ever be replaced. Recreate takes all down at once.
 */
export function resolveLimits(spec: Pick<GroupSpec, "replicas" | "rollout">): Limits {
  const { replicas, rollout } = spec;
  if (rollout.strategy === "Recreate") {
    return { replicas, maxUnavailable: replicas, maxSurge: 0, minAvailable: 0 };
  }
  const maxSurge = resolve(rollout.maxSurge, replicas, Math.ceil);
  const asked = resolve(rollout.maxUnavailable, replicas, Math.floor);
  const maxUnavailable = maxSurge === 0 && asked === 0 ? 1 : asked;
  return {
    replicas,
    maxUnavailable,
    maxSurge,
    minAvailable: Math.max(0, replicas - maxUnavailable),
  };
}

function resolve(amount: Amount, replicas: number, round: (value: number) => number): number {
  if (amount.kind === "count") return amount.count;
  return round((replicas * amount.percent) / 100);
}
