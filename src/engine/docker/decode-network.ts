// Networks and ports a container was asked for. Pure. Fixed addresses and links, which no template has, are left out.

import { definedOnly, unlessEmpty } from "../../core/defined.ts";
import { plainName } from "../../core/names.ts";
import type { NetworkAttachment, PortMapping, Template } from "../../core/template.ts";
import { nonsense } from "./failure.ts";
import { at, pathOf, readItems, readKeys, readOr, readText, type Wire } from "./wire.ts";

const SHORT_ID = 12;

/** The networks, or the mode that stands in their place; nothing for the engine's own bridge alone. */
export function decodeNetworks(container: Wire): Pick<Template, "networks" | "network_mode"> {
  const mode = readOr(at(container, "HostConfig", "NetworkMode"), readText, "default");
  if (["none", "host"].includes(mode) || mode.startsWith("container:"))
    return { network_mode: mode };
  const attached = at(container, "NetworkSettings", "Networks");
  const names = readKeys(attached);
  if (names.length === 0 || (names.length === 1 && names[0] === "bridge")) return {};
  const byItself = [
    readText(at(container, "Id")).slice(0, SHORT_ID),
    readOr(at(container, "Config", "Hostname"), readText, ""),
    plainName(readOr(at(container, "Name"), readText, "").replace(/^\//, "")),
  ];
  return {
    networks: Object.fromEntries(
      names.map((name) => [name, decodeAttachment(at(attached, name), byItself)]),
    ),
  };
}

// An engine before 25 adds the beginning of the id and the hostname by itself, and Compose the name, by which every container
// is reached anyhow.
function decodeAttachment(endpoint: Wire, byItself: readonly string[]): NetworkAttachment {
  const aliases = readItems(at(endpoint, "Aliases"))
    .map(readText)
    .filter((alias) => !byItself.includes(alias));
  return definedOnly<NetworkAttachment>({ aliases: unlessEmpty(aliases) });
}

/** Published ports, by container port; those the image exposes and nobody publishes are not among them. */
export function decodePorts(bindings: Wire): readonly PortMapping[] {
  return readKeys(bindings).flatMap((key) =>
    readItems(at(bindings, key)).map((binding) => decodePort(key, binding)),
  );
}

function decodePort(key: string, binding: Wire): PortMapping {
  const [target = "", protocol = "tcp"] = key.split("/");
  const published = readOr(at(binding, "HostPort"), readText, "");
  return definedOnly<PortMapping>({
    target: Number(target),
    published: published === "" || published === "0" ? undefined : published,
    protocol: asProtocol(protocol, binding),
    host_ip: readOr(at(binding, "HostIp"), readText, "") || undefined,
  });
}

function asProtocol(text: string, binding: Wire): PortMapping["protocol"] {
  if (text === "tcp" || text === "udp" || text === "sctp") return text;
  throw nonsense(`${pathOf(binding)} is of the protocol "${text}"`);
}
