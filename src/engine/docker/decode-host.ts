// What a container was asked of its host: limits, rights, names and devices, told from the engine's defaults. Pure.

import { definedOnly, unlessEmpty } from "../../core/defined.ts";
import { canonicalSecurityOption, OPEN_PATHS } from "../../core/security-option.ts";
import type { DeviceMapping, DeviceRequest, Template, Ulimit } from "../../core/template.ts";
import { decodeLimits } from "./limits.ts";
import {
  at,
  isAbsent,
  readFlag,
  readItems,
  readNumber,
  readOr,
  readText,
  readTexts,
  type Wire,
} from "./wire.ts";

const DEFAULT_SHM_SIZE = 64 * 1024 ** 2;

type Part = Partial<Template>;

/** Limits and what is kept free for a container. */
export function decodeResources(host: Wire, limitsSwap: boolean): Part {
  const { cpus, memory, swap, pids } = decodeLimits(host);
  return definedOnly<Part>({
    cpus,
    mem_limit: memory,
    pids_limit: pids,
    mem_reservation: numberUnless(host, "MemoryReservation", 0),
    memswap_limit: swap === -1 && !limitsSwap ? undefined : swap,
    mem_swappiness: numberUnless(host, "MemorySwappiness", -1),
    oom_score_adj: numberUnless(host, "OomScoreAdj", 0),
    shm_size: numberUnless(host, "ShmSize", DEFAULT_SHM_SIZE),
    ulimits: unlessEmpty(decodeUlimits(at(host, "Ulimits"))),
  });
}

function decodeUlimits(wire: Wire): Readonly<Record<string, Ulimit>> {
  const entries = readItems(wire).map((limit) => {
    const [soft, hard] = [readNumber(at(limit, "Soft")), readNumber(at(limit, "Hard"))];
    return [readText(at(limit, "Name")), { soft, hard }] as const;
  });
  return Object.fromEntries(entries);
}

/** What it may do and sees. */
export function decodeRights(host: Wire): Part {
  const ipc = readOr(at(host, "IpcMode"), readText, "");
  return definedOnly<Part>({
    privileged: trueOnly(host, "Privileged"),
    cap_add: unlessEmpty(decodeCapabilities(at(host, "CapAdd"))),
    cap_drop: unlessEmpty(decodeCapabilities(at(host, "CapDrop"))),
    security_opt: unlessEmpty(decodeSecurity(host)),
    read_only: trueOnly(host, "ReadonlyRootfs"),
    group_add: unlessEmpty(sortedOnce(host, "GroupAdd")),
    userns_mode: readOr(at(host, "UsernsMode"), readText, "") || undefined,
    ipc: ipc === "" || ipc === "private" ? undefined : ipc,
    pid: readOr(at(host, "PidMode"), readText, "") || undefined,
    sysctls: unlessEmpty(readTexts(at(host, "Sysctls"))),
  });
}

function decodeCapabilities(wire: Wire): readonly string[] {
  const names = readItems(wire).map((item) => readText(item).toUpperCase().replace(/^CAP_/, ""));
  return [...new Set(names)].sort();
}

/** `label=disable` is the engine's own word wherever a container is hardly kept from its host. */
function decodeSecurity(host: Wire): readonly string[] {
  const isOpen =
    readFlag(at(host, "Privileged")) ||
    ["IpcMode", "PidMode"].some((key) => readOr(at(host, key), readText, "") === "host");
  const options = (listOf(host, "SecurityOpt") ?? []).map(canonicalSecurityOption);
  const paths = hasOpenPaths(host) ? [OPEN_PATHS] : [];
  return [...new Set([...options, ...paths])]
    .sort()
    .filter((option) => !isOpen || option !== "label=disable");
}

/** Of a privileged container the engine shows none at all, and of any other one its own. */
function hasOpenPaths(host: Wire): boolean {
  const lists = [at(host, "MaskedPaths"), at(host, "ReadonlyPaths")];
  return lists.every((paths) => !isAbsent(paths) && readItems(paths).length === 0);
}

/** How it finds others by name. */
export function decodeNames(host: Wire): Part {
  return definedOnly<Part>({
    dns: listOf(host, "Dns"),
    dns_search: listOf(host, "DnsSearch"),
    dns_opt: listOf(host, "DnsOptions"),
    extra_hosts: unlessEmpty(decodeExtraHosts(at(host, "ExtraHosts"))),
  });
}

/** `host:address`, where an IPv6 address has colons of its own. */
function decodeExtraHosts(wire: Wire): Readonly<Record<string, readonly string[]>> {
  const addresses = new Map<string, readonly string[]>();
  for (const item of readItems(wire)) {
    const [, host = "", address = ""] = /^([^:=]*)[:=](.*)$/.exec(readText(item)) ?? [];
    addresses.set(host, [...(addresses.get(host) ?? []), address.replace(/^\[(.*)\]$/, "$1")]);
  }
  return Object.fromEntries(addresses);
}

/** Devices, by path and by what they can do. */
export function decodeDevices(host: Wire): Part {
  return definedOnly<Part>({
    devices: unlessEmpty(readItems(at(host, "Devices")).map(decodeDevice)),
    device_requests: unlessEmpty(readItems(at(host, "DeviceRequests")).map(decodeRequest)),
  });
}

function decodeDevice(device: Wire): DeviceMapping {
  return {
    source: readText(at(device, "PathOnHost")),
    target: readText(at(device, "PathInContainer")),
    permissions: readText(at(device, "CgroupPermissions")),
  };
}

/** Of several lists of capabilities, of which one has to be met, a template can hold the first. */
function decodeRequest(request: Wire): DeviceRequest {
  const [capabilities] = readItems(at(request, "Capabilities"));
  const names = capabilities === undefined ? [] : readItems(capabilities).map(readText);
  return definedOnly<DeviceRequest>({
    driver: readOr(at(request, "Driver"), readText, "") || undefined,
    count: numberUnless(request, "Count", 0),
    device_ids: listOf(request, "DeviceIDs"),
    capabilities: [...new Set(names)].sort(),
    options: unlessEmpty(readTexts(at(request, "Options"))),
  });
}

function listOf(wire: Wire, key: string): readonly string[] | undefined {
  return unlessEmpty(readItems(at(wire, key)).map(readText));
}

function sortedOnce(wire: Wire, key: string): readonly string[] {
  return [...new Set(listOf(wire, key))].sort();
}

function numberUnless(wire: Wire, key: string, usual: number): number | undefined {
  const value = readOr(at(wire, key), readNumber, usual);
  return value === usual ? undefined : value;
}

function trueOnly(wire: Wire, key: string): true | undefined {
  return readFlag(at(wire, key)) || undefined;
}
