// The schemas of devices, gpus and reserved devices.

import * as z from "zod/mini";
import { definedOnly } from "../../core/defined.ts";
import type { DeviceRequest } from "../../core/template.ts";
import {
  type DeviceDraft,
  readDevice,
  readDeviceCount,
  readDeviceId,
  readDevicePath,
  readPermissions,
  readTargetPath,
} from "../forms/devices.ts";
import { keyed, textsOf } from "./keyed.ts";
import { choice, fields, leaf, maybe, rule, text } from "./parts.ts";

const plainDevice = fields({
  source: leaf(readDevicePath),
  target: maybe(leaf(readTargetPath)),
  permissions: maybe(leaf(readPermissions)),
});

// Without a target the source is meant for both.
const judgeDevice = rule<z.output<typeof plainDevice>>(({ source, target }, complain) => {
  const path = source === undefined || target ? undefined : readTargetPath(source);
  if (path?.ok === false)
    complain([], "a device with a placeholder needs a target", { hint: "write target: /dev/..." });
});

const longDevice = z.pipe(
  plainDevice.check(judgeDevice),
  z.transform(
    ({ source, target, permissions }): DeviceDraft => ({
      source,
      target: target ?? source,
      permissions: permissions ?? "rwm",
    }),
  ),
);

export const devices = z.array(z.union([leaf(readDevice), longDevice]));

const options = textsOf(
  keyed(({ key }) =>
    key === "" ? { message: "is not the name of an option", about: "name" } : undefined,
  ),
);

const capabilities = z.array(text(1));

const requestFields = {
  driver: maybe(text(1)),
  count: maybe(leaf(readDeviceCount)),
  device_ids: maybe(z.array(leaf(readDeviceId))),
  options: maybe(options),
};

const gpu = fields({ ...requestFields, capabilities: maybe(capabilities) });
const reserved = fields({ ...requestFields, capabilities });

type RequestDraft = z.output<typeof gpu>;

const judgeRequest = rule<RequestDraft>(({ count, device_ids }, complain) => {
  if (count && device_ids)
    complain(["count"], "count together with device_ids", { hint: "keep one of them" });
  if (device_ids?.length === 0)
    complain(["device_ids"], "device_ids is empty", { hint: "name a device, or take it out" });
});

const judgeCapabilities = rule<RequestDraft>(({ capabilities }, complain) => {
  if (capabilities?.length === 0)
    complain(["capabilities"], "no capability that a driver could be found by", {
      hint: "write [gpu]",
    });
});

/** Neither count nor ids: all there are. */
function makeRequest(draft: RequestDraft, besides: readonly string[]): DeviceRequest {
  const { driver, count, device_ids, options } = draft;
  return definedOnly<DeviceRequest>({
    driver,
    count: count ?? (device_ids ? undefined : -1),
    device_ids: device_ids && [...new Set(device_ids)],
    capabilities: [...new Set([...(draft.capabilities ?? []), ...besides])].sort(),
    options: options && Object.keys(options).length > 0 ? options : undefined,
  });
}

const gpuRequest = z.pipe(
  gpu.check(judgeRequest),
  z.transform((draft) => makeRequest(draft, ["gpu"])),
);

/** What a service asks for under `gpus`; each has the capability `gpu` besides its own. */
export const gpus = z.pipe(
  z.union([choice(["all"]), z.array(gpuRequest)]),
  z.transform((input): readonly DeviceRequest[] =>
    input === "all" ? [makeRequest({}, ["gpu"])] : input,
  ),
);

/** What stands under `deploy.resources.reservations.devices`. */
export const reservedDevices = z.array(
  z.pipe(
    reserved.check(judgeRequest, judgeCapabilities),
    z.transform((draft) => makeRequest(draft, [])),
  ),
);
