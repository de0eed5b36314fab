// Holds plans, and each action at the moment it is done, against the promises, by the room as it is.

import { hasEndedOnReturn } from "../../../../src/core/assess.ts";
import { resolveLimits } from "../../../../src/core/limits.ts";
import type { DrainPolicy, GroupSpec } from "../../../../src/core/model.ts";
import { readPhase } from "../../../../src/core/names.ts";
import type { RunFacts, WorkerFacts } from "../../../../src/core/observed.ts";
import { worseFirst } from "../../../../src/core/plan/rank.ts";
import type {
  Action,
  ActionKind,
  GroupPlan,
  Plan,
  Target,
} from "../../../../src/core/plan/types.ts";
import type { Worker } from "../../../../src/core/worker.ts";
import { STRANGER_IDS } from "./build.ts";
import { newBox } from "./deeds.ts";
import {
  type Box,
  type Declaration,
  DRAIN_SECONDS,
  desiredOf,
  processOf,
  type Room,
  saidTo,
  sortOf,
} from "./room.ts";
import type { Watch } from "./watch.ts";

const GRACE_MS = 10_000;
const ALIVE: readonly RunFacts["kind"][] = ["running", "restarting", "paused"];
const MAKING: readonly ActionKind[] = ["create", "start", "arm", "pull-image"];

/** Everything that must hold of a plan before any of it is done. */
export function judgePlan(room: Room, planned: Plan, watch: Watch): void {
  watch.plans += 1;
  judgeOrder(planned, watch);
  judgeStates(room, planned, watch);
  for (const group of planned.groups) {
    const all = [...planned.actions, ...planned.deferred];
    const own = all.filter((action) => action.group === group.identity.uid);
    const { converged, blocks, waitingFor, forecast, dueAt } = group;
    const says = blocks.length + waitingFor.length + (dueAt === undefined ? 0 : 1);
    const name = group.identity.name;
    watch.hold("idle", converged ? own.length === 0 : own.length + says > 0, () => name);
    watch.hold("forecast", forecast.actions >= own.length, () => name);
    const isMute = blocks.some(({ code }) => code === "WorkerUnknown");
    const begun = own.filter((action) => MAKING.includes(action.kind) || isRetiring(action, room));
    judgeKept(group, own, watch);
    const made = own.filter(({ kind }) => kind === "create");
    if (group.isBlocked) watch.hold("blocked", made.length === 0, () => made[0]?.id ?? "");
    if (converged) watch.hold("away", putAway(room, group.identity.uid).length === 0, () => name);
    if (isMute) watch.hold("mute", begun.length === 0, () => begun.map(({ id }) => id).join());
  }
}

/** Until a slot has a worker of the desired revision again, the one that is kept for it stays. */
function judgeKept(
  { workers, counts, leaving, revision }: GroupPlan,
  actions: readonly Action[],
  watch: Watch,
): void {
  if (leaving !== undefined || revision === undefined) return;
  const desired = workers.filter(({ differences }) => differences.length === 0);
  // One that ended when it was brought back has failed like any other.
  const isKept = (one: Worker) => one.state === "Kept" && !hasEndedOnReturn(one);
  for (const one of desired.filter(isKept)) {
    const { slot } = one.labels;
    const isAlone = !desired.some((other) => other !== one && other.labels.slot === slot);
    if (!isAlone || slot > counts.desired) continue;
    const isRemoved = (action: Action) =>
      action.kind === "remove" && action.target.id === one.facts.id;
    watch.hold("kept", !actions.some(isRemoved), () => one.facts.name);
  }
}

function isRetiring(action: Action, room: Room): boolean {
  if (action.kind !== "rename" && action.kind !== "signal") return false;
  const box = room.boxes.find(({ facts }) => facts.id === action.target.id);
  return box !== undefined && !isLeaving(box);
}

function isLeaving({ facts }: Box): boolean {
  const own = readPhase(facts.name, facts.labels["dev.wgctl.name"] ?? "");
  return own.kind === "own" && own.phase !== undefined;
}

function judgeOrder({ actions, deferred }: Plan, watch: Watch): void {
  const seen = new Set<string>();
  for (const { id, needs } of [...actions, ...deferred]) {
    watch.hold(
      "order",
      !seen.has(id) && needs.every((need) => seen.has(need)),
      () => `${id} needs ${needs}`,
    );
    seen.add(id);
  }
}

