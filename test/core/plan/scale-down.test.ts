// What is taken away when there is more than is wanted, and in which order.

import { exited, group, NOW, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, keeps, OLD, one, type Row, SURGE, stops } from "./table.ts";

const ABOVE: readonly Row[] = [
  {
    name: "5 to 2: slots 5, 4 and 3 leave, asked and not killed",
    desired: group({ replicas: 2 }),
    seen: snapshot([1, 2, 3, 4, 5].map((slot) => worker(slot))),
    actions: [5, 4, 3].flatMap((slot) => [
      `rename mailer-${slot}-desired: scale-down`,
      `signal mailer-${slot}-desired: scale-down`,
    ]),
  },
  {
    name: "field case 3: above the count goes with the worse first, an old worker below it is rolled",
    desired: group({ replicas: 2 }),
    seen: snapshot([
      worker(1),
      worker(2, OLD),
      worker(3, { run: running(3600, "unhealthy") }),
      worker(4),
    ]),
    actions: [
      "rename mailer-3-desired: scale-down",
      "signal mailer-3-desired: scale-down",
      "rename mailer-4-desired: scale-down",
      "signal mailer-4-desired: scale-down",
      ...keeps("mailer-2-old", "template-changed command"),
    ],
  },
  {
    name: "an available worker above the count stays while it is needed",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(1) }), worker(2, { run: running(1) }), worker(3)]),
    actions: [],
  },
  {
    name: "a stopped worker above the count is removed at once",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(2, { run: exited(1) })]),
    actions: ["remove mailer-2-desired: scale-down"],
  },
  {
    name: "all above the count go at once where enough others are available",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: [
      ...stops("mailer-3-desired", "scale-down"),
      ...stops("mailer-2-desired", "scale-down"),
    ],
  },
  {
    name: "only so many go as are not needed",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(1) }), worker(2), worker(3), worker(4)]),
    actions: [
      ...stops("mailer-4-desired", "scale-down"),
      ...stops("mailer-3-desired", "scale-down"),
    ],
  },
  {
    name: "one that is not available goes whatever is needed",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(1) }), worker(3, { run: running(1) })]),
    actions: stops("mailer-3-desired", "scale-down"),
  },
  {
    name: "none goes twice: what leaves already is left to leave",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(2, { phase: "stopping", phaseAge: 1, id: "w" })], {
      signalled: ["w"],
    }),
    actions: [],
  },
  {
    name: "the group of an image that is not there shrinks all the same",
    desired: group({ replicas: 1, template: { image: "mailer:9" }, pullPolicy: "never" }),
    seen: snapshot([worker(1), worker(2)]),
    actions: stops("mailer-2-old", "scale-down"),
    blocks: ["ImageMissing"],
  },
];

const EXCESS: readonly Row[] = [
  {
    name: "more than replicas and surge: the worse goes, old before desired",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(1, OLD)]),
    actions: stops("mailer-1-old", "over-surge"),
  },
  {
    name: "as many as replicas and surge are no excess",
    desired: group({
      replicas: 1,
      rollout: { maxSurge: one(1), maxUnavailable: one(0), paused: true },
    }),
    seen: snapshot([worker(1), worker(1, OLD)]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "an available one stays while it is needed",
    desired: group({
      replicas: 1,
      rollout: {
        maxUnavailable: { kind: "percent", percent: 0 },
        maxSurge: { kind: "percent", percent: 1 },
      },
    }),
    seen: snapshot([
      worker(1, { run: running(1) }),
      worker(1, OLD),
      worker(1, { spec: { template: { command: ["older"] } }, run: running(1) }),
    ]),
    actions: stops("mailer-1-old", "over-surge"),
  },
  {
    name: "one that is needed stays where all others are paused",
    desired: group({ replicas: 2 }),
    seen: snapshot([
      worker(1, { run: { kind: "paused", startedAt: NOW - 9_000 } }),
      worker(2, { run: { kind: "paused", startedAt: NOW - 9_000 } }),
      worker(2, OLD),
    ]),
    actions: [],
    blocks: ["WorkerPaused"],
  },
  {
    name: "those above the count are no reason to take one within it",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([
      worker(1, { run: running(1) }),
      worker(2),
      worker(3),
      worker(4, { run: running(1) }),
    ]),
    actions: stops("mailer-4-desired", "scale-down"),
  },
];

const ORDER: readonly Row[] = [
  {
    name: "worse state first, then old before desired, then the highest slot",
    desired: group({ replicas: 0 }),
    seen: snapshot([
      worker(1),
      worker(2, OLD),
      worker(3),
      worker(4, { run: running(1) }),
      worker(5, {
        run: {
          kind: "running",
          startedAt: NOW - 9_000,
          health: { status: "starting", retries: 3, log: [] },
        },
      }),
      worker(6, { run: running(9, "unhealthy") }),
      worker(7, { facts: { restartCount: 1 }, run: running(1) }),
      worker(8, { run: { kind: "created" } }),
      worker(9, { run: { kind: "created", error: "no" } }),
      worker(10, { run: exited(1) }),
    ]),
    actions: [
      ...[10, 9, 8].map((slot) => `remove mailer-${slot}-desired: scale-down`),
      ...[7, 6, 5, 4].flatMap((slot) => stops(`mailer-${slot}-desired`, "scale-down")),
      ...stops("mailer-2-old", "scale-down"),
      ...[3, 1].flatMap((slot) => stops(`mailer-${slot}-desired`, "scale-down")),
    ],
  },
];

checkRows("above the count", ABOVE);
checkRows("in excess", EXCESS);
checkRows("in order", ORDER);
