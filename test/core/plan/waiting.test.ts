// What a run waits for: what changes by itself, and nothing that a person has to change.

import { ago, exited, group, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, type Row } from "./table.ts";

const single = group({ replicas: 1 });
const suspended = group({ replicas: 1, suspend: true });
const restarting = { kind: "restarting", startedAt: ago(2), exitCode: 1 } as const;

const TOUCHED: readonly Row[] = [
  {
    name: "nothing where all is as declared",
    desired: single,
    seen: snapshot([worker(1)]),
    actions: [],
    waitingFor: [],
  },
  {
    name: "each state by its words, several as workers",
    desired: group({ replicas: 5, rollout: { maxUnavailable: { kind: "count", count: 5 } } }),
    seen: snapshot(
      [
        worker(1, { run: running(9, "starting") }),
        worker(2, { run: running(9, "starting") }),
        worker(3, { run: running(1) }),
        worker(4, { run: restarting }),
        worker(5, { phase: "stopping", phaseAge: 1, id: "w" }),
      ],
      { signalled: ["w"] },
    ),
    actions: [],
    waitingFor: [
      "2 workers to become ready",
      "1 worker to become available",
      "1 worker in a crash loop",
      "1 worker to stop",
    ],
  },
  {
    name: "an unhealthy one for which something is due",
    desired: single,
    seen: snapshot([worker(1, { run: running(9, "unhealthy") })]),
    actions: [],
    waitingFor: ["1 worker unhealthy"],
    dueIn: 291,
  },
  {
    name: "not an old unhealthy one that nobody may touch",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([
      worker(1, { spec: { template: { command: ["old"] } }, run: running(9, "unhealthy") }),
    ]),
    actions: [],
    blocks: ["Paused"],
    waitingFor: [],
    dueIn: null,
  },
];

const LEFT_ALONE: readonly Row[] = [
  {
    name: "what comes to an end although nobody does anything",
    desired: suspended,
    seen: snapshot([
      worker(1, { run: running(9, "starting") }),
      worker(2, { run: running(1) }),
      worker(3, { run: { kind: "removing" } }),
    ]),
    actions: [],
    blocks: ["Suspended"],
    waitingFor: ["1 worker to become ready", "1 worker to become available", "1 worker to be gone"],
  },
  {
    name: "not what would have to be called, killed or removed",
    desired: suspended,
    seen: snapshot([
      worker(1, { run: running(9, "unhealthy") }),
      worker(2, { phase: "stopping", phaseAge: 1 }),
      worker(3, { run: { kind: "dead" } }),
      worker(4, { run: restarting }),
      worker(5, { run: exited(1) }),
    ]),
    actions: [],
    blocks: ["Suspended"],
    waitingFor: [],
    dueIn: null,
  },
];

checkRows("a group that is acted on waits for", TOUCHED);
checkRows("a group that is left alone waits for", LEFT_ALONE);
