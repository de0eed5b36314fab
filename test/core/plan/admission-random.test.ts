// Random small worlds: whatever a plan makes and retires, reservations never come to more than the engine has.

import { expect, it } from "vitest";
import type { WorkerFacts } from "../../../src/core/observed.ts";
import type { Plan } from "../../../src/core/plan/types.ts";
import { labelledReservation } from "../../../src/core/reservations.ts";
import { exited, group, MAILER, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { one } from "./table.ts";

const WORLDS = 600;
const OTHER = { ...MAILER, uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a12", name: "other" };
const CPUS = [0, 0.5, 1, 1.5, 2] as const;

/** Draws that follow from a seed. */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makeWorld(seed: number) {
  const draw = drawer(seed);
  const template = (command: string) => ({
    command: [command],
    cpu_reservation: CPUS[draw(CPUS.length)] ?? 0,
  });
  const groups = [MAILER, OTHER].map((identity) => {
    const rollout = { maxUnavailable: one(draw(3)), maxSurge: one(1 + draw(2)) };
    return group({ replicas: draw(4), template: template("new"), rollout }, { identity });
  });
  const workers = groups.flatMap((desired) => {
    if (desired.kind !== "valid") return [];
    const { identity, spec } = desired;
    return Array.from({ length: draw(4) }, (_, index): WorkerFacts => {
      const isOld = draw(2) === 0;
      const phase = draw(5) === 0 ? { phase: "stopping" as const, phaseAge: 1 } : {};
      const run = draw(4) === 0 ? exited(3_600) : running(3_600);
      const made = isOld ? template("old") : spec.template;
      return worker(index + 1, { identity, run, ...phase, spec: { template: made } });
    });
  });
  const capacity = { cpus: draw(9) / 2, memory: 1 };
  return { groups, workers, capacity, planned: planFor(groups, snapshot(workers, { capacity })) };
}

type World = ReturnType<typeof makeWorld>;

const own = ({ labels }: WorkerFacts) =>
  labelledReservation(labels["dev.wgctl.template"] ?? "").cpus;

function wantedBy({ groups }: World, uid: string): number {
  const desired = groups.find(({ identity }) => identity.uid === uid);
  return desired?.kind === "valid" ? (desired.spec.template.cpu_reservation ?? 0) : 0;
}

const ids = (planned: Plan, kinds: readonly string[]) =>
  planned.actions.flatMap((each) =>
    "target" in each && kinds.includes(each.kind) ? [each.target?.id] : [],
  );

/** CPUs that are held once the plan is done, and the same for what comes after those who are told to go. */
function heldAfter(world: World): number {
  const { planned, workers } = world;
  const removed = new Set(ids(planned, ["remove"]));
  const there = workers.filter(({ id }) => !removed.has(id));
  const made = planned.actions.flatMap((each) =>
    each.kind === "create" ? [wantedBy(world, each.group)] : [],
  );
  return [...there.map(own), ...made].reduce((sum, each) => sum + each, 0);
}

it("fits, wherever something is made that reserves", () => {
  let tried = 0;
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const world = makeWorld(seed);
    const isReserving = world.planned.actions.some(
      (each) => each.kind === "create" && wantedBy(world, each.group) > 0,
    );
    if (!isReserving) continue;
    tried += 1;
    expect(heldAfter(world), `seed ${seed}`).toBeLessThanOrEqual(world.capacity.cpus + 1e-6);
  }
  expect(tried).toBeGreaterThan(WORLDS / 20);
});

it("is the same plan in whatever order things are listed", () => {
  for (let seed = 1; seed <= WORLDS; seed += 10) {
    const { groups, workers, capacity, planned } = makeWorld(seed);
    const seen = snapshot([...workers].reverse(), { capacity });
    expect(planFor([...groups].reverse(), seen), `seed ${seed}`).toEqual(planned);
  }
});

it("leaves an empty slot only with a word about it", () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { planned } = makeWorld(seed);
    for (const { blocks, namesToCome, identity } of planned.groups) {
      const acts = planned.actions.some((each) => each.group === identity.uid);
      if (acts || namesToCome.length === 0) continue;
      expect(blocks.length, `seed ${seed}`).toBeGreaterThan(0);
    }
  }
});
