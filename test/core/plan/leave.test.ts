// A worker's way out, call by call, from whatever state it is in.

import { expect, it } from "vitest";
import { ago, exited, group, planFor, snapshot, worker } from "../../support/scene.ts";
import { checkRows, type Row, stops } from "./table.ts";

const nobody = group({ replicas: 0 });
const armed = { spec: { template: { restart: "always" } } };
const ARMED_AND_OLD = { spec: { template: { restart: "always", command: ["old"] } } };
const asked = { signalled: ["w"] };

const RUNNING: readonly Row[] = [
  {
    name: "one that runs is renamed and asked to stop",
    desired: nobody,
    seen: snapshot([worker(1)]),
    actions: stops("mailer-1-desired", "scale-down"),
  },
  {
    name: "an armed worker is disarmed before it is asked to stop",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, ARMED_AND_OLD)]),
    actions: [
      "disarm mailer-1-old: template-changed command",
      "keep mailer-1-old: template-changed command",
      "signal mailer-1-old: template-changed command",
    ],
  },
  {
    name: "a restarting worker, which cannot be renamed, is disarmed and signalled",
    desired: group({ replicas: 1 }),
    seen: snapshot([
      worker(1, {
        ...ARMED_AND_OLD,
        run: { kind: "restarting", startedAt: ago(3), exitCode: 1 },
      }),
    ]),
    actions: [
      "disarm mailer-1-old: template-changed command",
      "signal mailer-1-old: template-changed command",
    ],
  },
  {
    name: "one that was disarmed already is not again",
    desired: nobody,
    seen: snapshot([worker(1, { ...armed, facts: { restartPolicy: "no" } })]),
    actions: stops("mailer-1-desired", "scale-down"),
  },
  {
    name: "one that restarts and is disarmed is signalled",
    desired: nobody,
    seen: snapshot([worker(1, { run: { kind: "restarting", startedAt: ago(3), exitCode: 1 } })]),
    actions: ["signal mailer-1-desired: scale-down"],
  },
];

const LEAVING: readonly Row[] = [
  {
    name: "a stop signal that nobody has seen is sent again, and the executor lets grace count anew",
    desired: nobody,
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 1 })]),
    actions: ["signal mailer-1-desired: scale-down"],
  },
  {
    name: "one that is armed again while it leaves is disarmed before",
    desired: nobody,
    seen: snapshot([worker(1, { ...armed, phase: "stopping", phaseAge: 1 })]),
    actions: ["disarm mailer-1-desired: scale-down", "signal mailer-1-desired: scale-down"],
  },
  {
    name: "a stopping worker is given its grace",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 10, id: "w" })], { signalled: ["w"] }),
    actions: [],
    converged: false,
  },
  {
    name: "a stopping worker is killed once its grace is over, whatever the second hides",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 12, id: "w" })], { signalled: ["w"] }),
    actions: ["kill mailer-1-desired: scale-down"],
  },
  {
    name: "the new spec's grace counts when it is longer",
    desired: group({ replicas: 0, template: { stop_grace_period: 40 } }),
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 30, id: "w" })], { signalled: ["w"] }),
    actions: [],
  },
  {
    name: "the container's own grace counts when it is longer",
    desired: group({ replicas: 0, template: { stop_grace_period: 5 } }),
    seen: snapshot(
      [worker(1, { phase: "stopping", phaseAge: 30, id: "w", facts: { stopTimeout: 60 } })],
      { signalled: ["w"] },
    ),
    actions: [],
  },
  {
    name: "and says when that is",
    desired: nobody,
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 4, id: "w" })], asked),
    actions: [],
    dueIn: 8,
    waitingFor: ["1 worker to stop"],
  },
  {
    name: "the soonest of several is what is due",
    desired: nobody,
    seen: snapshot(
      [
        worker(1, { phase: "stopping", phaseAge: 4, id: "v" }),
        worker(2, { phase: "stopping", phaseAge: 8, id: "w" }),
      ],
      { signalled: ["v", "w"] },
    ),
    actions: [],
    dueIn: 4,
  },
];

const ENDED: readonly Row[] = [
  {
    name: "one that has ended is removed",
    desired: nobody,
    seen: snapshot([worker(1, { phase: "stopping", run: exited(1) })]),
    actions: ["remove mailer-1-desired: scale-down"],
  },
  {
    name: "so is one that never started",
    desired: nobody,
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    actions: ["remove mailer-1-desired: scale-down"],
  },
  {
    name: "one that leaves and its successor have different names in a plan",
    desired: nobody,
    seen: snapshot([
      worker(1, { phase: "stopping", run: exited(1) }),
      worker(1, { id: "x", run: exited(1) }),
    ]),
    actions: ["remove mailer-1-desired: scale-down", "remove mailer-1-desired: scale-down"],
  },
];

it.each([
  [worker(1), "SIGTERM"],
  [worker(1, { facts: { stopSignal: "SIGUSR1" } }), "SIGUSR1"],
])("asks with the container's own stop signal", (there, expected) => {
  const { actions } = planFor([nobody], snapshot([there]));
  const signals = actions.flatMap((action) => (action.kind === "signal" ? [action.signal] : []));
  expect(signals).toEqual([expected]);
});

checkRows("running", RUNNING);
checkRows("on its way out", LEAVING);
checkRows("ended", ENDED);
