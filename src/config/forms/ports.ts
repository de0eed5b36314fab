// The short form of a port mapping, `[[host_ip:]published:]target[/protocol]`.

import { isIP } from "node:net";
import { parsePlaceholders } from "../../core/placeholders.ts";
import type { PortMapping } from "../../core/template.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

const protocols = ["tcp", "udp", "sctp"] as const;
const example = "write it as 8080:80, 127.0.0.1:8080:80/udp or 80";

/**
 * One mapping, or one a port for a range of targets. A range of host ports for one target stays a range, of
 * which each slot has its own.
 */
export function readPorts(text: string): Reading<readonly PortMapping[]> {
  const match = /^(?:(?:(\[[^\]]*\]|[^:[\]]*):)?([^:[\]]*):)?([^:/[\]]+)(?:\/(.*))?$/.exec(text);
  if (match === null) return bad("is no port mapping", example);
  const [, hostIp, published, target = "", protocol = "tcp"] = match;
  const isPicked = published === undefined || (published === "" && hostIp !== undefined);
  return joinPorts({
    targets: readTargets(target),
    published: isPicked ? good(undefined) : readPublished(published),
    protocol: readProtocol(protocol),
    hostIp: hostIp === undefined ? good(undefined) : readHostIp(hostIp.replace(/^\[|\]$/g, "")),
  });
}

type Parts = {
  readonly targets: Reading<readonly number[]>;
  readonly published: Reading<string | undefined>;
  readonly protocol: Reading<PortMapping["protocol"]>;
  readonly hostIp: Reading<string | undefined>;
};

function joinPorts({
  targets,
  published,
  protocol,
  hostIp,
}: Parts): Reading<readonly PortMapping[]> {
  if (!hostIp.ok) return hostIp;
  if (!published.ok) return published;
  if (!targets.ok) return targets;
  if (!protocol.ok) return protocol;
  const hosts = hostsFor(published.value, targets.value.length);
  if (hosts === undefined)
    return bad("has ranges of two lengths", "give each container port one host port");
  return good(
    targets.value.map((target, index) => ({
      target,
      ...(published.value !== undefined && { published: hosts[index] ?? published.value }),
      protocol: protocol.value,
      ...(hostIp.value !== undefined && { host_ip: hostIp.value }),
    })),
  );
}

/** The host ports of several targets; none to choose for one target, undefined where the lengths differ. */
function hostsFor(published: string | undefined, targets: number): readonly string[] | undefined {
  if (targets === 1 || published === undefined) return [];
  const hosts = portsIn(published);
  return hosts?.length === targets ? hosts.map(String) : undefined;
}

function readTargets(text: string): Reading<readonly number[]> {
  const ports = portsIn(text);
  return ports === undefined
    ? bad("has no valid container port", "ports go from 1 to 65535")
    : good(ports);
}

export function readTargetPort(text: string): Reading<number> {
  return isPort(text)
    ? good(Number(text))
    : bad("is no container port", "ports go from 1 to 65535");
}

/** A host port, a range of them, or one with a placeholder in it; what it becomes is checked with the replicas. */
export function readPublished(text: string): Reading<string> {
  if (parsePlaceholders(text).some((piece) => piece.kind !== "text")) return good(text);
  const ports = portsIn(text);
  const [first] = ports ?? [];
  if (ports === undefined || first === undefined)
    return bad("has no valid host port", "ports go from 1 to 65535");
  return good(ports.length === 1 ? String(first) : `${first}-${first + ports.length - 1}`);
}

/** The ports of `80` or `80-89`; undefined for anything else. */
export function portsIn(text: string): readonly number[] | undefined {
  const [first = "", last = first, ...more] = text.split("-");
  if (more.length > 0 || !isPort(first) || !isPort(last) || Number(first) > Number(last))
    return undefined;
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, index) => Number(first) + index,
  );
}

export function readProtocol(text: string): Reading<PortMapping["protocol"]> {
  const protocol = protocols.find((known) => known === text.toLowerCase());
  return protocol === undefined
    ? bad("names no protocol", hintFor(text, protocols))
    : good(protocol);
}

export function readHostIp(text: string): Reading<string> {
  return isIP(text) === 0
    ? bad("has no valid host address", "write an address such as 127.0.0.1")
    : good(text);
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}
