// A pure, cheap engine for one random world: what is there, how time goes on, and what an observation sees of it.
// `deeds.ts` says what actions do to it.

import type {
  DesiredGroup,
  DrainPolicy,
  GroupIdentity,
  GroupSpec,
} from "../../../../src/core/model.ts";
import type {
  AdoptedContainer,
  RunFacts,
  Snapshot,
  WorkerFacts,
} from "../../../../src/core/observed.ts";
import type { StatusDocument, UncertainRecord } from "../../../../src/core/status-types.ts";
import { IMAGE, MAILER, OTHER_IMAGE } from "../../../support/scene.ts";
import { BAD, type Declared, type Nature, type Recipe } from "./recipe.ts";

export const OTHER: GroupIdentity = { uid: "uid-2", namespace: "shop", name: "other" };
export const IDENTITIES = [MAILER, OTHER] as const;
export const PROJECT = "project-1";

/** Time a worker takes to become healthy, and to stop when asked. */
export const READY_MS = 3_000;
export const STOP_MS = 2_000;
/** Time it takes to come to the end of its work once it takes no more, and in which it may. */
export const DRAIN_MS = 3_000;
export const DRAIN_SECONDS = 7;
const JOB_MS = 8_000;
const SICK_MS = 30_000;
const CRASH_MS = 1_000;
const RESTART_MS = 1_000;

/** A container, and what it will come to. */
export type Box = {
  readonly facts: WorkerFacts;
  readonly nature: Nature;
  /** When it ends because it was asked to. */
  readonly ends: number | undefined;
  /** It has said that it has nothing left to do. */
  readonly hasAnswered: boolean;
};

/** A group of the world: what its manifest says, and whether there still is one. */
export type Declaration = {
  readonly identity: GroupIdentity;
  readonly declared: Declared;
  readonly fate: "stays" | "deleted" | "orphan";
  /** Ids of the containers that it adopts. */
  readonly adopt: readonly string[];
};

export type Room = {
  /** Engine time in milliseconds; observations see whole seconds. */
  readonly now: number;
  readonly groups: readonly Declaration[];
  readonly boxes: readonly Box[];
  /** Creates on their way that nobody got an answer to. */
  readonly late: readonly { readonly box: Box; readonly at: number }[];
  readonly images: Snapshot["images"];
  /** What was said to which process in which phase, as far as the journal or the event history knows of it. */
  readonly history: readonly string[];
  /** The same, as it was in truth. */
  readonly asked: readonly string[];
  readonly probes: Snapshot["probes"];
  /** How workers of bad revisions fail; undefined: they do not any more. */
  readonly badness: Recipe["badness"] | undefined;
  /** Names that somebody else holds. */
  readonly squatters: readonly string[];
  /** Id of a container that the engine says nothing of. */
  readonly mute: string | undefined;
  readonly hasNetwork: boolean;
  readonly memory: StatusDocument | undefined;
  /** Creates without an answer that the journal knows of, by UID. */
  readonly uncertain: Readonly<Record<string, readonly UncertainRecord[]>>;
  readonly isChecked: boolean;
  readonly prune: boolean;
  readonly budget: number;
  /** When somebody asked for another try of what had failed. */
  readonly retryBefore: number | undefined;
  /** How those live that are made from now on. */
  readonly newborn: Nature;
  readonly made: number;
};

export const IMAGES = { "mailer:1": IMAGE, "mailer:2": OTHER_IMAGE, "mailer:9": null } as const;
export const PULLED = "sha256:cccc";

/** What a group declares, as the planner takes it; undefined for one that has left the files. */
export function desiredOf({
  adopt,
  identity,
  declared,
  fate,
}: Declaration): DesiredGroup | undefined {
  if (fate === "orphan") return undefined;
  const base = {
    identity,
    deletionTimestamp: fate === "deleted" ? "2026-11-29T12:00:00Z" : undefined,
    place: { file: "group.yaml", line: 1, column: 1 },
  };
  // What a spec adopts that cannot be read nobody knows: it would outlive its group.
  const isReadable = declared.hold !== "invalid" || (fate === "deleted" && adopt.length > 0);
  if (!isReadable) return { kind: "invalid", ...base, problems: [] };
  const { replicas, strategy, maxUnavailable, maxSurge, minReadySeconds, hold } = declared;
  const { onFailure, onUnhealthy } = declared;
  const drain = drainOf(declared);
  return {
    kind: "valid",
    ...base,
    ...(adopt.length > 0 && { adopt }),
    // Any text that differs where the spec does: a real digest costs more than the rest of a look.
    specDigest: JSON.stringify(declared),
    spec: {
      replicas,
      template: templateOf(declared),
      pullPolicy: hold === "never-pull" ? "never" : "missing",
      ...exitPolicy(declared),
      ...(drain === undefined ? {} : { drain }),
      onUnhealthy,
      restartNonce: declared.nonce,
      suspend: hold === "suspended",
      rollout: {
        ...{ strategy, maxUnavailable, maxSurge, minReadySeconds },
        ...{ healthyDeadlineSeconds: 60, progressDeadlineSeconds: 600, onFailure },
        paused: hold === "paused",
      },
    },
  };
}

