// Reservations against what the engine has: what fits is made, what does not leaves its slot empty, and nobody goes for a
// successor that would not be admitted.

import { describe, expect, it } from "vitest";
import type { RunFacts, Snapshot, WorkerFacts } from "../../../src/core/observed.ts";
import type { Template } from "../../../src/core/template.ts";
import {
  ago,
  exited,
  group,
  MAILER,
  planFor,
  running,
  snapshot,
  type WorkerChanges,
  worker,
} from "../../support/scene.ts";
import { checkRows, keeps, makes, one, type Row, revisionFor, SURGE, stops } from "./table.ts";

const GIB = 1024 ** 3;
const reserve = (cpus: number, more: Partial<Template> = {}): Partial<Template> => ({
  cpu_reservation: cpus,
  ...more,
});
const wants = (cpus: number, replicas = 3) => ({ replicas, template: reserve(cpus) });
const has = (cpus: number, workers: readonly WorkerFacts[] = [], more: Partial<Snapshot> = {}) =>
  snapshot(workers, { capacity: { cpus, memory: 8 * GIB }, ...more });
/** A worker that reserves so many CPUs. */
const of = (slot: number, cpus: number, changes: WorkerChanges = {}) =>
  worker(slot, { spec: { template: reserve(cpus) }, ...changes });
const oldOf = (slot: number, cpus: number, changes: WorkerChanges = {}) =>
  worker(slot, { spec: { template: reserve(cpus, { command: ["old"] }) }, ...changes });
