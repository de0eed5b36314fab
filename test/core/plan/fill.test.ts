// What is created and started, in which slots, and for which reason.

import { describe, expect, it } from "vitest";
import type { RunFacts } from "../../../src/core/observed.ts";
import { ago, exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import {
  checkRows,
  keeps,
  makes,
  OLD,
  one,
  type Row,
  remembering,
  revisionFor,
  SURGE,
  stops,
} from "./table.ts";

const single = group({ replicas: 1 });
const until = "2030-01-01T00:00:00.000Z";
const recreate = group({ replicas: 2, rollout: { strategy: "Recreate" } });

/** A create of the slot that got no answer. */
function unanswered(slot: number, revision = revisionFor(single)) {
  const name = `mailer-${slot}-${revision.slice(0, 8)}`;
  return { uncertain: { [single.identity.uid]: [{ slot, revision, name, until }] } };
}

const CREATING: readonly Row[] = [
  {
    name: "an empty engine gets every worker, created and started",
    desired: group({ replicas: 2 }),
    seen: snapshot([]),
    actions: [
      "create mailer-1-desired: missing",
      "start mailer-1-desired: missing",
      "create mailer-2-desired: missing",
      "start mailer-2-desired: missing",
    ],
  },
  {
    name: "available workers of the desired revision ask for nothing",
    desired: group(),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: [],
    converged: true,
  },
  {
    name: "a worker removed by hand comes back under the same name",
    desired: group(),
    seen: snapshot([worker(1), worker(3)]),
    actions: ["create mailer-2-desired: missing", "start mailer-2-desired: missing"],
  },
  {
    name: "a worker that was created and never started is started",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    actions: ["start mailer-1-desired: missing"],
  },
  {
    name: "R4: a create without an answer counts as existing, and its slot as filled",
    desired: single,
    seen: snapshot([]),
    request: unanswered(1),
    actions: [],
    waitingFor: ["1 worker created without an answer"],
  },
  {
    name: "R4: one of another revision fills its slot too, but its name is not the one wanted",
    desired: single,
    seen: snapshot([]),
    request: unanswered(1, "0123456789abcdef"),
    actions: [],
  },
  {
    name: "R4: and with surge, is one of those that exist",
    desired: group({ replicas: 1, rollout: { maxSurge: one(1), maxUnavailable: one(0) } }),
    seen: snapshot([worker(1, OLD)]),
    request: unanswered(1, "0123456789abcdef"),
    actions: [],
  },
  {
    name: "R4: a create without an answer is not shown by who leaves under the name it has in its labels",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 2, id: "w" })], { signalled: ["w"] }),
    request: unanswered(1),
    actions: [],
    waitingFor: ["1 worker created without an answer", "1 worker to stop"],
  },
  {
    name: "R4: and has none made beside it although surge would allow one",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([]),
    request: unanswered(1),
    actions: [],
  },
  {
    name: "R4: without surge nothing is made beside an old worker, though a slot has to stay empty",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, OLD), worker(2, { run: { kind: "removing" } })]),
    actions: [],
  },
  {
    name: "R4: once the engine shows it, it is a worker like any other",
    desired: single,
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    request: unanswered(1),
    actions: ["start mailer-1-desired: missing"],
  },
  {
    name: "R4: a worker under removal holds its name, and its slot is left until it is gone",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: { kind: "removing" } })]),
    actions: makes("mailer-2-desired", "missing"),
    waitingFor: ["1 worker to be gone"],
  },
  {
    name: "one of another revision under removal holds another name",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: { kind: "removing" } })]),
    actions: makes("mailer-1-desired", "missing"),
  },
  {
    name: "what was created for another revision and never started is removed",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: { kind: "created" } })]),
    actions: [
      "remove mailer-1-old: template-changed command",
      ...makes("mailer-1-desired", "template-changed command"),
    ],
  },
  {
    name: "what was created above the count and never started is removed, not started",
    desired: single,
    seen: snapshot([worker(1), worker(2, { run: { kind: "created" } })]),
    actions: ["remove mailer-2-desired: scale-down"],
  },
  {
    name: "what is removed as one too many is not started before",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: { kind: "created" } }), worker(1, OLD), worker(2)]),
    actions: [
      "remove mailer-1-desired: duplicate",
      ...keeps("mailer-1-old", "template-changed command"),
    ],
  },
  {
    name: "a worker that leaves keeps its slot as long as it exists",
    desired: single,
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 2, id: "w" })], { signalled: ["w"] }),
    actions: [],
  },
  {
    name: "the attempt after as many failures as are remembered",
    desired: single,
    seen: snapshot([]),
    request: remembering({
      failures: [{ slot: 1, revision: revisionFor(single), attempts: 2, at: null }],
    }),
    actions: makes("mailer-1-desired-3", "missing"),
  },
  {
    name: "failures of another revision or slot do not count",
    desired: single,
    seen: snapshot([]),
    request: remembering({
      failures: [
        { slot: 1, revision: "another", attempts: 2, at: null },
        { slot: 2, revision: revisionFor(single), attempts: 2, at: null },
      ],
    }),
    actions: makes("mailer-1-desired", "missing"),
  },
  {
    name: "one that is replaced as broken is a failure too",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([
      worker(1, { run: { kind: "removing" } }),
      worker(1, { attempt: 3, run: running(400, "unhealthy") }),
    ]),
    actions: [
      ...makes("mailer-1-desired-4", "missing"),
      ...stops("mailer-1-desired-3", "not-ready"),
    ],
  },
  {
    name: "a broken one and its successor have different names",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([worker(1, { run: running(400, "unhealthy") })]),
    actions: [...makes("mailer-1-desired-2", "missing"), ...stops("mailer-1-desired", "not-ready")],
  },
  {
    name: "a name that one of the group holds is not used again, though it is no failure's",
    desired: group({ replicas: 1, template: { networks: { shop: {} } }, rollout: SURGE }),
    seen: snapshot([
      worker(1, { spec: { template: { networks: { shop: {} } } }, facts: { networks: [] } }),
    ]),
    actions: makes("mailer-1-desired-2", "drift"),
  },
];

