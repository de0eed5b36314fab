// The schemas of networks, network_mode and ports.

import * as z from "zod/mini";
import type { NetworkAttachment, PortMapping } from "../../core/template.ts";
import {
  readHostIp,
  readPorts,
  readProtocol,
  readPublished,
  readTargetPort,
} from "../forms/ports.ts";
import { bad, good } from "../forms/reading.ts";
import { choice, fields, leaf, maybe, text } from "./parts.ts";
import { networkStrangers } from "./strangers.ts";

const longPort = z.pipe(
  fields({
    target: leaf(readTargetPort, "integer"),
    published: maybe(leaf(readPublished)),
    protocol: maybe(leaf(readProtocol)),
    host_ip: maybe(leaf(readHostIp)),
    mode: maybe(choice(["host", "ingress"])),
    name: maybe(text()),
    app_protocol: maybe(text()),
  }),
  z.transform(({ target, published, protocol, host_ip }): readonly PortMapping[] => [
    {
      target,
      ...(published && { published }),
      protocol: protocol ?? "tcp",
      ...(host_ip && { host_ip }),
    },
  ]),
);

/** For each item the mappings it stands for. */
export const ports = z.array(z.union([leaf(readPorts), longPort]));

const networkName = leaf((name) =>
  /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name)
    ? good(name)
    : bad("is no name of a network", "write it as `docker network ls` shows it"),
);

export const networks = z.pipe(
  z.union([
    z.array(networkName),
    z.record(z.string(), maybe(fields({ aliases: maybe(z.array(text(1))) }, networkStrangers))),
  ]),
  z.transform((input): Readonly<Record<string, NetworkAttachment>> => {
    if (Array.isArray(input)) return Object.fromEntries(input.map((name) => [name, {}]));
    return Object.fromEntries(
      Object.entries(input).map(([name, network]) => [
        name,
        network?.aliases ? { aliases: network.aliases } : {},
      ]),
    );
  }),
);

export const networkMode = leaf((mode) => {
  if (["none", "host", "bridge"].includes(mode) || /^container:.+/.test(mode)) return good(mode);
  if (mode.startsWith("service:"))
    return bad("names a Compose service", "write container:NAME with the name of a container");
  return bad(
    "is no network mode",
    `write none, host, bridge or container:NAME; for a network of your own, networks: [${mode}]`,
  );
});
