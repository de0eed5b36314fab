// The short form of a port mapping, `[[host_ip:]published:]target[/protocol]`.

import { isIP } from "node:net";
import type { PortMapping } from "../../core/model.ts";
import { parsePlaceholders } from "../../core/placeholders.ts";
import { hintFor } from "../suggest.ts";
import { bad, good, type Reading } from "./reading.ts";

const protocols = ["tcp", "udp", "sctp"] as const;
const example = "write it as 8080:80, 127.0.0.1:8080:80/udp or 80";

export function readPort(text: string): Reading<PortMapping> {
  const match = /^(?:(?:(\[[^\]]*\]|[^:[\]]*):)?([^:[\]]*):)?([^:/[\]]+)(?:\/(.*))?$/.exec(text);
  if (match === null) return bad("is no port mapping", example);
  const [, hostIp, published, target = "", protocol = "tcp"] = match;
  return joinPort({
    target: readTargetPort(target),
    published:
      published === undefined || (published === "" && hostIp !== undefined)
        ? undefined
        : readPublished(published),
    protocol: readProtocol(protocol),
    host_ip: hostIp === undefined ? undefined : readHostIp(hostIp.replace(/^\[|\]$/g, "")),
  });
}

type Parts = {
  [K in keyof PortMapping]-?:
    | Reading<NonNullable<PortMapping[K]>>
    | (undefined extends PortMapping[K] ? undefined : never);
};

function joinPort(parts: Parts): Reading<PortMapping> {
  const { target, published, protocol, host_ip } = parts;
  for (const part of [host_ip, published, target, protocol]) if (part?.ok === false) return part;
  if (!target.ok || !protocol.ok) return bad("is no port mapping", example);
  return good({
    target: target.value,
    ...(published?.ok && { published: published.value }),
    protocol: protocol.value,
    ...(host_ip?.ok && { host_ip: host_ip.value }),
  });
}

export function readTargetPort(text: string): Reading<number> {
  if (isRange(text)) return badRange;
  return isPort(text)
    ? good(Number(text))
    : bad("has no valid container port", "ports go from 1 to 65535");
}

/** A host port, or one with a placeholder in it; what it becomes in each slot is checked with the replicas. */
export function readPublished(text: string): Reading<string> {
  if (isRange(text)) return badRange;
  if (parsePlaceholders(text).some((piece) => piece.kind !== "text")) return good(text);
  return isPort(text)
    ? good(String(Number(text)))
    : bad("has no valid host port", "ports go from 1 to 65535");
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

const badRange = bad(
  "is a range of ports",
  "this version takes one port; write one mapping a port",
);

function isRange(text: string): boolean {
  return /^\d+-\d+$/.test(text);
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}
