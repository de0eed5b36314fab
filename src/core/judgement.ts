// One condition before it is written: said in words that stay the same while the situation does, and stamped with times.

import type { Condition, ConditionReason, ConditionType } from "./status-types.ts";
import { toIso } from "./time.ts";

export type Judgement = Pick<Condition, "type" | "status" | "reason" | "message">;

/** A judgement, its message made steady. */
export function say(
  type: ConditionType,
  status: Condition["status"],
  reason: ConditionReason,
  message: string,
): Judgement {
  return { type, status, reason, message: steady(message) };
}

/** Stamps judgements; the transition time moves only when a status does. */
export function stamp(
  judgements: readonly Judgement[],
  previous: readonly Condition[],
  generation: number,
  now: number,
): readonly Condition[] {
  return judgements.map(({ type, status, reason, message }) => {
    const before = previous.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : toIso(now);
    return { type, status, observedGeneration: generation, lastTransitionTime, reason, message };
  });
}

/** Without ids, times, durations and ports that happened to be taken: an ellipsis stands for each. */
export function steady(message: string): string {
  return (
    message
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})?/g, "…")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "…")
      .replace(/\b[0-9a-f]{12,}\b/gi, "…")
      .replace(/\b\d+(\.\d+)?(ms|s|m|h)\b/g, "…")
      // The port that a connection happened to leave from.
      .replace(/:\d+->/g, ":…->")
  );
}