/** Only where the engine leaves workers exited: together the two are an error of the manifest. */
function exitPolicy({ onExit, restart }: Declared): Pick<GroupSpec, "onExit"> {
  return onExit === "" || restart !== "no" ? {} : { onExit: { success: onExit, failure: onExit } };
}

/** How a manifest has its workers drained; undefined: by the stop signal alone. */
export function drainOf({ drain }: Declared): DrainPolicy | undefined {
  const waitFor = { exec: ["idle"], timeoutSeconds: DRAIN_SECONDS };
  switch (drain) {
    case "":
      return undefined;
    case "signal":
      return { quiet: { kind: "signal", signal: "TSTP" } };
    case "exec":
      return { quiet: { kind: "exec", exec: ["quiet"] } };
    case "wait":
      return { waitFor };
    case "both":
      return { quiet: { kind: "exec", exec: ["quiet"] }, waitFor };
  }
}

/** The template of a manifest; it needs a network only where that is missing. */
export function templateOf({ command, image, restart, hold, cpus }: Declared) {
  return {
    image,
    command: [command],
    ...(cpus === "" ? {} : { cpus: Number(cpus) }),
    ...(restart === "no" ? {} : { restart }),
    ...(hold === "no-network" ? { networks: { shop: {} } } : {}),
  };
}

/** The same for containers that are of one revision: policies and limits are no part of it. */
export function sortOf({ imageId, labels }: Pick<WorkerFacts, "imageId" | "labels">): string {
  if (labels["dev.wgctl.nonce"] === ADOPTED) return ADOPTED;
  const template = (labels["dev.wgctl.template"] ?? "").replace(IN_PLACE, "");
  return [imageId, labels["dev.wgctl.nonce"] ?? "", template].join();
}

/** Stands in the labels of what somebody else made; no observation shows them. */
export const ADOPTED = "adopted";

const IN_PLACE = /,?"(restart|cpus|mem_limit)":("[^"]*"|[0-9.]+)/g;

/** Which process of which container. */
export function processOf({ id, run }: WorkerFacts): string {
  return `${id}@${"startedAt" in run ? run.startedAt : ""}`;
}

/** What was said to a process, in the phase that it is in: to take no new work, or to stop. */
export function saidTo(facts: WorkerFacts): string {
  return /[.]draining-[0-9]+$/.test(facts.name) ? `quiet ${processOf(facts)}` : processOf(facts);
}

/** Whether it is of a revision that fails in this world. */
export function isBad({ facts }: Pick<Box, "facts">, { badness }: Pick<Room, "badness">): boolean {
  return badness !== undefined && (facts.labels["dev.wgctl.template"] ?? "").includes(`"${BAD}"`);
}

/** What one observation sees; the names and networks of `lookAhead` are not asked for yet. */
export function snapshotOf(room: Room): Snapshot {
  const all = room.boxes.map((box) => box.facts);
  const adopt = new Set(room.groups.flatMap((group) => group.adopt));
  const facts = all.filter(({ id }) => !adopt.has(id));
  const known = new Set(room.history);
  return {
    now: Math.floor(room.now / 1000) * 1000,
    workers: facts.filter(({ id }) => id !== room.mute),
    unknown: facts.filter(({ id }) => id === room.mute),
    images: room.images,
    signalled: all.filter((each) => known.has(saidTo(each))).map(({ id }) => id),
    holders: {},
    missingNetworks: [],
    probes: room.probes,
    ...(adopt.size > 0 && {
      adopted: Object.fromEntries(
        all.flatMap((each) => (adopt.has(each.id) ? [[each.id, adoptedOf(each, room)]] : [])),
      ),
    }),
  };
}

