// What each action does to the room of a random world. Pure; judges nothing.

import { encodeLabels, TEMPLATE_VERSION } from "../../../../src/core/labels.ts";
import { phaseName, plainName } from "../../../../src/core/names.ts";
import type { WorkerFacts } from "../../../../src/core/observed.ts";
import type { Action, NewWorker } from "../../../../src/core/plan/types.ts";
import { templateLabel } from "../../../../src/core/revision.ts";
import {
  type Box,
  endedAt,
  PROJECT,
  PULLED,
  process,
  processOf,
  type Room,
  STOP_MS,
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
      return change(room, action.target?.id ?? idOf(room, action.name), (facts) => ({
        ...facts,
        run: process(room, room.now),
      }));
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
    case "probe":
      return room;
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
    history: [...room.history, processOf(asked.facts)],
    asked: [...room.asked, processOf(asked.facts)],
    boxes: room.boxes.map((box) =>
      box === asked ? { ...box, ends, facts: { ...box.facts, name } } : box,
    ),
  };
}

/** A name that has waited for its signal is written anew with it, because grace counts from it. */
function nameAtSignal(name: string, { now }: Room): string {
  const phase = /[.](stopping|kept|failed)-[0-9]+$/.exec(name)?.[1];
  const isLeaving = phase === "stopping" || phase === "kept" || phase === "failed";
  return isLeaving ? phaseName(plainName(name), phase, now) : name;
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
    ends: undefined,
    facts: {
      id: `new-${room.made}`,
      name: worker.name,
      labels: encodeLabels({
        ...labelsFrom(worker),
        ...{ project: PROJECT, group: identity, nonce: declared.nonce },
        template: templateLabel(templateOf(declared)),
      }),
      imageId: room.images[declared.image] ?? "",
      createdAt: room.now,
      run: { kind: "created" },
      restartCount: 0,
      restartPolicy: declared.restart,
      limits: {},
      networks: Object.keys(templateOf(declared).networks ?? {}),
    },
  };
}

function labelsFrom({ slot, attempt, revision, name }: NewWorker) {
  return {
    ...{ slot, attempt, revision, name, commit: undefined, generation: 1, spec: "newer" },
    ...{ taskId: "task", templateVersion: TEMPLATE_VERSION, drain: "{}", reason: "missing" },
  };
}
