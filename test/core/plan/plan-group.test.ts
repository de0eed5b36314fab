// The plan of one group as a whole: what is left to do without its image, when it is as declared, what it remembers.

import { describe, expect, it } from "vitest";
import { toIso } from "../../../src/core/time.ts";
import { ago, exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, OLD, one, type Row, remembering, revisionFor, stops } from "./table.ts";

const single = group({ replicas: 1 });
const absent = { template: { image: "mailer:9" } };

const WITHOUT_IMAGE: readonly Row[] = [
  {
    name: "an image that is missing is pulled and nothing is retired for it",
    desired: group({ replicas: 2, ...absent }),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: ["pull-image mailer:9: missing", ...stops("mailer-3-old", "scale-down")],
  },
  {
    name: "an image that is missing and must not be pulled blocks the group",
    desired: group({ replicas: 1, ...absent, pullPolicy: "never" }),
    seen: snapshot([worker(1)]),
    actions: [],
    blocks: ["ImageMissing"],
  },
  {
    name: "none is needed for a group of none",
    desired: group({ replicas: 0, ...absent }),
    seen: snapshot([]),
    actions: [],
    converged: true,
  },
  {
    name: "nothing is healed without it: who knows what the workers should be",
    desired: group({ replicas: 1, ...absent }),
    seen: snapshot([worker(1, { run: exited(99) })]),
    actions: ["pull-image mailer:9: missing"],
  },
];

const AS_DECLARED: readonly Row[] = [
  {
    name: "one available worker of the revision in every slot",
    desired: group(),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: [],
    converged: true,
  },
  {
    name: "R3: not one that is ready and not long enough",
    desired: single,
    seen: snapshot([worker(1, { run: running(2) })]),
    actions: [],
    converged: false,
    dueIn: 3,
    waitingFor: ["1 worker to become available"],
  },
  {
    name: "R3: not one that has restarted, until it has been ready long enough",
    desired: single,
    seen: snapshot([worker(1, { run: running(2), facts: { restartCount: 1 } })]),
    actions: [],
    converged: false,
    dueIn: 3,
    waitingFor: ["1 worker in a crash loop"],
  },
  {
    name: "R3: not one that is starting",
    desired: single,
    seen: snapshot([worker(1, { run: running(20, "starting") })]),
    actions: [],
    converged: false,
  },
  {
    name: "not beside one that leaves",
    desired: single,
    seen: snapshot([worker(1), worker(2, { phase: "stopping", phaseAge: 1, id: "w" })], {
      signalled: ["w"],
    }),
    actions: [],
    converged: false,
  },
  {
    name: "not beside one that is being removed",
    desired: single,
    seen: snapshot([worker(1), worker(2, { run: { kind: "removing" } })]),
    actions: [],
    converged: false,
  },
  {
    name: "not while a create is open",
    desired: group({ replicas: 0 }),
    seen: snapshot([]),
    request: {
      uncertain: {
        [single.identity.uid]: [
          { slot: 1, revision: "r", name: "m", until: "2030-01-01T00:00:00.000Z" },
        ],
      },
    },
    actions: [],
    converged: false,
  },
  {
    name: "not where an old one stays because the rollout is paused",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, OLD)]),
    actions: [],
    blocks: ["Paused"],
    converged: false,
  },
];

checkRows("without its image", WITHOUT_IMAGE);
checkRows("as declared is", AS_DECLARED);

describe("what is remembered of failures", () => {
  const revision = revisionFor(single);
  const failures = (workers: readonly ReturnType<typeof worker>[], before = {}, desired = single) =>
    planFor([desired], snapshot(workers), before).groups[0]?.failures;
  const known = (slot: number, attempts: number, at: number | null, of = revision) => ({
    ...{ slot, attempts },
    revision: of,
    at: at === null ? null : toIso(at),
  });

  it.each<[string, ReturnType<typeof failures>, ReturnType<typeof failures>]>([
    ["nothing of who runs", failures([worker(1)]), []],
    [
      "one that has ended",
      failures([worker(1, { attempt: 2, run: exited(1) })]),
      [known(1, 2, ago(1))],
    ],
    [
      "one whose start was refused",
      failures([worker(1, { run: { kind: "created", error: "no" } })]),
      [known(1, 1, ago(3600))],
    ],
    [
      "one that is replaced as broken",
      failures([worker(1, { run: running(400, "unhealthy") })]),
      [known(1, 1, ago(400))],
    ],
    [
      "not one that may still become ready",
      failures([worker(1, { run: running(9, "starting") })]),
      [],
    ],
    [
      "not one that was asked to go",
      failures([worker(1, { phase: "stopping", run: exited(1) })]),
      [],
    ],
    ["not an old one", failures([worker(1, { ...OLD, run: exited(1) })]), []],
    [
      "one that lasted long, as the first",
      failures([worker(1, { attempt: 4, run: exited(1, 1, 600) })]),
      [known(1, 1, ago(1))],
    ],
    [
      "those before",
      failures([], remembering({ failures: [known(1, 3, ago(9))] })),
      [known(1, 3, ago(9))],
    ],
    [
      "those before of no other revision",
      failures([], remembering({ failures: [known(1, 3, null, "r")] })),
      [],
    ],
    [
      "those before of no slot that is gone",
      failures([], remembering({ failures: [known(2, 3, null)] })),
      [],
    ],
    [
      "what is remembered of the very failure that is seen",
      failures(
        [worker(1, { attempt: 2, run: exited(1) })],
        remembering({ failures: [known(1, 7, ago(1))] }),
      ),
      [known(1, 7, ago(1))],
    ],
    [
      "a later failure of a worker that was started again as one more",
      failures(
        [worker(1, { attempt: 2, run: exited(1) })],
        remembering({ failures: [known(1, 7, ago(9))] }),
      ),
      [known(1, 8, ago(1))],
    ],
    [
      "all, while the revision is not known",
      failures(
        [],
        remembering({ failures: [known(1, 3, null, "r")] }),
        group({ replicas: 1, ...absent }),
      ),
      [known(1, 3, null, "r")],
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

it("R1: plans by what is there: what was planned and not done is planned again, whoever asks", () => {
  const seen = snapshot([worker(1, OLD), worker(2, { run: { kind: "created" } })]);
  const first = planFor([group()], seen);
  expect(first.actions.length).toBeGreaterThan(0);
  expect(planFor([group()], seen)).toEqual(first);
});

it("R1: half of a retirement is gone on with by who knows nothing of its beginning", () => {
  const half = worker(1, { phase: "stopping", phaseAge: 30, id: "w" });
  const [action] = planFor(
    [group({ replicas: 0 })],
    snapshot([half], { signalled: ["w"] }),
  ).actions;
  expect(action?.kind).toBe("kill");
});

it("R2: asks for nothing at any later time, once as declared", () => {
  const there = [1, 2, 3].map((slot) => worker(slot));
  for (const hours of [1, 24, 8760]) {
    const later = snapshot(there, { now: ago(-3600 * hours) });
    const planned = planFor([group({ rollout: { maxUnavailable: one(2) } })], later);
    expect([planned.actions, planned.groups[0]?.converged]).toEqual([[], true]);
  }
});
