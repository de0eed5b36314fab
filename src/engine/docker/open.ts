// Opens a Docker engine as the port's `Engine`, or as an `EngineReader` that has no way to write.

import type { Engine, EngineReader } from "../engine.ts";
import { dropClaim, listClaims, makeClaim } from "./claims.ts";
import { DockerClient } from "./client.ts";
import type { Environment } from "./dockerconfig.ts";
import { findSignalled } from "./events.ts";
import { execInWorker } from "./exec.ts";
import { findHolders, findId, inspectWorker, listWorkers } from "./list.ts";
import { readLogs } from "./logs.ts";
import { findMissingNetworks, identify, resolveImages } from "./lookups.ts";
import { pullImage } from "./pull.ts";
import { readTemplate } from "./read-template.ts";
import { findDigest } from "./registry.ts";
import type { EngineTarget } from "./target.ts";
import { Wakeup } from "./wakeup.ts";
import {
  createWorker,
  removeWorker,
  renameWorker,
  setRestartPolicy,
  signalWorker,
  startWorker,
  updateLimits,
} from "./writes.ts";

export type DockerOptions = {
  /** For ssh and credential helpers, and to find the docker config. */
  readonly environment: Environment;
  /** Milliseconds for a call, its connection included; 30 s unless given. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that a pull may be silent; 60 s unless given. */
  readonly pullSilenceMs?: number;
};

const REQUEST_TIMEOUT_MS = 30_000;
const PULL_SILENCE_MS = 60_000;

/** Opens an engine for reading only. Connects with the first call. */
export function openDockerReader(target: EngineTarget, options: DockerOptions): EngineReader {
  return readerOf(openClient(target, options));
}

/** Opens an engine. Connects with the first call. */
export function openDockerEngine(target: EngineTarget, options: DockerOptions): Engine {
  const client = openClient(target, options);
  const silenceMs = options.pullSilenceMs ?? PULL_SILENCE_MS;
  return {
    ...readerOf(client),
    createWorker: (request, signal) => createWorker(client, request, signal),
    startWorker: (id, signal) => startWorker(client, id, signal),
    renameWorker: (id, name, signal) => renameWorker(client, id, name, signal),
    setRestartPolicy: (id, policy, signal) => setRestartPolicy(client, id, policy, signal),
    updateLimits: (id, limits, signal) => updateLimits(client, id, limits, signal),
    execInWorker: (id, argv, signal) => execInWorker(client, id, argv, signal),
    signalWorker: (id, name, signal) => signalWorker(client, id, name, signal),
    removeWorker: (id, signal, stays) => removeWorker(client, id, signal, stays),
    pullImage: (reference, progress, signal, platform) =>
      pullImage(client, { reference, platform }, silenceMs, progress, signal),
    makeClaim: (claim, signal) => makeClaim(client, claim, signal),
    dropClaim: (name, signal) => dropClaim(client, name, signal),
  };
}

function openClient(target: EngineTarget, options: DockerOptions): DockerClient {
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  return new DockerClient(target, { environment: options.environment, requestTimeoutMs });
}

function readerOf(client: DockerClient): EngineReader {
  const wakeup = new Wakeup(client);
  return {
    endpoint: client.endpoint,
    identify: (signal) => identify(client, signal),
    listWorkers: async (signal, isMeant) => {
      wakeup.observationBegins();
      const listing = await listWorkers(client, signal, isMeant);
      wakeup.observationMade(listing.now);
      return listing;
    },
    inspectWorker: (idOrName, signal) => inspectWorker(client, idOrName, signal),
    findId: (meant, signal) => findId(client, meant, signal),
    resolveImages: (references, signal, platforms) =>
      resolveImages(client, references, signal, platforms),
    findDigest: (reference, signal) => findDigest(client, reference, signal),
    findHolders: (names, signal) => findHolders(client, names, signal),
    findMissingNetworks: (names, signal) => findMissingNetworks(client, names, signal),
    findSignalled: (ids, since, signal) => findSignalled(client, ids, since, signal),
    readLogs: (id, lines, signal) => readLogs(client, id, lines, signal),
    readTemplate: (idOrName, signal) => readTemplate(client, idOrName, signal),
    listClaims: (prefix, signal) => listClaims(client, prefix, signal),
    waitForChange: (milliseconds, signal) => wakeup.wait(milliseconds, signal),
    close: async () => {
      wakeup.close();
      await client.close();
    },
  };
}
