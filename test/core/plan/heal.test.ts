// Putting right what is wrong with workers of the desired revision.

import { ago, exited, group, running, snapshot, worker } from "../../support/scene.ts";
import {
  checkRows,
  makes,
  OLD,
  one,
  type Row,
  recordOf,
  remembering,
  SURGE,
  stops,
} from "./table.ts";

const single = group({ replicas: 1 });
const sick = worker(1, { run: running(60, "unhealthy") });
const twice = [worker(3, { attempt: 1 }), worker(3, { attempt: 2 })];
const none = { kind: "percent", percent: 0 } as const;
const armed = { template: { restart: "always" } };

const STOPPED: readonly Row[] = [
  {
    name: "an exited worker is replaced when its back-off is over, as the next attempt",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: exited(10) })]),
    actions: [
      "remove mailer-1-desired: exited",
      "create mailer-1-desired-2: exited",
      "start mailer-1-desired-2: exited",
    ],
  },
  {
    name: "an exited worker waits for its back-off",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: exited(9) })]),
    actions: [],
  },
  {
    name: "the third attempt waits four times as long",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { attempt: 3, run: exited(39) })]),
    actions: [],
  },
  {
    name: "a process that lasted long is forgiven the failures before it",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { attempt: 5, run: exited(10, 1, 600) })]),
    actions: [
      "remove mailer-1-desired-5: exited",
      "create mailer-1-desired-2: exited",
      "start mailer-1-desired-2: exited",
    ],
  },
  {
    name: "a worker whose start was refused is replaced after its back-off",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "created", error: "no such command" } })]),
    actions: [
      "remove mailer-1-desired: start-failed",
      "create mailer-1-desired-2: start-failed",
      "start mailer-1-desired-2: start-failed",
    ],
  },
  {
    name: "an exited one above the count is for scaling down, whatever its back-off",
    desired: single,
    seen: snapshot([worker(1), worker(2, { run: exited(1) })]),
    actions: ["remove mailer-2-desired: scale-down"],
  },
  {
    name: "an exited one says until when it waits",
    desired: single,
    seen: snapshot([worker(1, { run: exited(4) })]),
    actions: [],
    dueIn: 6,
    waitingFor: ["1 worker in back-off after a failure"],
  },
  {
    name: "one whose start was refused waits from its creation",
    desired: single,
    seen: snapshot([
      worker(1, { run: { kind: "created", error: "no" }, facts: { createdAt: ago(3) } }),
    ]),
    actions: [],
    dueIn: 7,
  },
  {
    name: "an old one that has ended is none of this step's",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, { ...OLD, run: exited(99) })]),
    actions: [],
    blocks: ["Paused"],
  },
];

const BROKEN: readonly Row[] = [
  {
    name: "a worker that is not healthy in time is replaced",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: running(300, "starting") })]),
    actions: ["rename mailer-1-desired: not-ready", "signal mailer-1-desired: not-ready"],
  },
  {
    name: "broken workers are replaced a few at a time",
    desired: group(),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, { run: running(400, "unhealthy") }))),
    actions: ["rename mailer-1-desired: not-ready", "signal mailer-1-desired: not-ready"],
  },
  {
    name: "a crash loop is the engine's to heal",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "restarting", startedAt: ago(2), exitCode: 1 } })]),
    actions: [],
    converged: false,
  },
  {
    name: "an unhealthy one that was available is replaced after its back-off",
    desired: single,
    seen: snapshot([sick]),
    request: remembering({ workers: [recordOf(sick, { wasAvailable: true })] }),
    actions: stops("mailer-1-desired", "unhealthy"),
  },
  {
    name: "or left as it is where that is only to be reported",
    desired: group({ replicas: 1, onUnhealthy: "Report" }),
    seen: snapshot([sick]),
    request: remembering({ workers: [recordOf(sick, { wasAvailable: true })] }),
    actions: [],
    dueIn: null,
    converged: false,
  },
  {
    name: "and not before",
    desired: single,
    seen: snapshot([worker(1, { run: running(4, "unhealthy") })]),
    request: remembering({
      workers: [recordOf(worker(1, { run: running(4, "unhealthy") }), { wasAvailable: true })],
    }),
    actions: [],
    dueIn: 6,
    waitingFor: ["1 worker unhealthy"],
  },
  {
    name: "what is remembered of an earlier process of it does not count",
    desired: single,
    seen: snapshot([sick]),
    request: remembering({
      workers: [recordOf(worker(1, { run: running(90) }), { wasAvailable: true })],
    }),
    actions: [],
    dueIn: 240,
  },
  {
    name: "an old one is none of this step's",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, { ...OLD, run: running(400, "unhealthy") })]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "an unhealthy one that never was available has until the deadline",
    desired: single,
    seen: snapshot([worker(1, { run: running(299, "unhealthy") })]),
    actions: [],
    dueIn: 1,
  },
  {
    name: "one that starts has until the deadline",
    desired: single,
    seen: snapshot([worker(1, { run: running(299, "starting") })]),
    actions: [],
    dueIn: 1,
    waitingFor: ["1 worker to become ready"],
  },
  {
    name: "as many at a time as may be unavailable",
    desired: group({ rollout: { maxUnavailable: one(2) } }),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, { run: running(400, "unhealthy") }))),
    actions: [1, 2].flatMap((slot) => stops(`mailer-${slot}-desired`, "not-ready")),
  },
  {
    name: "one that leaves already is one of those",
    desired: group(),
    seen: snapshot(
      [
        worker(1, { phase: "stopping", phaseAge: 2, id: "w" }),
        worker(2, { run: running(400, "unhealthy") }),
        worker(3),
      ],
      { signalled: ["w"] },
    ),
    actions: [],
  },
  {
    name: "one that is removed in this pass is not",
    desired: group(),
    seen: snapshot([
      worker(1, { phase: "stopping", run: exited(1) }),
      worker(2, { run: running(400, "unhealthy") }),
      worker(3),
    ]),
    actions: [
      "remove mailer-1-desired: leaving",
      ...makes("mailer-1-desired", "missing"),
      ...stops("mailer-2-desired", "not-ready"),
    ],
  },
  {
    name: "an old one that leaves is not",
    desired: group(),
    seen: snapshot(
      [
        worker(1, { ...OLD, phase: "stopping", phaseAge: 2, id: "w" }),
        worker(2, { run: running(400, "unhealthy") }),
        worker(3),
      ],
      { signalled: ["w"] },
    ),
    actions: stops("mailer-2-desired", "not-ready"),
  },
  {
    name: "with surge one that a small budget made before goes on, and the broken one goes",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([
      worker(1, { run: running(400, "unhealthy") }),
      worker(1, { attempt: 2, run: { kind: "created" } }),
    ]),
    actions: ["start mailer-1-desired-2: missing", ...stops("mailer-1-desired", "not-ready")],
  },
];

