// What each action does to the room of a random world. Pure; judges nothing.

import { encodeLabels, TEMPLATE_VERSION } from "../../../../src/core/labels.ts";
import { phaseName, plainName, readPhase } from "../../../../src/core/names.ts";
import type { RunFacts, WorkerFacts } from "../../../../src/core/observed.ts";
import type { Action, NewWorker } from "../../../../src/core/plan/types.ts";
import { templateLabel } from "../../../../src/core/revision.ts";
import {
  type Box,
  DRAIN_MS,
  drainOf,
  endedAt,
  isBad,
  PROJECT,
  PULLED,
  process,
  type Room,
  STOP_MS,
  saidTo,
  templateOf,
} from "./room.ts";

/** The room after an action; the same room where the engine refuses it. */
export function done(room: Room, action: Action): Room {
  switch (action.kind) {
    case "pull-image":
      return { ...room, images: { ...room.images, [action.image]: PULLED } };
    case "create": {
      const { made } = room;
      return { ...room, made: made + 1, boxes: [...room.boxes, newBox(room, action)] };
    }
    case "start":
      return started(room, action.target?.id ?? idOf(room, action.name));
    case "arm":
      return change(room, action.target.id, (facts) => ({
        ...facts,
        restartPolicy: action.policy,
      }));
    case "disarm":
      return change(room, action.target.id, (facts) => ({ ...facts, restartPolicy: "no" }));
    case "rename": {
      const own = plainName(action.target.name);
      const name = action.phase === "none" ? own : phaseName(own, action.phase, room.now);
      if (room.boxes.some(({ facts }) => facts.name === name)) return room;
      return change(room, action.target.id, (facts) => ({ ...facts, name }));
    }
    case "quiet":
      return quieted(room, action.target.id);
    case "probe":
      return probed(room, action);
    case "update-in-place":
      return change(room, action.target.id, (facts) => ({
        ...facts,
        limits: { ...facts.limits, ...action.limits },
      }));
    case "signal":
      return signalled(room, action.target.id);
    case "kill":
      return change(room, action.target.id, (facts) => ended(facts, room.now, 137));
    case "remove":
      return { ...room, boxes: room.boxes.filter(({ facts }) => facts.id !== action.target.id) };
  }
}

function change(room: Room, id: string | undefined, by: (facts: WorkerFacts) => WorkerFacts): Room {
  const boxes = room.boxes.map((box) =>
    box.facts.id === id ? { ...box, facts: by(box.facts) } : box,
  );
  return { ...room, boxes };
}

/** Runs from now on, unless its command cannot be run. */
function started(room: Room, id: string | undefined): Room {
  const boxes = room.boxes.map((box) => {
    if (box.facts.id !== id) return box;
    const isRefused = isBad(box, room) && room.badness === "refuse";
    const run = isRefused ? unfit(box.facts) : process(room, room.now);
    return { ...box, ...UNTOLD, facts: { ...box.facts, run, restartCount: 0 } };
  });
  return { ...room, boxes };
}

/** One that has run stays ended. */
function unfit({ run }: WorkerFacts): RunFacts {
  const refusal = { error: "no such command", exitCode: 127 };
  return run.kind === "exited" ? { ...run, ...refusal } : { kind: "created", ...refusal };
}

const UNTOLD = { ends: undefined, hasAnswered: false } as const;

/** Told to take no new work: some end then. */
function quieted(room: Room, id: string): Room {
  const told = room.boxes.find(({ facts }) => facts.id === id);
  if (told === undefined) return room;
  const name = nameAtSignal(told.facts.name, room);
  if (name !== told.facts.name && room.boxes.some(({ facts }) => facts.name === name)) return room;
  const ends = told.nature === "quitter" ? room.now + STOP_MS : told.ends;
  return {
    ...room,
    history: [...room.history, saidTo(told.facts)],
    asked: [...room.asked, saidTo(told.facts)],
    boxes: room.boxes.map((box) =>
      box === told ? { ...box, ends, facts: { ...box.facts, name } } : box,
    ),
  };
}

