// Which retired workers are kept, how long, and how one comes back.

import type { WorkerChanges } from "../../support/scene.ts";
import { ago, exited, group, running, snapshot, worker } from "../../support/scene.ts";
import {
  checkRows,
  keeps,
  makes,
  OLD,
  type Row,
  recordOf,
  remembering,
  SURGE,
  stops,
} from "./table.ts";

const single = group({ replicas: 1 });
const pair = group({ replicas: 2 });
const older = { spec: { template: { command: ["older"] } } };
const changed = "template-changed command";
const kept = (slot: number, changes: WorkerChanges = {}) =>
  worker(slot, { ...OLD, phase: "kept", phaseAge: 60, run: exited(50, 0, 60), ...changes });
const stableIs = (made: WorkerChanges) =>
  remembering({
    revisions: {
      desired: null,
      stable: worker(1, made).labels["dev.wgctl.revision"] ?? "",
      blocked: null,
    },
  });

const KEPT: readonly Row[] = [
  {
    name: "an old worker that served is kept",
    desired: single,
    seen: snapshot([worker(1, OLD)]),
    actions: keeps("mailer-1-old", changed),
  },
  {
    name: "by record only one of the last complete revision is",
    desired: single,
    seen: snapshot([worker(1, OLD)]),
    request: stableIs(older),
    actions: stops("mailer-1-old", changed),
  },
  {
    name: "without a record one that had time left to become ready is, too",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: running(299, "starting") })]),
    actions: keeps("mailer-1-old", changed),
  },
  {
    name: "one that was not ready in time is not",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: running(300, "starting") })]),
    actions: stops("mailer-1-old", changed),
  },
  {
    name: "nor one that had to be restarted before it ever served",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: running(2), facts: { restartCount: 1 } })]),
    actions: stops("mailer-1-old", changed),
  },
  {
    name: "nor one that ended by itself",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: exited(5) })]),
    actions: [
      "remove mailer-1-old: template-changed command",
      ...makes("mailer-1-desired", changed),
    ],
  },
  {
    name: "unless it had served: then it is kept as it is",
    desired: single,
    seen: snapshot([worker(1, { ...OLD, run: exited(5) })]),
    request: remembering({
      revisions: { desired: null, stable: null, blocked: null },
      workers: [recordOf(worker(1, { ...OLD, run: exited(5) }), { isProven: true })],
    }),
    actions: [`keep mailer-1-old: ${changed}`, ...makes("mailer-1-desired", changed)],
  },
  {
    name: "nor one above the count, though not all of the new revision serve",
    desired: group({ replicas: 2, rollout: { maxUnavailable: { kind: "count", count: 2 } } }),
    seen: snapshot([worker(1, { run: running(2) }), worker(2), worker(3, OLD)]),
    actions: stops("mailer-3-old", "scale-down"),
  },
  {
    name: "nor one above the count",
    desired: single,
    seen: snapshot([worker(1), worker(2, OLD)]),
    actions: stops("mailer-2-old", "scale-down"),
  },
  {
    name: "nor one of which the slot keeps another",
    desired: pair,
    seen: snapshot([kept(1), worker(1, { ...OLD, attempt: 2 }), worker(2)]),
    actions: stops("mailer-1-old-2", changed),
  },
  {
    name: "nor one once all of the new revision serve",
    desired: group({ replicas: 1, rollout: SURGE }),
    seen: snapshot([worker(1), worker(1, OLD)]),
    actions: stops("mailer-1-old", changed),
  },
  {
    name: "nor one that has done its work",
    desired: group({ replicas: 1, onExit: { success: "Leave" } }),
    seen: snapshot([worker(1, { ...OLD, run: exited(99, 0) })]),
    actions: [
      "remove mailer-1-old: template-changed command",
      ...makes("mailer-1-desired", changed),
    ],
  },
];