function adoptedOf(facts: WorkerFacts, { mute }: Room): AdoptedContainer {
  if (facts.id === mute) return { kind: "unknown" };
  const template = facts.labels["dev.wgctl.template"] ?? "";
  return { kind: "known", facts: { ...facts, labels: {} }, template };
}

/** A running process, and its health where the world has any. */
export function process(room: Pick<Room, "isChecked">, startedAt: number): RunFacts {
  return room.isChecked
    ? { kind: "running", startedAt, health: { status: "starting", retries: 3, log: [] } }
    : { kind: "running", startedAt };
}

/** The world at a later time. */
export function advance(room: Room, to: number): Room {
  const due = room.late.filter(({ at }) => at <= to).map(({ box }) => box);
  const boxes = [...room.boxes, ...due].flatMap((box) => evolve(box, to, room));
  return { ...room, now: to, boxes, late: room.late.filter(({ at }) => at > to) };
}

/** When something will have changed by itself; undefined: nothing will. */
export function nextChange(room: Room): number | undefined {
  const times = [
    ...room.boxes.map((box) => changesAt(box, room)),
    ...room.late.map(({ at }) => at),
  ];
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** One of a bad revision fails, whatever it is like by itself. */
function natureOf(box: Box, room: Room): Nature {
  if (!isBad(box, room)) return box.nature;
  return room.badness === "sick" && room.isChecked ? "sick" : "crasher";
}

function changesAt(box: Box, room: Room): number | undefined {
  const { run } = box.facts;
  const { ends } = box;
  const { now } = room;
  const nature = natureOf(box, room);
  switch (run.kind) {
    case "running": {
      const lasts = nature === "crasher" ? CRASH_MS : nature === "jobber" ? JOB_MS : undefined;
      const crashes = lasts && run.startedAt + lasts;
      const takes = nature === "sick" ? SICK_MS : READY_MS;
      const settles = run.health?.status === "starting" ? run.startedAt + takes : undefined;
      const times = [ends, crashes, settles].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    }
    case "restarting":
    case "removing":
      return now + RESTART_MS;
    default:
      return undefined;
  }
}

function evolve(box: Box, to: number, room: Room): readonly Box[] {
  const { facts, ends } = box;
  const { run } = facts;
  const nature = natureOf(box, room);
  const at = changesAt(box, room);
  if (at === undefined || at > to) return [box];
  const withRun = (next: RunFacts, more: Partial<WorkerFacts> = {}): readonly Box[] => [
    { ...box, ends: undefined, facts: { ...facts, ...more, run: next } },
  ];
  switch (run.kind) {
    case "removing":
      return [];
    case "restarting":
      return withRun(process(room, to), { restartCount: facts.restartCount + 1 });
    case "running":
      if (ends !== undefined && ends <= to) return withRun(endedAt(run.startedAt, ends, 0));
      if (nature === "sick") return withRun(unhealthyAt(run.startedAt, at));
      if (nature === "jobber" && at >= run.startedAt + JOB_MS) return withRun(over(box, at, 0));
      if (nature !== "crasher") return withRun(healthyAt(run.startedAt, at));
      return withRun(over(box, at, 1));
    default:
      return [box];
  }
}

/** It ends by itself, and the engine restarts it where it is armed. */
function over({ facts }: Box, at: number, exitCode: number): RunFacts {
  const startedAt = "startedAt" in facts.run ? facts.run.startedAt : at;
  return facts.restartPolicy === "no"
    ? endedAt(startedAt, at, exitCode)
    : { kind: "restarting", startedAt, exitCode };
}

export function endedAt(startedAt: number, finishedAt: number, exitCode: number): RunFacts {
  return { kind: "exited", startedAt, finishedAt, exitCode, oomKilled: false };
}

export function healthyAt(startedAt: number, at: number): RunFacts {
  const log = [{ startedAt: at, finishedAt: at, ok: true }];
  return { kind: "running", startedAt, health: { status: "healthy", retries: 3, log } };
}

/** A process whose probes fail from some time on. */
export function unhealthyAt(startedAt: number, at: number): RunFacts {
  const log = [{ startedAt: at, finishedAt: at, ok: false }];
  return { kind: "running", startedAt, health: { status: "unhealthy", retries: 3, log } };
}
