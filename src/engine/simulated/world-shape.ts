// The shape of a world in a file. Everything may be left out; what is there is checked, because people write it too.

import { WgctlError } from "../../core/errors.ts";
import type { Template } from "../../core/template.ts";
import type { Registry } from "./script.ts";
import {
  anything,
  flag,
  list,
  number,
  object,
  oneOf,
  record,
  type Shape,
  text,
  textOr,
  union,
} from "./shape.ts";
import type { World, WorldOptions } from "./world.ts";
import { newWorld, WORLD_FORMAT_VERSION } from "./world.ts";

const code = oneOf(
  ...["engine-unreachable", "engine-timeout", "engine-rejected", "engine-denied"],
  ...["engine-not-found", "engine-conflict", "engine-failed"],
);

const call = oneOf(
  ...["any", "identify", "listWorkers", "inspectWorker", "resolveImages", "findHolders"],
  ...[
    "findMissingNetworks",
    "findDigest",
    "findSignalled",
    "createWorker",
    "startWorker",
    "renameWorker",
  ],
  ...["setRestartPolicy", "signalWorker", "removeWorker", "pullImage"],
  ...["listClaims", "makeClaim", "dropClaim", "readLogs", "updateLimits", "execInWorker"],
  ...["readTemplate", "findId"],
);

const command = object(
  {},
  {
    ...{ code: number, quiets: flag, hangs: flag },
    later: object({ after: number, code: number }, { since: oneOf("start", "quiet") }),
  },
);

const life = object(
  {},
  {
    match: object({}, { image: text, command: text, label: text, name: text }),
    starts: number,
    refuse: object({ code, message: text }),
    end: object({ after: number }, { code: number, outOfMemory: flag }),
    healthy: textOr(oneOf("never"), object({}, { from: number, until: number })),
    stop: textOr(oneOf("ignore"), object({}, { after: number, code: number })),
    quiet: object({ after: number }, { code: number }),
    commands: record(command),
    log: list(text),
  },
);

const kind = text;
const effect = union({
  "fail-before": object({ kind, code }, { message: text }),
  "fail-after": object({ kind, code }, { message: text }),
  slow: object({ kind, seconds: number }),
  late: object({ kind, seconds: number }, { code }),
  hang: object({ kind }),
  stale: object({ kind, seconds: number }),
  unknown: object({ kind, name: text }),
  "leave-dead": object({ kind }),
});

const times: Shape = textOr(oneOf("always"), number);
const fault = object({ call, effect }, { on: text, skip: number, times });

const image = object(
  { id: text },
  { labels: record(text), healthcheck: anything, stopSignal: text, pulled: flag },
);
const offer = union({
  image: object({ kind, image }, { seconds: number }),
  refusal: object({ kind, code, message: text }),
  silence: object({ kind }),
});

const TEMPLATE_FIELDS = {
  ...{ command: anything, entrypoint: anything, environment: anything, labels: anything },
  ...{ volumes: anything, networks: anything, network_mode: anything, ports: anything },
  ...{
    restart: anything,
    healthcheck: anything,
    stop_signal: anything,
    stop_grace_period: anything,
  },
  ...{ cpus: anything, mem_limit: anything, pids_limit: anything, mem_reservation: anything },
  ...{ cpu_reservation: anything, working_dir: anything, user: anything, hostname: anything },
  ...{ init: anything, tmpfs: anything, logging: anything, platform: anything, runtime: anything },
  ...{ privileged: anything, cap_add: anything, cap_drop: anything, security_opt: anything },
  ...{ read_only: anything, group_add: anything, userns_mode: anything, ipc: anything },
  ...{ pid: anything, ulimits: anything, sysctls: anything, shm_size: anything },
  ...{ memswap_limit: anything, mem_swappiness: anything, oom_score_adj: anything },
  ...{ dns: anything, dns_search: anything, dns_opt: anything, extra_hosts: anything },
  ...{ devices: anything, device_requests: anything, secrets: anything, configs: anything },
} satisfies Record<Exclude<keyof Template, "image">, Shape>;

const container = object(
  {
    ...{ id: text, name: text, labels: record(text), imageId: text, createdAt: number },
    ...{ template: object({ image: text }, TEMPLATE_FIELDS), networks: list(text) },
    ...{ restartPolicy: text, restartCount: number, restartWait: number, starts: number },
    ...{ restartCalledOff: flag, stoppedByHand: flag, state: record(anything) },
  },
  {
    ...{ check: record(anything), stopSignal: text, health: record(anything), verdict: flag },
    limits: object({}, { cpus: number, memory: number, swap: anything, pids: number }),
  },
);

const world = object(
  {},
  {
    formatVersion: oneOf(WORLD_FORMAT_VERSION),
    engine: object({}, { id: text, version: text, cpus: number, memory: number }),
    ...{ now: number, made: number, events: number, wakeUps: number },
    containers: record(container),
    names: record(text),
    images: record(image),
    tags: record(text),
    networks: list(text),
    claims: record(record(text)),
    registry: object({}, { anything: flag, down: text, images: record(offer) }),
    capacity: object({}, { workers: number, cpus: number, memory: number }),
    lives: list(life),
    faults: list(fault),
    late: list(object({ at: number, inFlight: object({ id: text, call: record(anything) }) })),
    signals: list(object({ at: number, id: text, number })),
  },
);

/** A world as a file may hold it. */
type Sketch = Omit<Partial<World>, "registry" | "engine"> & {
  readonly registry?: Partial<Registry>;
  readonly engine?: WorldOptions["engine"];
};

/** Fills a world up that came from a file. Throws `invalid-input`, and `newer-version` for a later format. */
export function decodeWorld(value: unknown): World {
  requireSketch(value);
  const { tags = {}, engine, registry, images, networks, ...rest } = value;
  const base = newWorld({
    tags,
    ...(engine === undefined ? {} : { engine }),
    registry: { anything: true, ...registry },
  });
  return {
    ...base,
    ...rest,
    images: { ...base.images, ...images },
    networks: [...new Set([...base.networks, ...(networks ?? [])])],
    names: heldNames(value),
  };
}

/** A create that ended with its process holds no name, and neither does a container that somebody took out of the file. */
function heldNames({ names = {}, containers = {}, late = [] }: Sketch): Record<string, string> {
  const ids = new Set([...Object.keys(containers), ...late.map(({ inFlight }) => inFlight.id)]);
  return Object.fromEntries(Object.entries(names).filter(([, id]) => ids.has(id)));
}

function requireSketch(value: unknown): asserts value is Sketch {
  requireKnownVersion(value);
  world(value, "world");
}

function requireKnownVersion(value: unknown): void {
  if (typeof value !== "object" || value === null || !("formatVersion" in value)) return;
  const { formatVersion: version } = value;
  if (typeof version !== "number" || version <= WORLD_FORMAT_VERSION) return;
  throw new WgctlError("newer-version", `the world is of format ${version}, made by a newer wgctl`);
}
