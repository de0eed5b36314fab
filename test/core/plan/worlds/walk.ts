// Leads a random world through what happens to it, and then to rest.

import type { Action, GroupPlan, Plan } from "../../../../src/core/plan/types.ts";
import { fromIso, toIso } from "../../../../src/core/time.ts";
import { BadRevisions } from "./bad.ts";
import { done, newBox } from "./deeds.ts";
import { existing, judgePlan, PassJudge, putAway } from "./judge.ts";
import { look, remember } from "./look.ts";
import { BAD, type Declared, type PassEvent, type WorldEvent } from "./recipe.ts";
import { advance, type Box, endedAt, nextChange, type Room, sortOf, unhealthyAt } from "./room.ts";
import type { Watch } from "./watch.ts";

export const WHOLE: PassEvent = {
  ...{ kind: "pass", cut: Number.POSITIVE_INFINITY, order: [], fails: [] },
  ...{ unanswered: "", isRecorded: true },
};
export const HOUR_MS = 3_600_000;
const LATE_MS = 20_000;
const UNCERTAIN_MS = 60_000;
/** What a pass with calls in it takes. */
const PASS_MS = 1_000;
/** How long to wait for what nobody says when it will come. */
const PATIENCE_MS = 10_000;

/** The room after one thing that happens. */
export function befall(room: Room, event: WorldEvent, watch: Watch): Room {
  switch (event.kind) {
    case "pass": {
      const planned = look(room);
      judgePlan(room, planned, watch);
      return pass(room, planned, event, watch);
    }
    case "time":
      return advance(room, room.now + event.seconds * 1000);
    case "befall":
      return onOne(room, event.what, event.pick);
    case "edit": {
      const [first, ...others] = room.groups;
      if (first === undefined) return room;
      const declared = { ...first.declared, ...event.change };
      return { ...room, groups: [{ ...first, declared }, ...others] };
    }
    case "delete":
      return { ...room, groups: room.groups.map((each) => ({ ...each, fate: "deleted" })) };
    case "retry":
      return { ...room, retryBefore: room.now };
    case "forget":
      // Who loses the file cannot know of a create on its way.
      return event.what === "file"
        ? { ...room, memory: undefined, uncertain: {}, late: [], probes: {} }
        : { ...room, history: [] };
    case "newborn":
      return { ...room, newborn: event.nature };
  }
}

function onOne(
  room: Room,
  what: (WorldEvent & { readonly kind: "befall" })["what"],
  pick: number,
): Room {
  const chosen = room.boxes[pick % Math.max(1, room.boxes.length)];
  if (chosen === undefined) return room;
  const boxes = room.boxes.flatMap((box) => (box === chosen ? struck(box, what, room.now) : [box]));
  return { ...room, boxes };
}

function struck(
  box: Box,
  what: (WorldEvent & { readonly kind: "befall" })["what"],
  now: number,
): readonly Box[] {
  const { facts } = box;
  const { run } = facts;
  if (what === "remove") return [];
  if (what === "dead") return run.kind === "exited" ? [withRun(box, { kind: "dead" })] : [box];
  if (run.kind !== "running") return [box];
  const { startedAt } = run;
  switch (what) {
    case "exit":
      return [withRun(box, endedAt(startedAt, now, 1))];
    case "kill":
      return [withRun(box, endedAt(startedAt, now, 137))];
    case "finish":
      return [withRun(box, endedAt(startedAt, now, 0))];
    case "unhealthy":
      return [withRun(box, unhealthyAt(startedAt, now))];
    case "restart":
      return [withRun(box, { kind: "restarting", startedAt, exitCode: 1 })];
    case "pause":
      return [withRun(box, { kind: "paused", startedAt })];
  }
}

function withRun(box: Box, run: Box["facts"]["run"]): Box {
  return { ...box, ends: undefined, facts: { ...box.facts, run } };
}

