// The port to a container engine, in the core's words. Adapters implement it; nothing behind it leaks out.

import type { NameHolder, ResourceLimits, UnknownWorker, WorkerFacts } from "../core/observed.ts";
import type { Template } from "../core/template.ts";

export type EngineIdentity = {
  /** Stable id of the engine's data; two endpoints of one engine share it. */
  readonly id: string;
  readonly version: string;
  readonly cpus: number;
  /** Bytes. */
  readonly memory: number;
};

/** A listing and the engine's clock at that moment, in milliseconds. */
export type Listing = {
  readonly now: number;
  readonly workers: readonly WorkerFacts[];
  readonly unknown: readonly UnknownWorker[];
};

/**
 * A named record on the engine that never changes once it is made: what writers on different machines agree by.
 * On Docker a volume that nothing ever mounts.
 */
export type Claim = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
};

/** An image that the engine has. */
export type ImageFacts = {
  readonly id: string;
  /** The digests that registries know it by, `sha256:...`, sorted; none: it was never pulled or pushed. */
  readonly digests: readonly string[];
  /** `linux/arm64/v8`; absent: the engine does not say. */
  readonly platform?: string;
};

/** A claim as it is listed. `createdAt` is engine time (ms) to the second, where the engine tells it. */
export type ListedClaim = Claim & { readonly createdAt?: number };

/** Tells by the labels of a container whether it is worth a closer look. */
export type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

/**
 * Reads an engine and cannot write to it.
 *
 * Every method has a deadline of its own besides the given signal, and throws a `WgctlError` with an
 * `engine-*` code, or `aborted` when the signal fired.
 */
export interface EngineReader {
  /** How a person names it, and what the process lock is keyed by: `unix:///run/docker.sock`. */
  readonly endpoint: string;
  identify(signal: AbortSignal): Promise<EngineIdentity>;
  /**
   * Every container with a `dev.wgctl.uid` label whose labels are meant (all, where nothing says which), each
   * inspected. One that vanishes meanwhile is left out.
   */
  listWorkers(signal: AbortSignal, isMeant?: LabelTest): Promise<Listing>;
  /** By id or exact name; undefined: there is none. */
  inspectWorker(
    idOrName: string,
    signal: AbortSignal,
  ): Promise<{ readonly now: number; readonly facts: WorkerFacts } | undefined>;
  /**
   * The whole id of the container that a person means: by its name, its id, or the beginning of an id that fits no
   * other. Undefined: there is none.
   */
  findId(meant: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * What each image reference stands for, `null` where the engine does not have it. Asks no registry. `platforms` by
   * reference say which of several is meant, where an engine keeps several; one that does not may answer with another.
   */
  resolveImages(
    references: readonly string[],
    signal: AbortSignal,
    platforms?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, ImageFacts | null>>>;
  /**
   * The digest that a reference has in its registry now; nothing is pulled. Refused by the registry is `engine-denied`,
   * unknown to it `engine-not-found`, other trouble with it `engine-failed` or `engine-timeout`.
   */
  findDigest(reference: string, signal: AbortSignal): Promise<string>;
  /** Who holds each of these container names; a free name is left out. */
  findHolders(
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, NameHolder>>>;
  /** Those of the given networks that do not exist. */
  findMissingNetworks(names: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** Those of the given containers that were sent any signal since then (ms), by the event history. */
  findSignalled(
    ids: readonly string[],
    since: number,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** The last lines of a container's output, both streams, oldest first; none where its log driver cannot be read. */
  readLogs(id: string, lines: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * What a container was asked for, whoever made it and without what its image and the engine gave by themselves, by id or
   * exact name; undefined: there is none. Holds values that may be sensitive. What equals the image's own value is left
   * out, and so is what no container remembers: its platform, and which of its files were secrets or configs.
   */
  readTemplate(idOrName: string, signal: AbortSignal): Promise<Template | undefined>;
  /** The claims whose names begin so, and the engine's clock. One that is there all the while is never missed. */
  listClaims(
    prefix: string,
    signal: AbortSignal,
  ): Promise<{ readonly now: number; readonly claims: readonly ListedClaim[] }>;
  /** Resolves after that time (ms), or at the next event of one of our containers, whichever is sooner. Never throws. */
  waitForChange(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Gives back sockets and child processes. */
  close(): Promise<void>;
}

export type CreateRequest = {
  readonly name: string;
  /** Ours and the template's, placeholders filled in. */
  readonly labels: Readonly<Record<string, string>>;
  /** Placeholders filled in, `WGCTL_*` in the environment. */
  readonly template: Template;
};

/** Writes. Each method is one call; none waits for a container to do anything. */
export interface Engine extends EngineReader {
  /**
   * Makes a container and does not start it; answers with its id.
   * A taken name is `engine-conflict`, a missing image `engine-not-found`.
   */
  createWorker(request: CreateRequest, signal: AbortSignal): Promise<string>;
  /** Already running is success. */
  startWorker(id: string, signal: AbortSignal): Promise<void>;
  /** The name is free afterwards or the call throws. */
  renameWorker(id: string, name: string, signal: AbortSignal): Promise<void>;
  setRestartPolicy(id: string, policy: string, signal: AbortSignal): Promise<void>;
  /** Sets limits of a container that runs or will; one that is left out stays as it is. None can be taken off. */
  updateLimits(id: string, limits: ResourceLimits, signal: AbortSignal): Promise<void>;
  /**
   * Runs a command in a running container and answers with its exit code: 126 or 127 where it cannot be run. Not
   * running is `engine-conflict`; one that does not end within the call's deadline is `engine-timeout`, and goes on.
   */
  execInWorker(id: string, argv: readonly string[], signal: AbortSignal): Promise<number>;
  /** Sends a signal, `SIGTERM`. Not running is `engine-conflict`. */
  signalWorker(id: string, name: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes a stopped container, and its anonymous volumes unless they are to stay; never forced. Already gone is
   * success.
   */
  removeWorker(id: string, signal: AbortSignal, stays?: "volumes"): Promise<void>;
  /** Has a deadline on silence, none on its whole length. No platform: the engine's own. */
  pullImage(
    reference: string,
    progress: (line: string) => void,
    signal: AbortSignal,
    platform?: string,
  ): Promise<void>;
  /**
   * Makes a claim. One of that name that is there already stays as it is, which is success as well: of many made at
   * once exactly one has its labels, and a listing tells which.
   */
  makeClaim(claim: Claim, signal: AbortSignal): Promise<void>;
  /** Already gone is success. */
  dropClaim(name: string, signal: AbortSignal): Promise<void>;
}
