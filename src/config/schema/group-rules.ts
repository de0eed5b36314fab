// Rules across the fields of a spec. Each sees only what is right by itself, and says what to change.

import type { Amount, PortMapping } from "../../core/model.ts";
import { expandText } from "../../core/placeholders.ts";
import { isPort } from "../forms/ports.ts";
import type { Complain, Sound } from "./parts.ts";
import type { SpecDraft } from "./spec-fields.ts";

type SoundSpec = Sound<SpecDraft>;

export function judgeRollout({ rollout }: SoundSpec, complain: Complain): void {
  const { strategy, maxSurge, maxUnavailable } = rollout ?? {};
  if (strategy === "Recreate" && maxSurge && !isZero(maxSurge))
    complain(["rollout", "maxSurge"], "maxSurge has no meaning with the strategy Recreate", {
      hint: "take it out, or use RollingUpdate",
    });
  if (strategy !== "Recreate" && isZero(maxUnavailable) && isZero(maxSurge ?? noSurge))
    complain(
      ["rollout", "maxUnavailable"],
      "maxUnavailable and maxSurge are both zero, so no worker could ever be replaced",
      {
        hint: "set one of them to 1",
      },
    );
}

const noSurge: Amount = { kind: "count", count: 0 };

function isZero(amount: Sound<Amount> | null | undefined): boolean {
  return amount !== undefined && amount !== null && Object.values(amount).includes(0);
}

/** A host port can be had once: by one worker, and by none other while that one lives. */
export function judgePorts({ template, replicas, rollout }: SoundSpec, complain: Complain): void {
  const surges = rollout?.maxSurge ? !isZero(rollout.maxSurge) : false;
  for (const [index, port] of (template?.ports ?? []).entries()) {
    const published = port?.published;
    if (published === undefined) continue;
    const path = ["template", "ports", index];
    const wrong = judgePublished(published, replicas ?? 1, surges);
    if (wrong !== undefined) complain(path, wrong.message, { hint: wrong.hint });
  }
}

function judgePublished(
  published: NonNullable<PortMapping["published"]>,
  replicas: number,
  surges: boolean,
) {
  const inSlot = (slot: number) => expandText(published, { ...sample, slot });
  const fixed = inSlot(1) === inSlot(2);
  if (replicas > 1 && fixed)
    return {
      message: `host port ${published} is one for ${replicas} workers, and only one of them can have it`,
      hint: `give each slot its own, such as "${published.slice(0, -1)}{{.Task.Slot}}", or leave the host port out`,
    };
  if (surges)
    return {
      message: `host port ${published} together with maxSurge: for a while two workers of one slot would want it`,
      hint: "set maxSurge to 0, or leave the host port out",
    };
  const last = inSlot(Math.max(1, replicas));
  if (!isPort(inSlot(1)) || !isPort(last))
    return {
      message: `host port ${published} becomes ${last}, which is no port`,
      hint: "ports go from 1 to 65535",
    };
  return undefined;
}

const sample = { group: "a", uid: "a", taskId: "a", workerName: "a" };

export function judgeRestart({ template, onExit }: SoundSpec, complain: Complain): void {
  const restart = template?.restart;
  if (onExit === undefined || onExit === null) return;
  if (restart !== "always" && restart !== "unless-stopped") return;
  complain(
    ["onExit"],
    `onExit never acts with restart: ${restart}, for the engine restarts every worker first`,
    {
      hint: "take one of them out",
      about: "key",
    },
  );
}

export function judgeDeadlines({ rollout }: SoundSpec, complain: Complain): void {
  const ready = rollout?.minReadySeconds ?? 5;
  const healthy = rollout?.healthyDeadlineSeconds ?? 300;
  if (ready < healthy) return;
  complain(
    ["rollout", "healthyDeadlineSeconds"],
    `healthyDeadlineSeconds (${healthy}) leaves no time for minReadySeconds (${ready})`,
    {
      hint: "make it longer than minReadySeconds and the start-up",
    },
  );
}
