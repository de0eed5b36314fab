// What the engine is and has besides containers: its identity, images and networks.

import { hasCode } from "../../core/errors.ts";
import type { EngineIdentity, ImageFacts } from "../engine.ts";
import type { DockerClient } from "./client.ts";
import { mapLimited } from "./limited.ts";
import { READS_IN_FLIGHT } from "./list.ts";
import { at, readItems, readNumber, readOr, readText, type Wire } from "./wire.ts";

/** First API version that can be asked for an image of one platform. */
const PLATFORM_OF_IMAGE = 49;

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

/** Each image, `null` where the engine does not have it. */
export async function resolveImages(
  client: DockerClient,
  references: readonly string[],
  signal: AbortSignal,
  platforms: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, ImageFacts | null>>> {
  const found = await mapLimited(references, READS_IN_FLIGHT, (reference) =>
    resolveImage(client, reference, platforms[reference], signal),
  );
  return Object.fromEntries(
    references.map((reference, index) => [reference, found[index] ?? null]),
  );
}

async function resolveImage(
  client: DockerClient,
  reference: string,
  platform: string | undefined,
  signal: AbortSignal,
): Promise<ImageFacts | null> {
  const isAsked = platform !== undefined && (await client.version(signal)) >= PLATFORM_OF_IMAGE;
  try {
    const { wire } = await client.read(
      {
        method: "GET",
        // Its slashes are part of the path; everything else must not be.
        path: `/images/${reference.split("/").map(encodeURIComponent).join("/")}/json`,
        ...(isAsked ? { query: { platform: platformJson(platform) } } : {}),
        what: `look for the image ${reference}`,
      },
      signal,
    );
    return {
      id: readText(at(wire, "Id")),
      digests: readDigests(at(wire, "RepoDigests")),
      ...platformOf(wire),
    };
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return null;
    throw error;
  }
}

/** `linux/arm/v7` as the API writes it. */
function platformJson(platform: string): string {
  const [os, architecture, variant] = platform.split("/");
  return JSON.stringify({ os, architecture, variant });
}

function platformOf(image: Wire): { readonly platform?: string } {
  const parts = ["Os", "Architecture", "Variant"].map((key) =>
    readOr(at(image, key), readText, ""),
  );
  const said = parts.filter((part) => part !== "");
  return said.length < 2 ? {} : { platform: said.join("/") };
}

/** Whatever repository it came from, `ghcr.io/acme/mailer@sha256:...`: one digest means one content. */
function readDigests(wire: Wire): readonly string[] {
  const digests = readItems(wire).map((item) => readText(item).replace(/^.*@/, ""));
  return [...new Set(digests)].sort();
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
