// From what the engine tells of a container and its image to what the container was asked for: the inverse of encode.ts.
// Pure. What the image or the engine gave by itself is left out; so is what a template has no words for.

import { definedOnly, unlessEmpty } from "../../core/defined.ts";
import type { Logging, Template } from "../../core/template.ts";
import { decodeRestartPolicy } from "./decode.ts";
import { decodeConfig } from "./decode-config.ts";
import { decodeDevices, decodeNames, decodeResources, decodeRights } from "./decode-host.ts";
import { decodeMounts, decodeTmpfs } from "./decode-mounts.ts";
import { decodeNetworks, decodePorts } from "./decode-network.ts";
import { at, readFlag, readOr, readText, readTexts, type Wire } from "./wire.ts";

/** What an engine gives a container that asks for nothing, as `GET /info` tells it. */
export type EngineDefaults = {
  readonly runtime: string;
  readonly logDriver: string;
  /** The host's own name, which a container in its network has. */
  readonly hostname: string;
  /** Where it cannot limit swap, it writes that there is no limit. */
  readonly limitsSwap: boolean;
};

/** Decodes the defaults in `GET /info`. */
export function decodeDefaults(info: Wire): EngineDefaults {
  return {
    runtime: readOr(at(info, "DefaultRuntime"), readText, ""),
    logDriver: readOr(at(info, "LoggingDriver"), readText, ""),
    hostname: readOr(at(info, "Name"), readText, ""),
    limitsSwap: readFlag(at(info, "SwapLimit")),
  };
}

/**
 * Decodes `GET /containers/{id}/json` with the help of `GET /images/{its image}/json`. What stands there and equals the
 * image's own cannot be told from what was not asked for, and is left out. No platform, which no container remembers, and
 * no secrets or configs: their files are read-only binds. Lists are in the engine's order, mounts by target.
 */
export function decodeTemplate(container: Wire, image: Wire, defaults: EngineDefaults): Template {
  const host = at(container, "HostConfig");
  return definedOnly<Template>({
    ...decodeConfig(container, image, defaults.hostname),
    volumes: unlessEmpty(decodeMounts(container, image)),
    tmpfs: unlessEmpty(decodeTmpfs(host)),
    ...decodeNetworks(container),
    ports: unlessEmpty(decodePorts(at(host, "PortBindings"))),
    restart: decodeRestart(host),
    init: readOr(at(host, "Init"), readFlag, undefined),
    logging: decodeLogging(at(host, "LogConfig"), defaults.logDriver),
    runtime: unless(readOr(at(host, "Runtime"), readText, ""), defaults.runtime),
    ...decodeResources(host, defaults.limitsSwap),
    ...decodeRights(host),
    ...decodeNames(host),
    ...decodeDevices(host),
  });
}

function decodeRestart(host: Wire): string | undefined {
  return unless(decodeRestartPolicy(at(host, "RestartPolicy")), "no");
}

// The engine fills the driver in, and its own options with it.
function decodeLogging(config: Wire, usual: string): Logging | undefined {
  const driver = readOr(at(config, "Type"), readText, "");
  const options = unlessEmpty(readTexts(at(config, "Config")));
  if (driver === "" || (driver === usual && options === undefined)) return undefined;
  return definedOnly<Logging>({ driver, options });
}

function unless(text: string, usual: string): string | undefined {
  return text === "" || text === usual ? undefined : text;
}