/** The room after a pass: so many of the plan's actions in an order that respects their needs, with what goes wrong. */
export function pass(start: Room, planned: Plan, how: PassEvent, watch: Watch): Room {
  const judge = new PassJudge(planned, watch);
  const ended = new Set<string>();
  let room = how.isRecorded ? { ...start, memory: remember(start, planned) } : start;
  let { unanswered } = how;
  for (const [step, action] of ordered(planned.actions, how.order).entries()) {
    if (step >= how.cut) break;
    if (how.fails.includes(step) || action.needs.some((need) => !ended.has(need))) continue;
    judge.before(action, room);
    if (action.kind === "create" && unanswered !== "") {
      room = withoutAnswer(room, action, unanswered, planned.now);
      unanswered = "";
    } else {
      const next = done(room, action);
      if (next !== room) ended.add(action.id);
      room = next;
    }
  }
  return room;
}

type Create = Action & { readonly kind: "create" };

/** The engine did not say what came of a create: the journal knows of it until its time is over. */
function withoutAnswer(
  room: Room,
  action: Create,
  what: Exclude<PassEvent["unanswered"], "">,
  now: number,
): Room {
  const { name, slot, revision } = action.worker;
  const record = { name, slot, revision, until: toIso(now + UNCERTAIN_MS) };
  const known = [...(room.uncertain[action.group] ?? []), record];
  const noted = { ...room, uncertain: { ...room.uncertain, [action.group]: known } };
  if (what === "made") return done(noted, action);
  if (what === "never") return noted;
  const late = { box: newBox(room, action), at: room.now + LATE_MS };
  return { ...noted, made: room.made + 1, late: [...room.late, late] };
}

/** The actions in an order that the executor could come to: needs first, else as the picks say. */
function ordered(actions: readonly Action[], picks: readonly number[]): readonly Action[] {
  if (picks.length === 0) return actions;
  const left = [...actions];
  const sorted: Action[] = [];
  const seen = new Set<string>();
  for (let step = 0; left.length > 0; step += 1) {
    const ready = left.filter(({ needs }) => needs.every((need) => seen.has(need)));
    const next = ready[(picks[step % picks.length] ?? 0) % Math.max(1, ready.length)];
    if (next === undefined) throw new Error("actions need what the plan does not hold");
    left.splice(left.indexOf(next), 1);
    sorted.push(next);
    seen.add(next.id);
  }
  return sorted;
}

/** The world stops moving: nothing goes wrong any more, and the engine answers. */
export function calm(room: Room): Room {
  const leaves = new Set(
    room.groups
      .filter(({ declared }) => declared.onExit === "Leave")
      .map(({ identity }) => identity.uid),
  );
  // A job that is over is a change like any other; a group that makes a fresh worker for each never rests.
  const isRestless = ({ nature, facts }: Box) =>
    nature === "crasher" ||
    (nature === "jobber" && !leaves.has(facts.labels["dev.wgctl.uid"] ?? ""));
  const well = (box: Box): Box => (isRestless(box) ? { ...box, nature: "plain" } : box);
  const late = room.late.map(({ box, at }) => ({ box: well(box), at }));
  return { ...room, boxes: room.boxes.map(well), late, mute: undefined, newborn: "plain" };
}

/** An hour later people lift whatever waits for one, and mend what makes workers sick before they ask for another try. */
export function mended(still: Room, isCured: boolean): Room {
  const room = advance(still, still.now + HOUR_MS);
  const boxes = room.boxes
    .filter(({ facts }) => !isOthers(facts.labels))
    .map((each) => {
      const box: Box = each.nature === "sick" ? { ...each, nature: "plain" } : each;
      const { run } = box.facts;
      if (run.kind !== "paused") return box;
      return withRun(box, { kind: "running", startedAt: run.startedAt });
    });
  const groups = room.groups.map((group) => ({
    ...group,
    declared: lifted(group.declared, isCured),
  }));
  const badness = isCured ? undefined : room.badness;
  return {
    ...room,
    boxes,
    groups,
    badness,
    squatters: [],
    hasNetwork: true,
    retryBefore: room.now,
  };
}

function lifted(declared: Declared, isCured: boolean): Declared {
  const { command, hold } = declared;
  return {
    ...declared,
    command: command === BAD && !isCured ? "b" : command,
    onUnhealthy: "Replace",
    hold: hold === "no-network" ? hold : "",
  };
}

