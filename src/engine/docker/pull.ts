// Pulls an image. The engine answers 200 at once and tells of failures in the stream, in the registry's words.

import type { IncomingMessage } from "node:http";
import { WgctlError } from "../../core/errors.ts";
import type { Call, DockerClient } from "./client.ts";
import { readChunks, withDeadline } from "./exchange.ts";
import { oneLine } from "./failure.ts";
import { type ImageReference, parseReference } from "./reference.ts";
import { asRefusal, credentialHeader, refusal } from "./registry.ts";
import { at, parseJson, readOr, readText, root } from "./wire.ts";

/** No platform: the engine's own. */
type Wanted = { readonly reference: string; readonly platform: string | undefined };

/**
 * Pulls an image with the credentials that `docker login` left, if any, telling each step once.
 * Refused by the registry is `engine-denied`, unknown to it `engine-not-found`, other trouble
 * `engine-failed`, and `silenceMs` without a word `engine-timeout`.
 */
export async function pullImage(
  client: DockerClient,
  { reference, platform }: Wanted,
  silenceMs: number,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const image = parseReference(reference);
  const headers = await credentialHeader(client, image, progress, signal);
  const call: Call = {
    method: "POST",
    path: "/images/create",
    query: {
      ...{ fromImage: image.repository, tag: image.version },
      ...(platform === undefined ? {} : { platform }),
    },
    headers,
    what: `pull ${reference}`,
  };
  const late = () => silent(reference, silenceMs);
  await withDeadline(silenceMs, late, signal, async (inner, extend) => {
    const answer = await client.stream(call, inner).catch((error: unknown) => {
      throw asRefusal(error, image);
    });
    await follow(answer, image, reference, onceEach(progress), inner, extend);
  });
}

function silent(reference: string, silenceMs: number): WgctlError {
  return new WgctlError(
    "engine-timeout",
    `cannot pull ${reference}: nothing was heard for ${silenceMs / 1000} s`,
    { hint: "check that the engine's host reaches the registry" },
  );
}

async function follow(
  answer: IncomingMessage,
  image: ImageReference,
  reference: string,
  tell: (id: string, text: string) => void,
  signal: AbortSignal,
  heard: () => void,
): Promise<void> {
  for await (const line of readLines(answer, signal)) {
    heard();
    const message = root(parseJson(line), "pull");
    const error = readOr(at(message, "error"), readText, "");
    if (error !== "") throw refusal(`cannot pull ${reference}: ${oneLine(error)}`, image);
    const id = readOr(at(message, "id"), readText, "");
    tell(id, readOr(at(message, "status"), readText, ""));
  }
}

async function* readLines(
  answer: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(answer, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}

// The engine repeats "Downloading" with every few bytes.
function onceEach(progress: (line: string) => void): (id: string, text: string) => void {
  const last = new Map<string, string>();
  return (id, text) => {
    if (text === "" || last.get(id) === text) return;
    last.set(id, text);
    progress(id === "" ? text : `${id}: ${text}`);
  };
}
