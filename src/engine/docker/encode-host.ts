// What a template asks of the host: limits, rights, names and devices. Pure; mounts and ports have rooms of their own.

import { OPEN_PATHS } from "../../core/security-option.ts";
import type { DeviceMapping, DeviceRequest, Template } from "../../core/template.ts";
import { type Api, encodeMounts } from "./encode-mounts.ts";
import { encodePorts } from "./encode-ports.ts";
import { inBillionths } from "./limits.ts";
import { entriesOf, type Fields, sorted } from "./ordered.ts";

/** The `HostConfig` of a creation. Throws `engine-rejected` for what this engine cannot be asked. */
export function encodeHost(template: Template, firstNetwork: string | undefined, api: Api): Fields {
  return {
    ...encodeMounts(template, api),
    NetworkMode: template.network_mode ?? firstNetwork,
    PortBindings: encodePorts(template.ports ?? []),
    RestartPolicy:
      template.restart === undefined ? undefined : encodeRestartPolicy(template.restart),
    Init: template.init,
    Tmpfs: template.tmpfs,
    LogConfig: template.logging && {
      Type: template.logging.driver,
      Config: template.logging.options,
    },
    Runtime: template.runtime,
    ...encodeResources(template),
    ...encodeRights(template),
    ...encodeNames(template),
    ...encodeDevices(template),
  };
}

/** From Compose's form, where `on-failure:5` has a count. */
export function encodeRestartPolicy(policy: string): Fields {
  const [name, count] = policy.split(":");
  return { Name: name, MaximumRetryCount: count === undefined ? undefined : Number(count) };
}

function encodeResources(template: Template): Fields {
  const { ulimits } = template;
  return {
    NanoCpus: inBillionths(template.cpus),
    Memory: template.mem_limit,
    MemoryReservation: template.mem_reservation,
    MemorySwap: template.memswap_limit,
    MemorySwappiness: template.mem_swappiness,
    OomScoreAdj: template.oom_score_adj,
    PidsLimit: template.pids_limit,
    ShmSize: template.shm_size,
    Ulimits:
      ulimits &&
      entriesOf(ulimits).map(([Name, { soft, hard }]) => ({ Name, Soft: soft, Hard: hard })),
  };
}

function encodeRights(template: Template): Fields {
  return {
    Privileged: template.privileged,
    CapAdd: template.cap_add,
    CapDrop: template.cap_drop,
    ...encodeSecurity(template.security_opt),
    ReadonlyRootfs: template.read_only,
    GroupAdd: template.group_add,
    UsernsMode: template.userns_mode,
    IpcMode: template.ipc,
    PidMode: template.pid,
    Sysctls: template.sysctls && sorted(template.sysctls),
  };
}

// That the kernel's own files are open is an option to the docker command alone; the engine is given empty lists.
function encodeSecurity(options: Template["security_opt"]): Fields {
  if (!options?.includes(OPEN_PATHS)) return { SecurityOpt: options };
  const others = options.filter((option) => option !== OPEN_PATHS);
  return {
    SecurityOpt: others.length > 0 ? others : undefined,
    MaskedPaths: [],
    ReadonlyPaths: [],
  };
}

// The engine cuts `host:address` at its first colon, so that an IPv6 address stands without brackets.
function encodeNames({ dns, dns_search, dns_opt, extra_hosts }: Template): Fields {
  return {
    Dns: dns,
    DnsSearch: dns_search,
    DnsOptions: dns_opt,
    ExtraHosts:
      extra_hosts &&
      entriesOf(extra_hosts).flatMap(([host, addresses]) =>
        addresses.map((address) => `${host}:${address.replace(/^\[(.*)\]$/, "$1")}`),
      ),
  };
}

function encodeDevices({ devices, device_requests: requests }: Template): Fields {
  return { Devices: devices?.map(encodeDevice), DeviceRequests: requests?.map(encodeRequest) };
}

function encodeDevice({ source, target, permissions }: DeviceMapping): Fields {
  return { PathOnHost: source, PathInContainer: target, CgroupPermissions: permissions };
}

/** The engine takes lists of capabilities of which one has to be met; some drivers are found by their name alone. */
function encodeRequest(request: DeviceRequest): Fields {
  return {
    Driver: request.driver,
    Count: request.count,
    DeviceIDs: request.device_ids,
    Capabilities: request.capabilities.length > 0 ? [request.capabilities] : undefined,
    Options: request.options && sorted(request.options),
  };
}