function judgeStates(room: Room, planned: Plan, watch: Watch): void {
  for (const { workers, desired } of planned.groups) {
    const minReady = desired?.kind === "valid" ? desired.spec.rollout.minReadySeconds * 1000 : 0;
    for (const { facts, state } of workers) {
      if (state !== "Available") continue;
      const { run } = facts;
      const isUp = run.kind === "running" && (run.health?.status ?? "healthy") === "healthy";
      const isOld = run.kind === "running" && room.now - run.startedAt >= minReady;
      watch.hold("readiness", isUp && isOld, () => facts.name);
    }
    const forth = [...workers].sort(worseFirst).map(({ facts }) => facts.id);
    const back = [...workers]
      .reverse()
      .sort(worseFirst)
      .map(({ facts }) => facts.id);
    watch.hold("ranking", forth.join() === back.join(), () => `${forth} or ${back}`);
  }
}

/** Watches one pass: what its plan takes for available, and every action before it is done. */
export class PassJudge {
  readonly #watch: Watch;
  readonly #available: Map<string, Set<string>>;

  constructor(planned: Plan, watch: Watch) {
    this.#watch = watch;
    this.#available = new Map(
      planned.groups.map(({ identity, workers }) => [
        identity.uid,
        new Set(workers.filter(isServing).map(({ facts }) => facts.id)),
      ]),
    );
  }

  before(action: Action, room: Room): void {
    const group = room.groups.find(({ identity }) => identity.uid === action.group);
    if (group === undefined) throw new Error(`${action.id} is of no group`);
    const spec = specOf(group);
    this.#hold("deletion", spec !== undefined || !MAKING.includes(action.kind), action);
    if (action.kind === "create" && spec !== undefined) this.#create(action, spec, room);
    if (action.kind === "start" && spec !== undefined) this.#start(action, spec, room);
    if ("target" in action && action.target !== undefined) {
      this.#existing(action, action.target, spec, room);
    }
  }

  #hold(promise: Parameters<Watch["hold"]>[0], holds: boolean, action: Action): void {
    this.#watch.hold(promise, holds, () => action.id);
  }

  #create(action: Action & { readonly kind: "create" }, spec: GroupSpec, room: Room): void {
    const { replicas, maxSurge } = resolveLimits(spec);
    const late = room.late.map(({ box }) => box);
    const there = existing([...room.boxes, ...late], action.group);
    this.#hold("existence", there.length < replicas + maxSurge, action);
    const slot = String(action.slot);
    const taken = there.some(({ facts }) => facts.labels["dev.wgctl.slot"] === slot);
    if (maxSurge === 0) this.#hold("slots", !taken, action);
    const names = [...room.squatters, ...[...room.boxes, ...late].map(({ facts }) => facts.name)];
    this.#hold("names", !names.includes(action.worker.name), action);
    if (spec.rollout.strategy !== "Recreate") return;
    const desired = sortOf(newBox(room, action).facts);
    const others = there.filter(({ facts }) => sortOf(facts) !== desired);
    this.#hold("recreate", others.length === 0, action);
  }

  /** One that is kept comes to exist with its start. */
  #start(action: Action & { readonly kind: "start" }, spec: GroupSpec, room: Room): void {
    const late = room.late.map(({ box }) => box);
    const there = existing([...room.boxes, ...late], action.group);
    if (spec.rollout.strategy === "Recreate") this.#startAlone(action, there, room);
    const { replicas, maxSurge } = resolveLimits(spec);
    const slot = String(action.slot);
    const own = there.filter(({ facts }) => facts.labels["dev.wgctl.slot"] === slot);
    const alive = own.filter(({ facts }) => ALIVE.includes(facts.run.kind));
    if (maxSurge === 0) this.#hold("slots", alive.length === 0, action);
    if (!PUT_AWAY.test(action.name)) return;
    this.#hold("existence", there.length < replicas + maxSurge, action);
    if (maxSurge === 0) this.#hold("slots", own.length === 0, action);
  }

  #startAlone(
    action: Action & { readonly kind: "start" },
    there: readonly Box[],
    room: Room,
  ): void {
    const own = room.boxes.find(({ facts }) => facts.name === action.name);
    const sort = own && sortOf(own.facts);
    const others = there.filter(({ facts }) => sortOf(facts) !== sort);
    this.#hold("recreate", others.length === 0, action);
  }

  #existing(action: Action, target: Target, spec: GroupSpec | undefined, room: Room): void {
    this.#hold("foreign", !STRANGER_IDS.has(target.id), action);
    const box = room.boxes.find(({ facts }) => facts.id === target.id);
    this.#hold("facts", box?.facts.run.kind === target.run, action);
    if (box === undefined) return;
    this.#hold("foreign", box.facts.labels["dev.wgctl.uid"] === action.group, action);
    this.#hold("paused", box.facts.run.kind !== "paused", action);
    if (action.kind === "rename" || action.kind === "signal") this.#retire(action, spec);
    if (action.kind === "rename") this.#hold("drain", hadDrain(box, action, room), action);
    if (action.kind === "probe") this.#hold("asks", mayAsk(box, room), action);
    if (action.kind === "kill") this.#hold("grace", hadGrace(box, room), action);
  }

  #retire(
    action: Action & { readonly kind: "rename" | "signal" },
    spec: GroupSpec | undefined,
  ): void {
    const available = this.#available.get(action.group);
    if (available?.delete(action.target.id) !== true || spec === undefined) return;
    this.#hold("availability", available.size >= resolveLimits(spec).minAvailable, action);
  }
}

