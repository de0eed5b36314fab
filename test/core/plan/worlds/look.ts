// Plans one pass for the room of a random world, as the program does: observe, plan, look ahead, plan again.

import type { Snapshot } from "../../../../src/core/observed.ts";
import { type PlanRequest, plan } from "../../../../src/core/plan/plan.ts";
import type { Plan } from "../../../../src/core/plan/types.ts";
import { makeStatus } from "../../../../src/core/status.ts";
import type { StatusDocument } from "../../../../src/core/status-types.ts";
import { desiredOf, PROJECT, type Room, snapshotOf } from "./room.ts";

/** What is asked of the planner; `budget` unless told is the room's own. */
export function requestOf(room: Room, budget = room.budget): PlanRequest {
  const groups = room.groups.map(desiredOf).filter((group) => group !== undefined);
  return {
    groups,
    snapshot: snapshotOf(room),
    memory: room.memory,
    projectUid: PROJECT,
    declared: groups.map(({ identity }) => identity.uid),
    prune: room.prune,
    budget,
    holds: {},
    newerCommits: [],
    uncertain: room.uncertain,
    retryBefore: room.retryBefore,
  };
}

/** The plan of a pass, made on what the names and networks it needs turn out to be. */
export function look(room: Room, budget = room.budget): Plan {
  return lookWith(room, requestOf(room, budget));
}

/** As `look`, for a request that was made from the room. */
export function lookWith(room: Room, request: PlanRequest): Plan {
  const first = plan(request);
  const actions = [...first.actions, ...first.deferred];
  if (actions.length === 0) return first;
  const touched = new Set(actions.map(({ group }) => group));
  const groups = first.groups.filter(({ identity }) => touched.has(identity.uid));
  const holders = holdersOf(
    room,
    groups.flatMap(({ namesToCome }) => namesToCome),
  );
  const missingNetworks = room.hasNetwork ? [] : ["shop"];
  const needsNetwork = room.groups.some(({ declared }) => declared.hold === "no-network");
  if (Object.keys(holders).length === 0 && !needsNetwork) return first;
  return plan({ ...request, snapshot: { ...request.snapshot, holders, missingNetworks } });
}

function holdersOf(room: Room, names: readonly string[]): Snapshot["holders"] {
  const held = new Map(room.boxes.map(({ facts }) => [facts.name, facts]));
  return Object.fromEntries(
    names.flatMap((name) => {
      const own = held.get(name);
      if (own !== undefined) return [[name, { id: own.id, labels: own.labels }]];
      return room.squatters.includes(name) ? [[name, { id: "squatter", labels: {} }]] : [];
    }),
  );
}

/** The status document that a plan gives. */
export function remember(room: Room, planned: Plan): StatusDocument {
  return makeStatus(planned, {
    ...{ engine: { id: "E", endpoint: "e" }, project: null, previous: room.memory },
    ...{ narrowed: false, commit: undefined, failures: {} },
  });
}