const DROPPED: readonly Row[] = [
  {
    name: "what is kept stays while a slot lacks one that serves",
    desired: pair,
    seen: snapshot([worker(1), kept(1), worker(2, { run: running(2) }), kept(2)]),
    actions: [],
  },
  {
    name: "and goes once all do, in this picture and whatever was complete before",
    desired: pair,
    seen: snapshot([worker(1), kept(1), worker(2), kept(2)]),
    actions: ["remove mailer-1-old: completed", "remove mailer-2-old: completed"],
  },
  {
    name: "one out of range goes at once",
    desired: pair,
    seen: snapshot([worker(1), worker(2, { run: running(2) }), kept(3)]),
    actions: ["remove mailer-3-old: scale-down"],
  },
  {
    name: "so does one out of range while the image is not there",
    desired: group({ replicas: 0, template: { image: "mailer:9" } }),
    seen: snapshot([kept(1)]),
    actions: ["remove mailer-1-old: scale-down"],
  },
  {
    name: "of two in one slot the one of the last complete revision stays",
    desired: pair,
    seen: snapshot([
      worker(1, { run: running(2) }),
      kept(1, older),
      kept(1),
      worker(2, { run: running(2) }),
    ]),
    request: stableIs(OLD),
    actions: ["remove mailer-1-old: completed"],
  },
  {
    name: "without a record one of them stays",
    desired: pair,
    seen: snapshot([
      worker(1, { run: running(2) }),
      kept(1),
      kept(1, { attempt: 2 }),
      worker(2, { run: running(2) }),
    ]),
    actions: ["remove mailer-1-old: duplicate"],
  },
  {
    name: "one of another than the last complete revision is of no more use",
    desired: pair,
    seen: snapshot([worker(1, { run: running(2) }), kept(1, older), worker(2, OLD)]),
    request: stableIs(OLD),
    actions: ["remove mailer-1-old: completed"],
  },
  {
    name: "with no slots nothing is complete, and nothing is kept either",
    desired: group({ replicas: 0 }),
    seen: snapshot([kept(1)]),
    actions: ["remove mailer-1-old: scale-down"],
  },
];

const RETURNING: readonly Row[] = [
  {
    name: "a revert brings back who is kept instead of making one",
    desired: pair,
    seen: snapshot([worker(1, { phase: "kept", phaseAge: 9, run: exited(5, 0, 60) }), worker(2)]),
    actions: ["start mailer-1-desired: missing"],
  },
  {
    name: "not before the other revision's has left",
    desired: single,
    seen: snapshot([
      worker(1, { phase: "kept", phaseAge: 9, run: exited(5, 0, 60) }),
      worker(1, OLD),
    ]),
    actions: keeps("mailer-1-old", changed),
  },
  {
    name: "once it runs it gets its own name back",
    desired: pair,
    seen: snapshot([worker(1, { phase: "kept", phaseAge: 9, run: running(1) }), worker(2)]),
    actions: ["restore mailer-1-desired: rollback"],
  },
  {
    name: "with surge beside the one whose place it takes, too",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([
      worker(1, { phase: "kept", phaseAge: 9, run: running(1) }),
      worker(1, OLD),
      worker(2),
    ]),
    actions: ["restore mailer-1-desired: rollback"],
  },
  {
    name: "not under a name that one holds who is old by drift alone: that one gets another successor",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([
      worker(1, { phase: "kept", phaseAge: 9, run: exited(5, 0, 60), id: "kept" }),
      worker(1, { facts: { limits: { cpus: 0.5 } } }),
      worker(2),
    ]),
    actions: makes("mailer-1-desired-2", "template-changed cpus"),
  },
  {
    name: "and one that runs again all the same is asked to stop",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([
      worker(1, { phase: "kept", phaseAge: 9, run: running(1), id: "kept" }),
      worker(1, { facts: { limits: { cpus: 0.5 } } }),
      worker(2),
    ]),
    actions: ["signal mailer-1-desired: leaving"],
  },
  {
    name: "and without surge it is asked to stop again",
    desired: pair,
    seen: snapshot([
      worker(1, { phase: "kept", phaseAge: 9, run: running(1) }),
      worker(1, OLD),
      worker(2, { run: running(2) }),
    ]),
    actions: ["signal mailer-1-desired: leaving"],
  },
  {
    name: "and then its restart policy",
    desired: group({ replicas: 1, template: { restart: "always" } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        run: running(1),
        facts: { restartPolicy: "no" },
      }),
    ]),
    actions: ["arm mailer-1-desired: drift"],
  },
  {
    name: "one whose slot wants it no more is asked to stop, and kept on",
    desired: pair,
    seen: snapshot([
      worker(1),
      worker(1, { ...OLD, phase: "kept", phaseAge: 9, run: running(1) }),
      worker(2, { run: running(2) }),
    ]),
    actions: [`signal mailer-1-old: ${changed}`],
  },
  {
    name: "one that was asked to stop is not on its way back",
    desired: pair,
    seen: snapshot(
      [worker(1, { phase: "kept", phaseAge: 3, run: running(60), id: "w" }), worker(2)],
      { signalled: ["w"] },
    ),
    actions: [],
    dueIn: 9,
  },
  {
    name: "one that restarts cannot be renamed, and is stopped",
    desired: pair,
    seen: snapshot([
      worker(1, {
        phase: "kept",
        phaseAge: 3,
        run: { kind: "restarting", startedAt: ago(2), exitCode: 1 },
      }),
      worker(2),
    ]),
    actions: ["signal mailer-1-desired: leaving"],
  },
];

checkRows("kept", KEPT);
checkRows("kept no longer", DROPPED);
checkRows("returning", RETURNING);