function isServing({ state }: Worker): boolean {
  return state === "Available" || state === "Completed";
}

const PUT_AWAY = /[.](kept|failed)-[0-9]+$/;

/** What is kept or set aside of a group, running or not. */
export function putAway(boxes: Pick<Room, "boxes">, uid: string): readonly Box[] {
  return boxes.boxes.filter(
    ({ facts }) =>
      facts.labels["dev.wgctl.uid"] === uid &&
      !STRANGER_IDS.has(facts.id) &&
      PUT_AWAY.test(facts.name) &&
      facts.run.kind !== "removing",
  );
}

/** Before a running worker is on its way to be stopped it has been told and asked; one that failed need not be. */
function hadDrain(
  box: Box,
  { phase, group }: Action & { readonly kind: "rename" },
  room: Room,
): boolean {
  if (phase === "failed" || phase === "none" || phase === "draining") return true;
  const { facts } = box;
  const drain = drainFor(facts, group, room);
  if (facts.run.kind !== "running" || drain === undefined) return true;
  const since = /[.]draining-([0-9]+)$/.exec(facts.name)?.[1];
  // One that is called off its failure has been asked to stop before.
  if (since === undefined) return PUT_AWAY.test(facts.name);
  const isTold = drain.quiet === undefined || room.asked.includes(saidTo(facts));
  const isOver = room.now - Number(since) * 1000 >= DRAIN_SECONDS * 1000;
  return isTold && (drain.waitFor === undefined || box.hasAnswered || isOver);
}

/** As its manifest says; where there is none, as its label does. */
function drainFor({ labels }: WorkerFacts, uid: string, room: Room): DrainPolicy | undefined {
  const declared = room.groups.find(({ identity }) => identity.uid === uid);
  const desired = declared && desiredOf(declared);
  if (desired?.kind === "valid") return desired.spec.drain;
  const read: DrainPolicy = JSON.parse(labels["dev.wgctl.drain"] ?? "{}");
  return read.quiet === undefined && read.waitFor === undefined ? undefined : read;
}

function mayAsk({ facts }: Box, { now, probes }: Room): boolean {
  const last = probes[facts.id];
  const isSoon = last?.name === facts.name && Math.floor(now / 1000) * 1000 - last.at < 2_000;
  return /[.]draining-[0-9]+$/.test(facts.name) && !isSoon;
}

function hadGrace({ facts }: Box, { now, asked }: Room): boolean {
  const asking = /[.](?:stopping|kept|failed)-([0-9]+)$/.exec(facts.name)?.[1];
  const since = Number(asking ?? Number.POSITIVE_INFINITY);
  return now - since * 1000 >= GRACE_MS && asked.includes(processOf(facts));
}

/** The spec of a group that is not leaving. */
function specOf(group: Declaration): GroupSpec | undefined {
  const desired = desiredOf(group);
  return desired?.kind === "valid" && group.fate === "stays" ? desired.spec : undefined;
}

/** What exists of a group: it holds memory, ports and a name. */
export function existing(boxes: readonly Box[], uid: string): readonly Box[] {
  return boxes.filter(({ facts }) => {
    if (facts.labels["dev.wgctl.uid"] !== uid || STRANGER_IDS.has(facts.id)) return false;
    const { kind } = facts.run;
    if (kind === "removing" || kind === "dead") return false;
    const isPutAway = PUT_AWAY.test(facts.name);
    return !isPutAway || kind === "running" || kind === "restarting" || kind === "paused";
  });
}
