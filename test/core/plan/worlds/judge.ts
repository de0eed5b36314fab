// Holds plans, and each action at the moment it is done, against the promises, by the room as it is.

import { resolveLimits } from "../../../../src/core/limits.ts";
import type { GroupSpec } from "../../../../src/core/model.ts";
import { readPhase } from "../../../../src/core/names.ts";
import { worseFirst } from "../../../../src/core/plan/rank.ts";
import type { Action, ActionKind, Plan, Target } from "../../../../src/core/plan/types.ts";
import { STRANGER_IDS } from "./build.ts";
import { newBox } from "./deeds.ts";
import { type Box, type Declaration, desiredOf, processOf, type Room, sortOf } from "./room.ts";
import type { Watch } from "./watch.ts";

const GRACE_MS = 10_000;
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
    if (isMute) watch.hold("mute", begun.length === 0, () => begun.map(({ id }) => id).join());
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
        new Set(workers.filter(({ state }) => state === "Available").map(({ facts }) => facts.id)),
      ]),
    );
  }

  before(action: Action, room: Room): void {
    const group = room.groups.find(({ identity }) => identity.uid === action.group);
    if (group === undefined) throw new Error(`${action.id} is of no group`);
    const spec = specOf(group);
    this.#hold("deletion", spec !== undefined || !MAKING.includes(action.kind), action);
    if (action.kind === "create" && spec !== undefined) this.#create(action, spec, room);
    if (action.kind === "start" && spec?.rollout.strategy === "Recreate") {
      this.#startAlone(action, room);
    }
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

  #startAlone(action: Action & { readonly kind: "start" }, room: Room): void {
    const there = existing(room.boxes, action.group);
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
    const isPutAway = /[.](kept|failed)-[0-9]+$/.test(facts.name);
    return !isPutAway || kind === "running" || kind === "restarting" || kind === "paused";
  });
}