const DUPLICATES: readonly Row[] = [
  {
    name: "of two copies in one slot the worse goes",
    desired: single,
    seen: snapshot([worker(1), worker(1, { attempt: 2, run: running(1) })]),
    actions: stops("mailer-1-desired-2", "duplicate"),
  },
  {
    name: "of two equal ones the one with the later id stays",
    desired: group({ replicas: 1, rollout: { maxUnavailable: one(1) } }),
    seen: snapshot([worker(1, { id: "b" }), worker(1, { attempt: 2, id: "a" })]),
    actions: stops("mailer-1-desired-2", "duplicate"),
  },
  {
    name: "an available one stays while it is needed",
    desired: group({ rollout: { maxUnavailable: none, maxSurge: one(1) } }),
    seen: snapshot(twice),
    actions: [...makes("mailer-1-desired", "missing"), ...makes("mailer-2-desired", "missing")],
  },
  {
    name: "and goes once enough others are available",
    desired: group({ replicas: 3, rollout: { maxUnavailable: one(2) } }),
    seen: snapshot([worker(1), worker(2), ...twice]),
    actions: stops("mailer-3-desired", "duplicate"),
  },
  {
    name: "of several of one old revision the best stays",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, OLD), worker(1, { ...OLD, attempt: 2, run: running(1) })]),
    actions: stops("mailer-1-old-2", "duplicate"),
    blocks: ["Paused"],
  },
  {
    name: "two of different revisions are none",
    desired: group({ replicas: 1, rollout: { ...SURGE, paused: true } }),
    seen: snapshot([worker(1), worker(1, OLD)]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "above the count they are for scaling down",
    desired: single,
    seen: snapshot([worker(1), worker(2), worker(2, { attempt: 2 })]),
    actions: [
      ...stops("mailer-2-desired", "scale-down"),
      ...stops("mailer-2-desired-2", "scale-down"),
    ],
  },
];

const DISARMED: readonly Row[] = [
  {
    name: "a running worker that was left disarmed is armed again",
    desired: group({ replicas: 1, template: { restart: "always" } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        facts: { restartPolicy: "no" },
      }),
    ]),
    actions: ["arm mailer-1-desired: drift"],
  },
  {
    name: "one that never was armed is not",
    desired: single,
    seen: snapshot([worker(1)]),
    actions: [],
  },
  {
    name: "an old one that stays gets its own policy back, not the declared one",
    desired: group({ replicas: 1, template: { restart: "on-failure" }, rollout: { paused: true } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always", command: ["old"] } },
        facts: { restartPolicy: "no" },
      }),
    ]),
    actions: ["arm mailer-1-old: drift"],
    blocks: ["Paused"],
  },
  {
    name: "one that leaves stays disarmed",
    desired: group({ replicas: 1, ...armed }),
    seen: snapshot(
      [
        worker(1, {
          spec: armed,
          facts: { restartPolicy: "no" },
          phase: "stopping",
          phaseAge: 1,
          id: "w",
        }),
      ],
      { signalled: ["w"] },
    ),
    actions: [],
  },
  {
    name: "one that does not run is not armed",
    desired: group({ replicas: 1, ...armed }),
    seen: snapshot([worker(1, { spec: armed, facts: { restartPolicy: "no" }, run: exited(1) })]),
    actions: [],
  },
];

checkRows("stopped ones", STOPPED);
checkRows("broken ones", BROKEN);
checkRows("duplicates", DUPLICATES);
checkRows("disarmed ones", DISARMED);