const MAKING_ROOM: readonly Row[] = [
  {
    name: "with surge a successor comes first, in the lowest slot",
    desired: group({
      replicas: 2,
      rollout: { maxSurge: one(1), maxUnavailable: one(0) },
    }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)]),
    actions: [
      "create mailer-1-desired: template-changed command",
      "start mailer-1-desired: template-changed command",
    ],
  },
  {
    name: "with surge the worker with an available successor goes, and no more are made than fit",
    desired: group({
      replicas: 2,
      rollout: { maxSurge: one(1), maxUnavailable: one(0) },
    }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(2)]),
    actions: keeps("mailer-2-old", "template-changed command"),
  },
  {
    name: "a retired worker makes room for its successor once it has ended",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { ...OLD, phase: "stopping", run: exited(0, 0) }), worker(2, OLD)]),
    actions: [
      "remove mailer-1-old: template-changed command",
      "create mailer-1-desired: template-changed command",
      "start mailer-1-desired: template-changed command",
    ],
  },
  {
    name: "with surge empty slots come first",
    desired: group({ replicas: 3, rollout: SURGE }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)]),
    actions: [
      ...makes("mailer-3-desired", "missing"),
      ...makes("mailer-1-desired", "template-changed command"),
    ],
  },
  {
    name: "nothing is created while as many exist as may",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1), worker(3, { phase: "stopping", phaseAge: 1, id: "w" })], {
      signalled: ["w"],
    }),
    actions: [],
  },
  {
    name: "a removal of this pass makes room",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1), worker(3, { phase: "stopping", run: exited(1) })]),
    actions: ["remove mailer-3-desired: scale-down", ...makes("mailer-2-desired", "missing")],
  },
  {
    name: "remains that no longer exist take no room",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1), worker(3, { run: { kind: "dead" } })]),
    actions: ["remove mailer-3-desired: leaving", ...makes("mailer-2-desired", "missing")],
  },
];

const RECREATING: readonly Row[] = [
  {
    name: "Recreate makes none while an old one is there",
    desired: group({ replicas: 2, rollout: { strategy: "Recreate" } }),
    seen: snapshot([worker(1, { ...OLD, phase: "stopping" })], { signalled: ["other"] }),
    actions: ["signal mailer-1-old: template-changed command"],
  },
  {
    name: "starts none while an old one is there",
    desired: recreate,
    seen: snapshot([worker(1, OLD), worker(2, { run: { kind: "created" } })]),
    actions: keeps("mailer-1-old", "template-changed command"),
  },
  {
    name: "makes none while the create of an old one is open",
    desired: recreate,
    seen: snapshot([]),
    request: unanswered(1, "0123456789abcdef"),
    actions: [],
  },
  {
    name: "makes the others while the create of a new one is open",
    desired: recreate,
    seen: snapshot([]),
    request: unanswered(1, revisionFor(recreate)),
    actions: makes("mailer-2-desired", "missing"),
  },
];

checkRows("creating", CREATING);
checkRows("making room", MAKING_ROOM);
checkRows("Recreate", RECREATING);

/** What each create and start needs, `create 1 < remove 2`. */
function needs(desired: ReturnType<typeof group>, workers: readonly ReturnType<typeof worker>[]) {
  const short = (id: string) => id.replace(/mailer-(\d)-\S*/, "$1");
  return planFor([desired], snapshot(workers))
    .actions.filter(({ kind }) => kind === "create" || kind === "start")
    .map((each) => `${short(each.id)} < ${each.needs.map(short).join(", ")}`);
}

