// What all calls that reach a registry through the engine share: credentials, and the registry's refusals told apart.

import { type ErrorCode, hasCode, WgctlError } from "../../core/errors.ts";
import type { DockerClient } from "./client.ts";
import { encodeCredentials, loadCredentials } from "./credentials.ts";
import { type ImageReference, parseReference } from "./reference.ts";
import { at, readText } from "./wire.ts";

// Engines pass on a registry's refusal as status 404, 500 or as a line of the stream; only its words, which the
// registry protocol fixes, tell one from another. "Denied" comes first: Docker Hub says "access denied,
// repository does not exist" for both.
const REFUSALS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/unauthorized|denied|authentication required|no basic auth|forbidden/i, "engine-denied"],
  [
    /manifest unknown|name unknown|not found|does not exist|no matching manifest/i,
    "engine-not-found",
  ],
];

/** The digest that a reference has in its registry now. Nothing is pulled, and the engine stays as it is. */
export async function findDigest(
  client: DockerClient,
  reference: string,
  signal: AbortSignal,
): Promise<string> {
  const image = parseReference(reference);
  const headers = await credentialHeader(client, image, () => undefined, signal);
  const path = `/distribution/${reference.split("/").map(encodeURIComponent).join("/")}/json`;
  const what = `ask the registry for ${reference}`;
  try {
    const { wire } = await client.read({ method: "GET", path, headers, what }, signal);
    return readText(at(wire, "Descriptor", "digest"));
  } catch (error) {
    throw asRefusal(error, image);
  }
}

/** A public image can be had without credentials, so trouble with them is told and ends nothing. */
export async function credentialHeader(
  client: DockerClient,
  image: ImageReference,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  try {
    const found = await loadCredentials(image.registry, client.environment, signal);
    return found === undefined ? {} : { "X-Registry-Auth": encodeCredentials(found) };
  } catch (error) {
    if (!(error instanceof WgctlError)) throw error;
    tell(`${error.message}; pulling without credentials`);
    return {};
  }
}

/** The error of a call that the registry may have refused, with the code that its words mean. */
export function asRefusal(error: unknown, image: ImageReference): unknown {
  if (!hasCode(error, "engine-failed", "engine-not-found", "engine-denied")) return error;
  return refusal(error.message, image, error.code);
}

/** An error in a registry's words, with the code that they mean. */
export function refusal(
  message: string,
  image: ImageReference,
  otherwise: ErrorCode = "engine-failed",
): WgctlError {
  const code = REFUSALS.find(([words]) => words.test(message))?.[1] ?? otherwise;
  return new WgctlError(code, message, hintFor(code, image));
}

function hintFor(code: ErrorCode, image: ImageReference): { readonly hint?: string } {
  if (code === "engine-denied") return { hint: `log in first: docker login ${image.registry}` };
  if (code === "engine-not-found") return { hint: "check the image's name and tag" };
  return {};
}
