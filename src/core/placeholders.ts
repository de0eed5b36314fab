// Placeholders in a template, Swarm's own words for them, and what they become in one worker. Which places may hold
// one is checked where manifests are read; here what is unknown stays as it is.

import type { DeviceMapping, DeviceRequest, Mount, PortMapping, Template } from "./template.ts";

/** What placeholders stand for in one worker. */
export type PlaceholderValues = {
  readonly slot: number;
  readonly group: string;
  readonly uid: string;
  /** Unique per container ever made. */
  readonly taskId: string;
  /** The container's name. */
  readonly workerName: string;
};

const meanings = {
  "Task.Slot": (values) => String(values.slot),
  "Task.ID": (values) => values.taskId,
  "Task.Name": (values) => values.workerName,
  "Service.Name": (values) => values.group,
  "Service.ID": (values) => values.uid,
} as const satisfies Readonly<Record<string, (values: PlaceholderValues) => string>>;

export type PlaceholderName = keyof typeof meanings;

/** Every placeholder there is, without its braces and leading dot. */
export const placeholderNames: readonly PlaceholderName[] = [
  "Task.Slot",
  "Task.ID",
  "Task.Name",
  "Service.Name",
  "Service.ID",
];

/** A text cut at its placeholders. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "placeholder"; readonly name: PlaceholderName }
  /** Between braces, but none of ours; `text` holds the braces too. */
  | { readonly kind: "unknown"; readonly text: string };

// A quoted text in braces (how a Go template writes literal braces), a field in braces, or braces that never close.
const braces = /\{\{\s*"((?:[^"\\]|\\.)*)"\s*\}\}|\{\{([^{}]*)\}\}|\{\{/g;

/** Cuts a text at its placeholders; `{{"{{"}}` is the literal text between the quotes. */
export function parsePlaceholders(text: string): readonly Piece[] {
  if (!text.includes("{{")) return text === "" ? [] : [{ kind: "text", text }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(braces)) {
    if (match.index > end) pieces.push({ kind: "text", text: text.slice(end, match.index) });
    pieces.push(parseBraces(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: "text", text: text.slice(end) });
  return pieces;
}

function parseBraces([whole, literal, field]: RegExpMatchArray): Piece {
  if (literal !== undefined) return { kind: "text", text: literal.replace(/\\(.)/g, "$1") };
  const name = placeholderNames.find((known) => `.${known}` === field?.trim());
  return name === undefined ? { kind: "unknown", text: whole } : { kind: "placeholder", name };
}

/** Fills the placeholders of one text. */
export function expandText(text: string, values: PlaceholderValues): string {
  return parsePlaceholders(text)
    .map((piece) => (piece.kind === "placeholder" ? meanings[piece.name](values) : piece.text))
    .join("");
}

/**
 * Fills the placeholders of a template for one worker, in the places that may hold them: environment,
 * command, entrypoint, hostname, label values, sources of volumes and devices, published ports and device ids. Of
 * a range of ports or device ids the worker has the one of its slot.
 */
export function expandTemplate(template: Template, values: PlaceholderValues): Template {
  const expand = (text: string) => expandText(text, values);
  const { command, entrypoint, environment, hostname, labels, volumes, ports } = template;
  const { devices, device_requests } = template;
  return {
    ...template,
    ...(command && { command: command.map(expand) }),
    ...(entrypoint && { entrypoint: entrypoint.map(expand) }),
    ...(environment && { environment: expandRecord(environment, expand) }),
    ...(hostname !== undefined && { hostname: expand(hostname) }),
    ...(labels && { labels: expandRecord(labels, expand) }),
    ...(volumes && { volumes: volumes.map((mount) => expandMount(mount, expand)) }),
    ...(ports && { ports: ports.map((port) => expandPort(port, values)) }),
    ...(devices && { devices: devices.map((device) => expandDevice(device, expand)) }),
    ...(device_requests && {
      device_requests: device_requests.map((request) => expandRequest(request, values)),
    }),
  };
}

type Expand = (text: string) => string;

function expandRecord(record: Readonly<Record<string, string>>, expand: Expand) {
  return Object.fromEntries(Object.entries(record).map(([key, text]) => [key, expand(text)]));
}

function expandMount(mount: Mount, expand: Expand): Mount {
  return mount.source === undefined ? mount : { ...mount, source: expand(mount.source) };
}

function expandDevice(device: DeviceMapping, expand: Expand): DeviceMapping {
  return { ...device, source: expand(device.source) };
}

function expandPort(port: PortMapping, values: PlaceholderValues): PortMapping {
  return port.published === undefined
    ? port
    : { ...port, published: expandRange(port.published, values) };
}

function expandRequest(request: DeviceRequest, values: PlaceholderValues): DeviceRequest {
  const { device_ids: ids } = request;
  return ids === undefined
    ? request
    : { ...request, device_ids: ids.map((id) => expandRange(id, values)) };
}

/** The host port or device id of one worker: placeholders filled in, of a range such as `0-3` the n-th for slot n. */
export function expandRange(text: string, values: PlaceholderValues): string {
  const range = /^(\d+)-\d+$/.exec(text);
  if (range === null) return expandText(text, values);
  return String(Number(range[1]) + values.slot - 1);
}
