// Asks the engine what a container was asked for.

import { hasCode } from "../../core/errors.ts";
import type { Template } from "../../core/template.ts";
import type { DockerClient } from "./client.ts";
import { decodeDefaults, decodeTemplate } from "./decode-template.ts";
import { findContainer } from "./list.ts";
import { readInfo } from "./lookups.ts";
import { at, readText, root, type Wire } from "./wire.ts";

/** The template of a container, whoever made it, by its id or exact name; undefined: there is none. */
export async function readTemplate(
  client: DockerClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Template | undefined> {
  const found = await findContainer(client, idOrName, signal);
  if (found === undefined) return undefined;
  const image = await readImage(client, readText(at(found.wire, "Image")), signal);
  const defaults = decodeDefaults(await readInfo(client, signal));
  return decodeTemplate(found.wire, image, defaults);
}

/** An image that was removed by force says nothing any more: all of the container then seems asked for. */
async function readImage(client: DockerClient, id: string, signal: AbortSignal): Promise<Wire> {
  const path = `/images/${encodeURIComponent(id)}/json`;
  try {
    return (await client.read({ method: "GET", path, what: `look for the image ${id}` }, signal))
      .wire;
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return root(undefined, "image");
    throw error;
  }
}
