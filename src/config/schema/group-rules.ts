// Rules across the fields of a spec. Each sees only what is right by itself, and says what to change.

import type { Amount } from "../../core/model.ts";
import { expandRange, expandText } from "../../core/placeholders.ts";
import { devicesIn } from "../forms/devices.ts";
import { isPort, portsIn } from "../forms/ports.ts";
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
export function judgePorts(spec: SoundSpec, complain: Complain): void {
  const { template, replicas } = spec;
  for (const [index, mappings] of (template?.ports ?? []).entries()) {
    const wrong = (mappings ?? []).flatMap((port) =>
      port?.published ? judgePublished(port.published, replicas ?? 1, surges(spec)) : [],
    )[0];
    if (wrong !== undefined)
      complain(["template", "ports", index], wrong.message, { hint: wrong.hint });
  }
}

function surges({ rollout }: SoundSpec): boolean {
  return rollout?.maxSurge ? !isZero(rollout.maxSurge) : false;
}

type Wrong = { readonly message: string; readonly hint: string };

function judgePublished(published: string, replicas: number, isSurging: boolean): readonly Wrong[] {
  const inSlot = (slot: number) => expandRange(published, { ...sample, slot });
  if (replicas > 1 && inSlot(1) === inSlot(2))
    return [
      {
        message: `host port ${published} is one for ${replicas} workers, and only one of them can have it`,
        hint: `give each slot its own, such as "${published.slice(0, -1)}{{.Task.Slot}}" or a range, or leave the host port out`,
      },
    ];
  if (isSurging)
    return [
      {
        message: `host port ${published} together with maxSurge: for a while two workers of one slot would want it`,
        hint: "set maxSurge to 0, or leave the host port out",
      },
    ];
  return judgeLastPort(published, Math.max(1, replicas), inSlot);
}

function judgeLastPort(
  published: string,
  replicas: number,
  inSlot: (slot: number) => string,
): readonly Wrong[] {
  const last = inSlot(replicas);
  const range = portsIn(published);
  if (range !== undefined && range.length > 1 && range.length < replicas)
    return [
      {
        message: `${range.length} host ports (${published}) for ${replicas} workers`,
        hint: `widen the range to ${range[0]}-${last}`,
      },
    ];
  if (isPort(inSlot(1)) && isPort(last)) return [];
  const message = `host port ${published} becomes ${last}, which is no port`;
  return [{ message, hint: "ports go from 1 to 65535" }];
}

/** A range of device ids has one for each slot. A device may be had by several, so all else may be. */
export function judgeDeviceIds({ template, replicas = 1 }: SoundSpec, complain: Complain): void {
  for (const { id, path } of deviceIds(template)) {
    const [first, last] = devicesIn(id) ?? [];
    if (first === undefined || last === undefined || last - first + 1 >= replicas) continue;
    complain(["template", ...path], `${last - first + 1} devices (${id}) for ${replicas} workers`, {
      hint: `widen the range to ${first}-${first + replicas - 1}, or name one device`,
    });
  }
}

/** Every id with its path below the template. */
function deviceIds(template: SoundSpec["template"]) {
  const reserved = template?.deploy?.resources?.reservations?.devices;
  const places = [
    { path: ["gpus"], requests: template?.gpus },
    { path: ["deploy", "resources", "reservations", "devices"], requests: reserved },
  ];
  return places.flatMap(({ path, requests }) =>
    (requests ?? []).flatMap((request, index) =>
      (request?.device_ids ?? []).map((id = "", at) => ({
        id,
        path: [...path, index, "device_ids", at],
      })),
    ),
  );
}

const sample = { group: "a", uid: "a", taskId: "a", workerName: "a" };

/** Two workers of one name on a network answer each other's requests. */
export function judgeHostname(spec: SoundSpec, complain: Complain): void {
  const { template, replicas } = spec;
  const hostname = template?.hostname;
  if (!hostname) return;
  const named = (slot: number, taskId: string) =>
    expandText(hostname, { ...sample, slot, taskId, workerName: taskId });
  if ((replicas ?? 1) > 1 && named(1, "a") === named(2, "b"))
    complain(["template", "hostname"], `hostname ${hostname} is one for ${replicas} workers`, {
      hint: `put the slot in it: "${hostname}-{{.Task.Slot}}"`,
    });
  else if (surges(spec) && named(1, "a") === named(1, "b"))
    complain(
      ["template", "hostname"],
      `hostname ${hostname} together with maxSurge: for a while two workers of one slot have it`,
      {
        hint: `set maxSurge to 0, or put {{.Task.ID}} in it`,
      },
    );
}

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
  const deadlines = [
    ["healthyDeadlineSeconds", rollout?.healthyDeadlineSeconds ?? 300],
    ["progressDeadlineSeconds", rollout?.progressDeadlineSeconds ?? 600],
  ] as const;
  for (const [name, seconds] of deadlines.filter(([, each]) => each <= ready))
    complain(
      ["rollout", name],
      `${name} (${seconds}) leaves no time for minReadySeconds (${ready})`,
      { hint: "make it longer than minReadySeconds and the start-up" },
    );
}

/** A stop signal would end the worker that is only to take no new work. */
export function judgeQuiet({ template, drain }: SoundSpec, complain: Complain): void {
  const signal = drain?.quiet?.signal;
  if (!signal || signal !== template?.stop_signal) return;
  complain(["drain", "quiet", "signal"], `${signal} is the stop_signal, which ends the worker`, {
    hint: "name the signal after which it takes no new work, or take quiet out",
  });
}