describe("R4: a create waits", () => {
  const ended = (slot: number) => worker(slot, { ...OLD, phase: "stopping", run: exited(1) });

  it.each<
    [string, ReturnType<typeof group>, readonly ReturnType<typeof worker>[], readonly string[]]
  >([
    ["for nothing where there is room", single, [], ["create 1 < ", "start 1 < create 1"]],
    [
      "for the removal in its own slot",
      group({ replicas: 2 }),
      [ended(1), ended(2)],
      ["create 1 < remove 1", "start 1 < create 1", "create 2 < remove 2", "start 2 < create 2"],
    ],
    [
      "for the removal of remains in its own slot",
      single,
      [worker(1, { run: { kind: "dead" } })],
      ["create 1 < remove 1", "start 1 < create 1"],
    ],
    [
      "where the group is full, for any removal that makes room",
      group({ replicas: 2 }),
      [worker(1), ended(3)],
      ["create 2 < remove 3", "start 2 < create 2"],
    ],
    [
      "each for another one",
      group({ replicas: 2 }),
      [ended(3), ended(4)],
      ["create 1 < remove 3", "start 1 < create 1", "create 2 < remove 4", "start 2 < create 2"],
    ],
    [
      "not for one where there is room besides",
      group({ replicas: 3 }),
      [worker(1), ended(4)],
      ["create 2 < ", "start 2 < create 2", "create 3 < remove 4", "start 3 < create 3"],
    ],
    [
      "where too many exist, for all that are too many as well",
      group({ replicas: 2 }),
      [worker(1), ended(3), ended(4)],
      ["create 2 < remove 3, remove 4", "start 2 < create 2"],
    ],
    [
      "not for remains that take no room",
      group({ replicas: 2 }),
      [worker(1), worker(3, { run: { kind: "dead" } })],
      ["create 2 < ", "start 2 < create 2"],
    ],
  ])("%s", (_, desired, workers, expected) => {
    expect(needs(desired, workers)).toEqual(expected);
  });

  it("with Recreate, and a start too, for the last old one to be removed, in whatever slot", () => {
    const remains = worker(1, { ...OLD, run: { kind: "created" } });
    expect(needs(recreate, [remains, worker(2, { run: { kind: "created" } })])).toEqual([
      "start 2 < remove 1",
      "create 1 < remove 1",
      "start 1 < create 1",
    ]);
    expect(needs(recreate, [remains])).toContain("create 2 < remove 1");
  });
});

describe("names to come", () => {
  const names = (
    desired: ReturnType<typeof group>,
    workers: readonly ReturnType<typeof worker>[],
  ) =>
    planFor([desired], snapshot(workers)).groups[0]?.namesToCome.map((name) =>
      name.replace(revisionFor(desired).slice(0, 8), "desired"),
    );

  it.each<[string, readonly ReturnType<typeof worker>[], readonly string[]]>([
    [
      "those of all slots without a worker of the revision",
      [worker(1), worker(2, OLD)],
      ["mailer-2-desired"],
    ],
    ["with the attempt that they will have", [worker(1), worker(2, { run: exited(1) })], []],
    [
      "of those whose time has come",
      [worker(1), worker(2, { run: exited(99) })],
      ["mailer-2-desired-2"],
    ],
  ])("are %s", (_, workers, expected) => {
    expect(names(group({ replicas: 2 }), workers)).toEqual(expected);
  });
});

const outOfMemory: RunFacts = {
  ...{ kind: "exited", exitCode: 137, oomKilled: true },
  ...{ startedAt: ago(100), finishedAt: ago(99) },
};

describe("the reason of a create", () => {
  const reasons = (workers: readonly ReturnType<typeof worker>[], rollout = {}) =>
    planFor([group({ replicas: 1, rollout })], snapshot(workers))
      .actions.filter(({ kind }) => kind === "create")
      .map(({ reason, detail }) => `${reason}: ${detail}`);

  it.each<[string, readonly ReturnType<typeof worker>[], object, readonly string[]]>([
    ["is that the slot is empty", [], {}, ["missing: slot 1 has no worker"]],
    ["is its predecessor's", [worker(1, { run: exited(99, 3) })], {}, ["exited: exit code 3"]],
    [
      "says so where that one ran out of memory",
      [worker(1, { run: outOfMemory })],
      {},
      ["exited: out of memory"],
    ],
    [
      "is not that its predecessor was leaving",
      [worker(1, { phase: "stopping", run: exited(1) })],
      {},
      ["missing: slot 1 has no worker"],
    ],
    ["is why the one beside it goes", [worker(1, OLD)], SURGE, ["template-changed: "]],
    [
      "is of its own slot",
      [worker(2, { run: { kind: "created", error: "no" } })],
      {},
      ["missing: slot 1 has no worker"],
    ],
  ])("%s", (_, workers, rollout, expected) => {
    expect(reasons(workers, rollout)).toEqual(expected);
  });
});

it("makes nothing of a group of none", () => {
  expect(planFor([group({ replicas: 0 })], snapshot([])).actions).toEqual([]);
});