const other = { ...MAILER, uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a12", name: "aaa" };

const FULL = ["InsufficientCapacity"];

const ADMITTING: readonly Row[] = [
  {
    name: "what fits is made",
    desired: group(wants(1, 2)),
    seen: has(2),
    actions: [...makes("mailer-1-desired", "missing"), ...makes("mailer-2-desired", "missing")],
  },
  {
    name: "what does not fit is not made, and its slot stays empty",
    desired: group(wants(1)),
    seen: has(2),
    actions: [...makes("mailer-1-desired", "missing"), ...makes("mailer-2-desired", "missing")],
    blocks: FULL,
  },
  {
    name: "memory is counted as well",
    desired: group({ replicas: 3, template: { mem_reservation: 4 * GIB } }),
    seen: has(0.1, [worker(1, { spec: { template: { mem_reservation: 4 * GIB } } })]),
    actions: makes("mailer-2-desired", "missing"),
    blocks: FULL,
  },
  {
    name: "fractions add up without a remainder",
    desired: group(wants(0.1)),
    seen: has(0.3),
    actions: [1, 2, 3].flatMap((slot) => makes(`mailer-${slot}-desired`, "missing")),
  },
  {
    name: "a group that reserves nothing is always admitted",
    desired: group({ replicas: 1 }),
    seen: has(1, [of(1, 5, { identity: other })]),
    actions: makes("mailer-1-desired", "missing"),
  },
  {
    name: "nothing is refused while the engine's capacity is not known",
    desired: group(wants(99, 1)),
    seen: snapshot([]),
    actions: makes("mailer-1-desired", "missing"),
  },
  {
    name: "workers of groups that nobody plans hold what they reserve",
    desired: group(wants(1, 1)),
    seen: has(2, [of(1, 1.5, { identity: other })]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "one that the engine does not tell of holds it, too",
    desired: group(wants(1, 1)),
    seen: has(2, [], {
      unknown: [{ id: "x", name: "aaa-1", labels: of(1, 1.5, { identity: other }).labels }],
    }),
    actions: [],
    blocks: FULL,
  },
  {
    name: "one that stopped holds it until it is removed, one that is going does not",
    desired: group(wants(1, 2)),
    seen: has(2, [
      of(1, 1, { identity: other, run: exited(1) }),
      of(2, 1, { identity: other, run: { kind: "removing" } }),
    ]),
    actions: makes("mailer-1-desired", "missing"),
    blocks: FULL,
  },
  {
    name: "a create without an answer holds it",
    desired: group(wants(1, 2)),
    seen: has(1),
    request: {
      uncertain: {
        [MAILER.uid]: [
          {
            slot: 1,
            name: "mailer-1-x",
            revision: revisionFor(group(wants(1, 2))),
            until: new Date(ago(-60)).toISOString(),
          },
        ],
      },
    },
    actions: [],
    blocks: FULL,
  },
  {
    name: "a removal of this pass gives back what its worker held",
    desired: group(wants(1, 1)),
    seen: has(1, [of(1, 1, { run: exited(3600) })]),
    actions: [
      "remove mailer-1-desired: exited",
      "create mailer-1-desired-2: exited",
      "start mailer-1-desired-2: exited",
    ],
  },
  {
    name: "an old worker is retired where its successor fits once it is gone",
    desired: group(wants(2, 1)),
    seen: has(2, [oldOf(1, 2)]),
    actions: keeps("mailer-1-old", "template-changed command"),
  },
  {
    name: "and where it needs more, which is free",
    desired: group(wants(2, 1)),
    seen: has(2, [oldOf(1, 1)]),
    actions: keeps("mailer-1-old", "template-changed command,cpu_reservation"),
  },
  {
    name: "it stays where the successor would not fit",
    desired: group(wants(2, 1)),
    seen: has(2, [oldOf(1, 1), of(1, 0.5, { identity: other })]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "it stays even broken: an empty slot would be no better",
    desired: group(wants(3, 1)),
    seen: has(2, [oldOf(1, 1, { run: running(60, "unhealthy") })]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "of several as many go as have room for what comes",
    desired: group({ ...wants(2), rollout: { maxUnavailable: one(3) } }),
    seen: has(4, [oldOf(1, 1), oldOf(2, 1), oldOf(3, 1)]),
    actions: keeps("mailer-1-old", "template-changed command,cpu_reservation"),
    blocks: FULL,
  },
  {
    name: "Recreate takes all or none",
    desired: group({ ...wants(2), rollout: { strategy: "Recreate" } }),
    seen: has(4, [oldOf(1, 1), oldOf(2, 1), oldOf(3, 1)]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "scaling down needs no room",
    desired: group(wants(2, 1)),
    seen: has(2, [of(1, 2), of(2, 2)]),
    actions: stops("mailer-2-desired", "scale-down"),
  },
  {
    name: "an unhealthy one stays where the host has less than is held",
    desired: group(wants(2, 1)),
    seen: has(1, [of(1, 2, { run: running(3600, "unhealthy") })]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "surge needs room beside the old one, which stays without it",
    desired: group({ ...wants(1, 1), rollout: SURGE }),
    seen: has(1.5, [oldOf(1, 1)]),
    actions: [],
    blocks: FULL,
  },
  {
    name: "surge with room makes the new one first",
    desired: group({ ...wants(1, 1), rollout: SURGE }),
    seen: has(2, [oldOf(1, 1)]),
    actions: makes("mailer-1-desired", "template-changed command"),
  },
];

checkRows("admission", ADMITTING);

describe("groups", () => {
  const first = group(wants(1, 2), { identity: other });
  const second = group(wants(1, 2));
  const creates = (...args: Parameters<typeof planFor>) =>
    planFor(...args).actions.flatMap((action) => (action.kind === "create" ? [action] : []));

  it("are admitted in their order, whatever order they are listed in", () => {
    for (const groups of [
      [first, second],
      [second, first],
    ]) {
      const made = creates(groups, has(3));
      expect(made.map(({ group: uid }) => uid).sort()).toEqual(
        [MAILER.uid, other.uid, other.uid].sort(),
      );
    }
  });

  it("do not take what a removal of another group gives back before it is done", () => {
    const leaving = oldOf(1, 1, { run: exited(3600) });
    const seen = has(1, [leaving]);
    const gone = group({ ...wants(1, 1), replicas: 0 });
    expect(creates([first, gone], seen)).toEqual([]);
  });

  it("wait with a create for the removals of their own whose room it takes", () => {
    const seen = has(1, [of(2, 1, { run: exited(3600) })]);
    const [create] = creates([group({ ...wants(1, 2), rollout: { maxSurge: one(1) } })], seen);
    expect(create?.needs).toEqual([expect.stringMatching(/^remove mailer-2-/)]);
  });

  it("keep what was given up for a successor while the old worker stops", () => {
    const stopping = oldOf(1, 1, { phase: "stopping", phaseAge: 1 });
    const growing = group(wants(2, 1));
    const seen = has(2, [stopping], { signalled: [stopping.id] });
    expect(creates([first, growing], seen)).toEqual([]);
    expect(creates([first], seen)).toHaveLength(1);
  });

  it.each<[string, RunFacts | undefined]>([
    ["stops", undefined],
    ["is stopped", exited(1, 0)],
  ])("keep it while the old worker %s to be kept", (_, run) => {
    const kept = oldOf(1, 1, { phase: "kept", phaseAge: 1, ...(run && { run }) });
    const growing = group(wants(2, 1));
    const seen = has(2, [kept], { signalled: [kept.id] });
    const made = creates([first, growing], seen);
    expect(made.map((action) => action.group)).toEqual(run === undefined ? [] : [MAILER.uid]);
  });

  it("keep it in the pass that retires it, too, for those that come after", () => {
    const growing = group(wants(2, 1), { identity: other });
    const seen = has(2, [oldOf(1, 1, { identity: other })]);
    expect(creates([growing, second], seen)).toEqual([]);
    expect(creates([second], seen)).toHaveLength(1);
  });
});

it("says how much is missing in words that stay the same", () => {
  const template = reserve(1.5, { mem_reservation: 4 * GIB });
  const [planned] = planFor([group({ replicas: 4, template })], has(4)).groups;
  expect(planned?.blocks).toEqual([
    {
      code: "InsufficientCapacity",
      message:
        "a new worker reserves 1.5 CPUs and 4 GiB of memory, of which 0.5 CPUs and 4 GiB of memory cannot be had; the engine has 4 CPUs and 8 GiB of memory in all",
    },
  ]);
});
