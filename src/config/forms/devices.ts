// Devices of the host: paths that are mapped into a worker, and ids of those that a driver picks.

import { expandText, parsePlaceholders } from "../../core/placeholders.ts";
import type { DeviceMapping } from "../../core/template.ts";
import { bad, good, type Reading } from "./reading.ts";

/** A device by the name that the Container Device Interface has for it, `vendor.com/class=name`. */
export type NamedDevice = { readonly named: string };
export type DeviceDraft = DeviceMapping | NamedDevice;

const qualified = /^[a-zA-Z][\w.-]*\/[a-zA-Z][\w-]*=[a-zA-Z0-9][\w.:-]*$/;
const ALL = "rwm";

/** `source[:target[:permissions]]`, or a qualified name. */
export function readDevice(text: string): Reading<DeviceDraft> {
  if (qualified.test(text)) return good({ named: text });
  const [source = "", target = source, permissions = ALL, ...more] = text.split(":");
  if (more.length > 0) return bad("is no device", "write it as /dev/source:/dev/target:rwm");
  return joinDevice(source, target, permissions);
}

/** The parts of a device, each checked; a target that is left out is the source's path. */
export function joinDevice(
  source: string,
  target: string = source,
  permissions: string = ALL,
): Reading<DeviceMapping> {
  const from = readDevicePath(source);
  if (!from.ok) return from;
  const to = readDeviceTarget(target, source);
  if (!to.ok) return to;
  const allowed = readPermissions(permissions);
  if (!allowed.ok) return allowed;
  return good({ source: from.value, target: to.value, permissions: allowed.value });
}

/** A path on the host; may hold placeholders. */
export function readDevicePath(text: string): Reading<string> {
  return text.startsWith("/")
    ? good(text)
    : bad("has no absolute path on the host", "write the path of the device, /dev/...");
}

function readDeviceTarget(text: string, source: string): Reading<string> {
  if (/^[rwm]+$/.test(text))
    return bad("has permissions and no target", `write it as ${source}:${source}:${text}`);
  return readTargetPath(text);
}

export function readTargetPath(text: string): Reading<string> {
  if (!text.startsWith("/"))
    return bad("has no absolute path in the container", "write the target as /dev/...");
  if (parsePlaceholders(text).some(({ kind }) => kind === "placeholder"))
    return bad(
      "has a placeholder in its target",
      "give the target a path of its own after a colon",
    );
  return good(text);
}

/** Out of `r`, `w` and `m`, in that order. */
export function readPermissions(text: string): Reading<string> {
  const ordered = [...ALL].filter((letter) => text.includes(letter)).join("");
  if (ordered.length === text.length && text !== "") return good(ordered);
  return bad("has no such permissions", "write r (read), w (write) and m (make nodes), each once");
}

/** How many devices; -1: all. */
export function readDeviceCount(text: string): Reading<number> {
  if (text.toLowerCase() === "all" || text === "-1") return good(-1);
  const isCount = /^[1-9]\d{0,3}$/.test(text);
  return isCount ? good(Number(text)) : bad("is no count of devices", "write a number, or all");
}

/** An id, one with placeholders, or a range of numbers of which slot n has the n-th. */
export function readDeviceId(text: string): Reading<string> {
  const sample = expandText(text, sampleValues);
  if (sample === "" || /\s/.test(sample))
    return bad("is no id of a device", "write it as the driver shows it, such as 0 or GPU-...");
  const range = devicesIn(text);
  if (range === undefined) return good(text);
  const [first, last] = range;
  if (first > last) return bad("ends before it begins", `write ${last}-${first}`);
  return good(first === last ? String(first) : `${first}-${last}`);
}

const sampleValues = { slot: 1, group: "a", uid: "a", taskId: "a", workerName: "a" };

/** First and last of a range of ids; undefined for any other id. */
export function devicesIn(text: string): readonly [number, number] | undefined {
  const range = /^(\d{1,6})-(\d{1,6})$/.exec(text);
  return range === null ? undefined : [Number(range[1]), Number(range[2])];
}
