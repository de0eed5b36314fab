// Published ports as a creation has them. Pure.

import type { PortMapping } from "../../core/template.ts";
import type { Fields } from "./ordered.ts";

/** `80/tcp` of each container port, sorted, each once. */
export function portKeys(ports: readonly PortMapping[] = []): readonly string[] {
  return [...new Set(ports.map(portKey))].sort();
}

/** Host addresses and ports by container port. */
export function encodePorts(ports: readonly PortMapping[]): Fields {
  const bindingsOf = (key: string) => ports.filter((port) => portKey(port) === key).map(binding);
  return Object.fromEntries(portKeys(ports).map((key) => [key, bindingsOf(key)]));
}

function portKey(port: PortMapping): string {
  return `${port.target}/${port.protocol}`;
}

// An empty host port lets the engine pick one.
function binding(port: PortMapping): Fields {
  return { HostIp: port.host_ip ?? "", HostPort: port.published ?? "" };
}
