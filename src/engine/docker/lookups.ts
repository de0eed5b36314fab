// What the engine is and has besides containers: its identity, images and networks.

import { hasCode } from "../../core/errors.ts";
import type { EngineIdentity } from "../engine.ts";
import type { DockerClient } from "./client.ts";
import { mapLimited } from "./limited.ts";
import { READS_IN_FLIGHT } from "./list.ts";
import { at, readItems, readNumber, readText, type Wire } from "./wire.ts";

/** Asks the engine who it is. Slow for a read, some 10 ms: it counts all it has. */
export async function identify(client: DockerClient, signal: AbortSignal): Promise<EngineIdentity> {
  const info = await readInfo(client, signal);
  return {
    id: readText(at(info, "ID")),
    version: readText(at(info, "ServerVersion")),
    cpus: readNumber(at(info, "NCPU")),
    memory: readNumber(at(info, "MemTotal")),
  };
}

/** `GET /info`. */
export async function readInfo(client: DockerClient, signal: AbortSignal): Promise<Wire> {
  const call = { method: "GET", path: "/info", what: "ask the engine who it is" } as const;
  return (await client.read(call, signal)).wire;
}

/** The id of each image, `null` where the engine does not have it. */
export async function resolveImages(
  client: DockerClient,
  references: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, string | null>>> {
  const ids = await mapLimited(references, READS_IN_FLIGHT, (reference) =>
    resolveImage(client, reference, signal),
  );
  return Object.fromEntries(references.map((reference, index) => [reference, ids[index] ?? null]));
}

async function resolveImage(
  client: DockerClient,
  reference: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { wire } = await client.read(
      {
        method: "GET",
        // Its slashes are part of the path; everything else must not be.
        path: `/images/${reference.split("/").map(encodeURIComponent).join("/")}/json`,
        what: `look for the image ${reference}`,
      },
      signal,
    );
    return readText(at(wire, "Id"));
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return null;
    throw error;
  }
}

/** Those of the given networks that do not exist. */
export async function findMissingNetworks(
  client: DockerClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const call = { method: "GET", path: "/networks", what: "list the networks" } as const;
  const { wire } = await client.read(call, signal);
  const present = new Set(readItems(wire).map((network) => readText(at(network, "Name"))));
  return names.filter((name) => !present.has(name));
}
