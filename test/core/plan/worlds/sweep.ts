// Holds one random world after another against every promise. The same for the tests and for the long soak.

import * as fc from "fast-check";
import type { Action, Plan } from "../../../../src/core/plan/types.ts";
import { buildRoom } from "./build.ts";
import { judgePlan, putAway } from "./judge.ts";
import { look, lookWith, remember, requestOf } from "./look.ts";
import { type Recipe, recipe } from "./recipe.ts";
import { advance, type Room } from "./room.ts";
import {
  befall,
  calm,
  HOUR_MS,
  isAsDeclared,
  mended,
  pass,
  type Settled,
  settle,
  WHOLE,
} from "./walk.ts";
import type { Watch } from "./watch.ts";

/** Holds one world against the promises. */
export function tryWorld(one: Recipe, watch: Watch): void {
  let room = buildRoom(one);
  const planned = look(room, Number.POSITIVE_INFINITY);
  judgePlan(room, planned, watch);
  TRIALS[one.trial](room, planned, watch, one.shuffle);
  for (const event of one.events) room = befall(room, event, watch);
  if (one.isFollowed) tryRest(calm(room), one.isCured, watch);
}

/** A request whose lists come in another order. */
function tryOrders(room: Room, planned: Plan, watch: Watch, seed: number): void {
  const request = requestOf(room, Number.POSITIVE_INFINITY);
  const { snapshot } = request;
  const again = lookWith(room, {
    ...request,
    groups: shuffled(request.groups, seed),
    snapshot: {
      ...snapshot,
      workers: shuffled(snapshot.workers, seed),
      unknown: shuffled(snapshot.unknown, seed),
      signalled: shuffled(snapshot.signalled, seed),
    },
  });
  watch.hold("bytes", JSON.stringify(again) === JSON.stringify(planned), () => `seed ${seed}`);
}

/** Fisher and Yates, by a small generator of its own. */
function shuffled<Item>(list: readonly Item[], seed: number): readonly Item[] {
  const left = [...list];
  const sorted: Item[] = [];
  for (let state = seed + 1; left.length > 0; state = (state * 48_271) % 2_147_483_647) {
    sorted.push(...left.splice(state % left.length, 1));
  }
  return sorted;
}

function tryBudget(room: Room, planned: Plan, watch: Watch): void {
  const whole = planned.actions.map(({ id }) => id);
  const budget = room.budget % (whole.length + 1);
  const { actions, deferred } = look(room, budget);
  const kept = new Set(actions.map(({ id }) => id));
  const all = [...actions, ...deferred].map(({ id }) => id);
  const isWhole = actions.length === budget && all.join() === whole.join();
  const isClosed = actions.every(({ needs }) => needs.every((need) => kept.has(need)));
  watch.hold("budget", isWhole && isClosed, () => `${budget} of ${whole.length}`);
}

/** No time passes: what a second plan asks for has to be what the first one's effects made possible. */
function tryAgain(start: Room, first: Plan, watch: Watch): void {
  let room = start;
  let planned = first;
  const seen = new Set<string>();
  let isOpen = true;
  while (planned.actions.length > 0) {
    const ids = planned.actions.map(({ id }) => id);
    const isNew = isOpen && !ids.some((id) => seen.has(id));
    watch.hold("again", isNew, () => `${ids} after ${[...seen]}`);
    if (!isNew) return;
    for (const id of ids) seen.add(id);
    const before = room;
    room = pass(room, planned, WHOLE, watch);
    if (wasRefused(planned, before, room)) return;
    const next = look(room, Number.POSITIVE_INFINITY);
    isOpen = isRenamed(planned, next) || planned.actions.some((action) => opens(action, before));
    planned = next;
  }
}

/** With the last worker of the desired revision goes what it was called, where policies and limits were others then. */
function isRenamed(before: Plan, after: Plan): boolean {
  const revisions = ({ groups }: Plan) => groups.map(({ revision }) => revision).join();
  return revisions(before) !== revisions(after);
}

/** Two that had one name would leave under one name within a second, which the engine refuses, as it does what cannot run. */
function wasRefused({ actions }: Plan, before: Room, after: Room): boolean {
  if (actions.some((action) => action.kind === "start" && !isRunning(after, action))) return true;
  if (actions.some((action) => action.kind === "rename" && isNamedAsBefore(after, action))) {
    return true;
  }
  const signals = actions.filter(
    (action) =>
      action.kind === "quiet" || (action.kind === "signal" && action.target.run === "running"),
  );
  return after.asked.length - before.asked.length < signals.length;
}