function isOthers(labels: Box["facts"]["labels"]): boolean {
  return (
    labels["dev.wgctl.project"] === "project-2" || labels["dev.wgctl.template-version"] === "2"
  );
}

/** What a quiet world may take: engine calls and passes for each worker there and each slot wanted. */
export const BOUND = { calls: 8, passes: 8 };

/** `isAtRest` is false of a world in which a revision fails for ever that there is nothing to put in place of. */
export type Settled = { readonly room: Room; readonly plan: Plan; readonly isAtRest: boolean };

/** Passes, and time in between, until nothing is left to do or to wait for. */
export function settle(
  start: Room,
  promise: "rest" | "declared",
  watch: Watch,
): Settled | undefined {
  const size = sizeOf(start);
  let room = start;
  let calls = 0;
  let passes = 0;
  let plan = look(room);
  const bad = new BadRevisions(room, plan);
  for (;;) {
    judgePlan(room, plan, watch);
    bad.see(plan);
    const wake = plan.actions.length === 0 ? wakeAt(room, plan) : undefined;
    if (plan.actions.length === 0 && wake === undefined) break;
    // A question that is asked again and again costs as long as a worker takes: the judge holds that to its own bound.
    const isWork = wake !== undefined || plan.actions.some(({ kind }) => kind !== "probe");
    passes += Number(isWork);
    calls += plan.actions.filter(({ kind }) => kind !== "probe").length;
    if (calls > BOUND.calls * size || passes > BOUND.passes * size) {
      if (bad.isForEver(room, plan, watch)) return { room, plan, isAtRest: false };
      watch.hold(promise, false, () => `${calls} calls and ${passes} passes for ${size}`);
      return undefined;
    }
    if (wake === undefined) {
      room = pass(room, plan, WHOLE, watch);
      room = advance(room, room.now + PASS_MS);
    } else {
      // An observation tells whole seconds, so something is seen to be due with the second after it.
      room = advance(room, Math.max(Math.ceil(wake / 1000) * 1000, room.now + 1));
    }
    plan = look(room);
  }
  watch.cost(calls / size, passes / size);
  bad.rest(room, plan, watch);
  const memory = remember(room, plan);
  return { room: { ...room, memory }, plan, isAtRest: true };
}

function sizeOf(room: Room): number {
  const staying = room.groups.filter(({ fate }) => fate === "stays");
  const wanted = staying.reduce((sum, { declared }) => sum + declared.replicas, 0);
  return 1 + room.boxes.length + room.late.length + wanted;
}

/** When the next pass is due; undefined: nothing is going on and nothing is waited for. */
function wakeAt(room: Room, plan: Plan): number | undefined {
  const times = [
    nextChange(room),
    ...plan.groups.map(({ dueAt }) => dueAt),
    ...plan.groups.flatMap(({ uncertain }) => uncertain.map(({ until }) => fromIso(until))),
  ].filter((time) => time !== undefined);
  if (times.length > 0) return Math.min(...times);
  const isWaiting = plan.groups.some(({ waitingFor }) => waitingFor.length > 0);
  return isWaiting ? room.now + PATIENCE_MS : undefined;
}

/** Whether a group came to be as declared, by what is there. */
export function isAsDeclared({ identity, desired, leaving }: GroupPlan, room: Room): boolean {
  const there = existing(room.boxes, identity.uid);
  const isWanted = desired?.kind === "valid" && leaving === undefined;
  const slots = there.map(({ facts }) => Number(facts.labels["dev.wgctl.slot"])).sort();
  const wanted = isWanted
    ? Array.from({ length: desired.spec.replicas }, (_, index) => index + 1)
    : [];
  const isDone = isWanted && desired.spec.onExit?.success === "Leave";
  const kinds = isDone ? ["running", "exited"] : ["running"];
  return (
    slots.join() === wanted.join() &&
    there.every(({ facts }) => kinds.includes(facts.run.kind)) &&
    putAway(room, identity.uid).length === 0 &&
    new Set(there.map(({ facts }) => sortOf(facts))).size <= 1
  );
}
