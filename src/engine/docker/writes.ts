// The calls that change containers. Each is one change, safe to repeat; none waits for a container to do anything.

import { hasCode } from "../../core/errors.ts";
import type { ResourceLimits } from "../../core/observed.ts";
import type { CreateRequest } from "../engine.ts";
import type { DockerClient } from "./client.ts";
import { encodeCreation, type NetworkConnection } from "./encode.ts";
import { encodeRestartPolicy } from "./encode-host.ts";
import { encodeLimits } from "./limits.ts";
import { inspectWorker } from "./list.ts";
import { at, parseJson, readText, root } from "./wire.ts";

/**
 * Makes a container and answers with its id. An old engine is asked once more for each further network;
 * where that fails the container is removed again, so that there is all of it or nothing.
 */
export async function createWorker(
  client: DockerClient,
  request: CreateRequest,
  signal: AbortSignal,
): Promise<string> {
  const { query, body, connections } = encodeCreation(request, await client.version(signal));
  const { text } = await client.call(
    {
      method: "POST",
      path: "/containers/create",
      query: { ...query, name: request.name },
      body,
      what: `create the container ${request.name}`,
    },
    signal,
  );
  const id = readText(at(root(parseJson(text), "container"), "Id"));
  await connectAll(client, id, request.name, connections, signal);
  return id;
}

async function connectAll(
  client: DockerClient,
  id: string,
  name: string,
  connections: readonly NetworkConnection[],
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const { network, endpoint } of connections) {
      await client.call(
        {
          method: "POST",
          path: `/networks/${encodeURIComponent(network)}/connect`,
          body: { Container: id, EndpointConfig: endpoint },
          what: `connect the container ${name} to the network ${network}`,
        },
        signal,
      );
    }
  } catch (error) {
    await undo(client, id);
    throw error;
  }
}

// Runs under no outer signal: what was begun must not be left half made because of it. A container that cannot be
// removed now is found by the next observation, so the first failure is the one to tell.
async function undo(client: DockerClient, id: string): Promise<void> {
  await removeWorker(client, id, new AbortController().signal).catch(() => undefined);
}

/** Starts a container; already running is success. */
export async function startWorker(
  client: DockerClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await post(client, id, "start", {}, "start", signal);
}

/** Renames a container. */
export async function renameWorker(
  client: DockerClient,
  id: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await post(client, id, "rename", { name }, `rename to ${name}`, signal);
}

/** Sends a signal; a container that is not running is `engine-conflict`. */
export async function signalWorker(
  client: DockerClient,
  id: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await post(client, id, "kill", { signal: name }, `send ${name} to`, signal);
}

async function post(
  client: DockerClient,
  id: string,
  verb: string,
  query: Readonly<Record<string, string>>,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/containers/${encodeURIComponent(id)}/${verb}`;
  await client.call(
    { method: "POST", path, query, what: `${what} the container ${short(id)}` },
    signal,
  );
}

/** Changes the restart policy of a container in place, and nothing else. */
export async function setRestartPolicy(
  client: DockerClient,
  id: string,
  policy: string,
  signal: AbortSignal,
): Promise<void> {
  const body = { RestartPolicy: encodeRestartPolicy(policy) };
  await update(client, id, body, "set the restart policy", signal);
}

/** Sets limits of a container in place; what is left out stays. */
export async function updateLimits(
  client: DockerClient,
  id: string,
  limits: ResourceLimits,
  signal: AbortSignal,
): Promise<void> {
  await update(client, id, encodeLimits(limits), "set limits", signal);
}

async function update(
  client: DockerClient,
  id: string,
  body: object,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/containers/${encodeURIComponent(id)}/update`;
  await client.call(
    { method: "POST", path, body, what: `${what} of the container ${short(id)}` },
    signal,
  );
}

/** Removes a stopped container, with its anonymous volumes unless they stay; gone already, or just going, is success. */
export async function removeWorker(
  client: DockerClient,
  id: string,
  signal: AbortSignal,
  stays?: "volumes",
): Promise<void> {
  try {
    await client.call(
      {
        method: "DELETE",
        path: `/containers/${encodeURIComponent(id)}`,
        query: { v: stays === "volumes" ? "0" : "1", force: "0" },
        what: `remove the container ${short(id)}`,
      },
      signal,
    );
  } catch (error) {
    if (hasCode(error, "engine-not-found")) return;
    if (hasCode(error, "engine-conflict") && (await isGoing(client, id, signal))) return;
    throw error;
  }
}

// A conflict is either a removal under way or a container that runs; only its state tells which.
async function isGoing(client: DockerClient, id: string, signal: AbortSignal): Promise<boolean> {
  const found = await inspectWorker(client, id, signal);
  return found === undefined || found.facts.run.kind === "removing";
}

/** As `docker ps` shows ids. */
function short(id: string): string {
  return id.slice(0, 12);
}