/** Asked whether it is done: most are once they have drained for a while. */
function probed(room: Room, { target, asks }: Action & { readonly kind: "probe" }): Room {
  const asked = room.boxes.find(({ facts }) => facts.id === target.id);
  if (asked === undefined) return room;
  const since = Number(/[.]draining-([0-9]+)$/.exec(asked.facts.name)?.[1] ?? 0) * 1000;
  const isTrue = asked.nature !== "busy" && room.now - since >= DRAIN_MS;
  const at = Math.floor(room.now / 1000) * 1000;
  return {
    ...room,
    probes: { ...room.probes, [target.id]: { name: asked.facts.name, asks, isTrue, at } },
    boxes: room.boxes.map((box) =>
      box === asked ? { ...box, hasAnswered: isTrue || box.hasAnswered } : box,
    ),
  };
}

function idOf(room: Room, name: string): string | undefined {
  return room.boxes.find(({ facts }) => facts.name === name)?.facts.id;
}

/** Asked to stop: it does after a while, if it listens; one that was just restarting ends at once. */
function signalled(room: Room, id: string): Room {
  const asked = room.boxes.find(({ facts }) => facts.id === id);
  if (asked === undefined) return room;
  if (asked.facts.run.kind === "restarting") {
    return change(room, id, (facts) => ended(facts, room.now, 1));
  }
  const name = nameAtSignal(asked.facts.name, room);
  if (name !== asked.facts.name && room.boxes.some(({ facts }) => facts.name === name)) return room;
  const ends = asked.nature === "stubborn" ? undefined : room.now + STOP_MS;
  return {
    ...room,
    history: [...room.history, saidTo({ ...asked.facts, name })],
    asked: [...room.asked, saidTo({ ...asked.facts, name })],
    boxes: room.boxes.map((box) =>
      box === asked ? { ...box, ends, facts: { ...box.facts, name } } : box,
    ),
  };
}

/** A name that has waited for what is said in its phase is written anew with it, because the time counts from it. */
function nameAtSignal(name: string, { now }: Room): string {
  const phase = readPhase(name, plainName(name));
  if (phase.kind === "copied" || phase.phase === undefined) return name;
  return phaseName(plainName(name), phase.phase.kind, now);
}

function ended(facts: WorkerFacts, at: number, exitCode: number): WorkerFacts {
  const startedAt = "startedAt" in facts.run ? facts.run.startedAt : at;
  return { ...facts, run: endedAt(startedAt, at, exitCode) };
}

/** The container that a create makes. */
export function newBox(room: Room, action: Action & { readonly kind: "create" }): Box {
  const group = room.groups.find(({ identity }) => identity.uid === action.group);
  if (group === undefined) throw new Error(`create for an unknown group ${action.group}`);
  const { declared, identity } = group;
  const { worker } = action;
  return {
    nature: room.newborn,
    ...UNTOLD,
    facts: {
      id: `new-${room.made}`,
      name: worker.name,
      labels: encodeLabels({
        ...labelsFrom(worker),
        ...{ project: PROJECT, group: identity, nonce: declared.nonce },
        template: templateLabel(templateOf(declared)),
        drain: JSON.stringify(drainOf(declared) ?? {}),
      }),
      imageId: room.images[declared.image] ?? "",
      createdAt: room.now,
      run: { kind: "created" },
      restartCount: 0,
      restartPolicy: declared.restart,
      limits: declared.cpus === "" ? {} : { cpus: Number(declared.cpus) },
      networks: Object.keys(templateOf(declared).networks ?? {}),
    },
  };
}

function labelsFrom({ slot, attempt, revision, name }: NewWorker) {
  return {
    ...{ slot, attempt, revision, name, commit: undefined, generation: 1, spec: "newer" },
    ...{ taskId: "task", templateVersion: TEMPLATE_VERSION, reason: "missing" },
  };
}
