// The simulated engine's world: plain data that can be cloned, compared and kept in a file. Changed in place by the
// functions beside it; holds no behaviour. How it behaves is written in docs/simulated-engine.md.

import { sha256 } from "../../core/digest.ts";
import type { HealthFacts, ResourceLimits } from "../../core/observed.ts";
import type { Healthcheck, Template } from "../../core/template.ts";
import type { EngineIdentity } from "../engine.ts";
import type { Capacity, Fault, Image, Life, Registry } from "./script.ts";
import type { InFlight } from "./write-call.ts";

export const WORLD_FORMAT_VERSION = 1;

export type World = {
  readonly formatVersion: typeof WORLD_FORMAT_VERSION;
  readonly engine: EngineIdentity;
  /** Virtual time, in milliseconds since 1970. */
  now: number;
  /** Containers ever begun; ids are made from it. */
  made: number;
  /** By id, in order of creation. */
  readonly containers: Record<string, Container>;
  /** Id of the container that holds each name. A name is held before its container is there. */
  readonly names: Record<string, string>;
  /** By id. */
  readonly images: Record<string, Image>;
  /** Image id of each reference, in its whole form: `mailer:1`, `ghcr.io/acme/mailer:latest`. */
  readonly tags: Record<string, string>;
  readonly networks: string[];
  /** Labels of each claim, by its name. */
  readonly claims: Record<string, Readonly<Record<string, string>>>;
  readonly registry: Registry;
  readonly capacity: Capacity;
  /** How workers behave; the first that matches counts. */
  readonly lives: Life[];
  /** What goes wrong with calls; the first that matches counts. */
  readonly faults: Fault[];
  /** Effects of calls that nobody waits for any more. */
  readonly late: { readonly at: number; readonly inFlight: InFlight }[];
  /** Events of all kinds ever. */
  events: number;
  /** The signals among the latest events, oldest first: all that is ever asked of the history. */
  readonly signals: SignalEvent[];
  /** Events of our containers ever, of the kinds that wake who waits for a change. */
  wakeUps: number;
};

export type Container = {
  readonly id: string;
  name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly imageId: string;
  readonly createdAt: number;
  readonly template: Template;
  /** Whole: the template's and the image's, with the engine's defaults; undefined: nothing checks it. */
  readonly check: Check | undefined;
  readonly stopSignal: string | undefined;
  readonly networks: string[];
  /** What was set since it was made; what is absent is the template's. */
  limits?: ResourceLimits;
  restartPolicy: string;
  restartCount: number;
  /** How long the engine waits before the next restart, in milliseconds; 0: none yet. */
  restartWait: number;
  /** A signal called off all restarts until the next start by a person. */
  restartCalledOff: boolean;
  /** It was sent a signal; `unless-stopped` asks for this when the engine starts. */
  stoppedByHand: boolean;
  /** Times its process was started. */
  starts: number;
  /** Kept when it stops and when it starts again. */
  health: { status: HealthFacts["status"]; streak: number; log: Probe[] } | undefined;
  /** What a person made of its health check, whatever its life says. */
  verdict: boolean | undefined;
  state: ContainerState;
};

/** Seconds, as in a template. */
export type Check = Required<Omit<Healthcheck, "test">>;

export type Probe = HealthFacts["log"][number];

export type ContainerState =
  | { readonly kind: "created"; readonly error?: string; readonly exitCode?: number }
  | Running
  | { readonly kind: "paused"; readonly at: number; readonly running: Running }
  | { readonly kind: "restarting"; readonly last: Ended; readonly at: number }
  | ({ readonly kind: "exited"; readonly error?: string } & Ended)
  | { readonly kind: "removing" }
  | { readonly kind: "dead" };

export type Running = {
  readonly kind: "running";
  readonly startedAt: number;
  /** When it was told to take no new work. */
  readonly quietAt?: number;
  /** When and how it will end, as far as that is settled. */
  readonly end: Exit | undefined;
  /** When the next probe of its health comes to an end. */
  readonly probeAt: number | undefined;
};

export type Exit = { readonly at: number; readonly code: number; readonly outOfMemory: boolean };

export type Ended = {
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly oomKilled: boolean;
};

export type SignalEvent = {
  readonly at: number;
  /** Id of the container. */
  readonly id: string;
  /** Events before it. */
  readonly number: number;
};

/** What a new world may be told; everything else starts empty. */
export type WorldOptions = {
  readonly engine?: Partial<EngineIdentity>;
  readonly now?: number;
  /** References to image ids. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly registry?: Partial<Registry>;
  readonly capacity?: Capacity;
  readonly lives?: readonly Life[];
  readonly faults?: readonly Fault[];
};

/** 2026-01-01T00:00:00Z. */
const BEGINNING = 1_767_225_600_000;
const NETWORKS = ["bridge", "host", "none"];

/** Id of the engine of a world that was given none. */
export const UNNAMED = "simulated";

/** A world without containers. */
export function newWorld(options: WorldOptions = {}): World {
  const { tags = {}, networks = [], registry, engine } = options;
  return {
    formatVersion: WORLD_FORMAT_VERSION,
    engine: { id: UNNAMED, version: "simulated", cpus: 4, memory: 8 * 1024 ** 3, ...engine },
    now: options.now ?? BEGINNING,
    made: 0,
    containers: {},
    names: {},
    images: Object.fromEntries(Object.values(tags).map((id) => [id, { id }])),
    tags: { ...tags },
    networks: [...NETWORKS, ...networks],
    claims: {},
    registry: { anything: false, ...registry, images: { ...registry?.images } },
    capacity: { ...options.capacity },
    lives: [...(options.lives ?? [])],
    faults: structuredClone([...(options.faults ?? [])]),
    late: [],
    events: 0,
    signals: [],
    wakeUps: 0,
  };
}

/** The next container id of this world: 64 hex digits. */
export function nextId(world: World): string {
  world.made += 1;
  return sha256(`${world.engine.id}/${world.made}`);
}

/** All containers, oldest first. */
export function containersOf(world: World): readonly Container[] {
  return Object.values(world.containers);
}

/** A container by its id or name, as the engine's calls take it; also by the unique beginning of its id. */
export function findContainer(world: World, idOrName: string): Container | undefined {
  const named = world.names[idOrName];
  const exact = world.containers[idOrName] ?? (named && world.containers[named]);
  if (exact) return exact;
  const alike =
    idOrName === "" ? [] : Object.keys(world.containers).filter((id) => id.startsWith(idOrName));
  const [only] = alike;
  return alike.length === 1 && only !== undefined ? world.containers[only] : undefined;
}