function isRunning({ boxes }: Room, { name }: Action & { readonly kind: "start" }): boolean {
  return boxes.some(({ facts }) => facts.name === name && facts.run.kind === "running");
}

function isNamedAsBefore({ boxes }: Room, { target }: Action & { readonly kind: "rename" }) {
  return boxes.some(({ facts }) => facts.id === target.id && facts.name === target.name);
}

/** Whether more can follow at the same instant: an image is there, a worker has ended or is available at once. */
function opens(action: Action, room: Room): boolean {
  switch (action.kind) {
    case "pull-image":
    case "kill":
    case "quiet":
    case "probe":
      return true;
    case "signal":
      return action.target.run === "restarting";
    case "remove":
      // Without a record what is kept tells which revision was complete, and that goes with the last of it.
      return /[.]kept-[0-9]+$/.test(action.target.name);
    case "start":
      // One that was disarmed before it ever ran is armed once it runs.
      return !room.isChecked || action.target !== undefined;
    case "rename":
      // One that is back is armed like any other, one that is put away is there to fall back on, one that drains is asked.
      return ["none", "kept", "draining"].includes(action.phase);
    default:
      return false;
  }
}

const TRIALS = {
  orders: tryOrders,
  budget: tryBudget,
  again: tryAgain,
} as const satisfies Record<Recipe["trial"], unknown>;

function tryRest(room: Room, isCured: boolean, watch: Watch): void {
  const rested = settle(room, "rest", watch);
  if (rested === undefined) return;
  const held = rested.plan.groups.filter(({ converged }) => !converged);
  if (rested.isAtRest) tryHeld(rested, held, watch);
  const lift = () => settle(mended(rested.room, isCured), "declared", watch);
  const ended = held.length === 0 ? rested : lift();
  if (ended === undefined) return;
  const wrong = ended.plan.groups.filter(
    (group) => !group.converged || !isAsDeclared(group, ended.room),
  );
  watch.hold("declared", wrong.length === 0, () => wrong.map(describe).join());
  if (held.length > 0 && ended.isAtRest) tryStillness(ended.room, watch);
}

/** What a world is like that has come to rest. */
function tryHeld({ room }: Settled, held: Plan["groups"], watch: Watch): void {
  const silent = held.filter(({ blocks }) => blocks.length === 0);
  watch.hold("rest", silent.length === 0, () => silent.map(describe).join());
  for (const { identity, blocks } of held.filter(({ isBlocked }) => isBlocked)) {
    const isLeftAlone = blocks.some(({ code }) => LEFT_ALONE.includes(code));
    const running = putAway(room, identity.uid).filter(({ facts }) => facts.run.kind === "running");
    if (!isLeftAlone) watch.hold("away", running.length === 0, () => identity.name);
  }
  tryStillness(room, watch);
}

/** Blocks under which nothing of a group is touched. */
const LEFT_ALONE: readonly string[] = [
  ...["InvalidSpec", "Suspended", "OwnershipConflict", "NewerVersion", "NameConflict"],
];

function describe({ identity, workers, blocks }: Plan["groups"][number]): string {
  const states = workers.map(({ facts, state }) => `${facts.name} ${state}`);
  return `${identity.name}: ${states.join(", ")} [${blocks.map(({ code }) => code)}]`;
}

function tryStillness(room: Room, watch: Watch): void {
  const later = advance(room, room.now + HOUR_MS);
  const again = look(later);
  const isSame = JSON.stringify(remember(later, again)) === JSON.stringify(room.memory);
  const isIdle = again.actions.length === 0;
  watch.hold("converged", isIdle && isSame, () => `${isIdle} ${isSame}`);
}

/** Tries so many worlds of a seed, as one chunk; a broken promise comes with the smallest world found that breaks it. */
export function sweep(seed: number, worlds: number, watch: Watch): string | undefined {
  const details = fc.check(
    fc.property(recipe, (one) => {
      const found = watch.violations.length;
      tryWorld(one, watch);
      const broken = watch.violations.splice(found);
      if (broken.length > 0) throw new Error(broken.join("\n"));
    }),
    { seed, numRuns: worlds },
  );
  if (!details.failed) return undefined;
  const { errorInstance, counterexample } = details;
  const broken = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${broken}\nin ${JSON.stringify(counterexample)} (seed ${seed})`;
}
