// What may never be seen of a small world, whoever works on it and whatever goes wrong. Judges and changes nothing.

import { resolveLimits } from "../../src/core/limits.ts";
import type { GroupSpec } from "../../src/core/model.ts";
import { type Container, containersOf, type World } from "../../src/engine/simulated/world.ts";
import { UID } from "../support/build.ts";
import type { Waiting } from "./gate.ts";

/** What is promised, in words. */
export const PROMISES = {
  existence: "R4: never more than replicas and surge exist",
  slots: "R4: never two workers in a slot unless surge was asked for",
  foreign: "R5: what is not ours stays as it is",
  availability: "never fewer than minAvailable workers serve, once all did",
  grace: "nobody is killed who was not asked to stop and given the grace",
  exclusion: "section 8: never two writers with a change under way at once",
  blocked: "nothing of a revision is made while one that failed it stands there",
  fallback: "a revision that failed leaves all old workers serving, and one to be inspected",
  declared: "R8: one quiet run afterwards brings what is declared",
  stillness: "R2: and the next has nothing to do",
} as const;

export type PromiseKey = keyof typeof PROMISES;

export type Limits = { readonly most: number; readonly perSlot: number; readonly least: number };

/** What a spec allows. */
export function limitsOf(spec: GroupSpec): Limits {
  const { replicas, maxSurge, minAvailable } = resolveLimits(spec);
  return { most: replicas + maxSurge, perSlot: maxSurge === 0 ? 1 : 2, least: minAvailable };
}

/** The workers of the group that exist: what is half removed, or kept and stopped, does not count. */
export function existing(world: World): readonly Container[] {
  return ofGroup(world).filter((each) => isAlive(each) || !isPutAway(each));
}

/** Kept for return or for inspection. */
export function putAway(world: World): readonly Container[] {
  return ofGroup(world).filter(isPutAway);
}

function ofGroup(world: World): readonly Container[] {
  return containersOf(world).filter(
    ({ labels, state: { kind } }) =>
      (labels["dev.wgctl.uid"] ?? labels[ADOPTER]) === UID &&
      kind !== "removing" &&
      kind !== "dead",
  );
}

function isAlive({ state: { kind } }: Container): boolean {
  return kind === "running" || kind === "restarting" || kind === "paused";
}

function isPutAway({ name }: Container): boolean {
  return /[.](kept|failed)-[0-9]+$/.test(name);
}

/** Those that do their work and were not asked to leave; of a revision that fails none does. */
export function serving(world: World): number {
  const isLeaving = (name: string) => /[.](draining|stopping|kept|failed)-[0-9]+$/.test(name);
  return existing(world).filter(
    (each) => each.state.kind === "running" && !isLeaving(each.name) && !isBad(each),
  ).length;
}

/** Commands whose processes end by themselves soon after their start: each, or the second worker's. */
export const BAD_COMMAND = "crash";
export const HALF_BAD_COMMAND = "crash-in-two";

function isBad({ template, labels }: Container): boolean {
  const [command] = template.command ?? [];
  const isSecond = labels["dev.wgctl.slot"] === "2";
  return command === BAD_COMMAND || (command === HALF_BAD_COMMAND && isSecond);
}

const GRACE_MS = 10_000;

/** Labels by which the judges know what a group adopts, and in which slot; they say nothing to wgctl. */
export const ADOPTER = "shop.adopter";
export const PLACE = "shop.place";

/** Name of a running container that is somebody else's. */
export const BYSTANDER = "bystander";

function isBystanderWell({ containers, names }: World): boolean {
  return containers[names[BYSTANDER] ?? ""]?.state.kind === "running";
}

/** The promises that a world breaks as it is. */
export function brokenBy(world: World, limits: Limits): readonly PromiseKey[] {
  const there = existing(world);
  const slots = there.map(({ labels }) => labels["dev.wgctl.slot"] ?? labels[PLACE]);
  const fullest = Math.max(0, ...slots.map((slot) => slots.filter((one) => one === slot).length));
  return [
    ...(there.length > limits.most ? (["existence"] as const) : []),
    ...(fullest > limits.perSlot ? (["slots"] as const) : []),
    ...(serving(world) < limits.least ? (["availability"] as const) : []),
    ...(isBystanderWell(world) ? [] : (["foreign"] as const)),
  ];
}

/** True for a create, of the one revision that is declared, beside a worker that failed it. */
export function makesBesideFailed(world: World, { call }: Waiting): boolean {
  return call === "createWorker" && ofGroup(world).some(({ name }) => name.includes(".failed-"));
}

/** True for a SIGKILL that comes too soon. */
export function killsTooSoon(world: World, { call, what }: Waiting): boolean {
  const [id = "", signal] = what.split(" ");
  const container = world.containers[id];
  if (call !== "signalWorker" || signal !== "SIGKILL") return false;
  if (container?.state.kind !== "running") return false;
  const { startedAt } = container.state;
  const asked = world.signals.filter((event) => event.id === id && event.at >= startedAt);
  return !asked.some(({ at }) => world.now - at >= GRACE_MS);
}
