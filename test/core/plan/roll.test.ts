// How old workers are retired: as far as availability allows, and broken ones regardless.

import { ago, exited, group, OTHER_IMAGE, running, snapshot, worker } from "../../support/scene.ts";
import {
  checkRows,
  keeps,
  makes,
  OLD,
  one,
  type Row,
  recordOf,
  remembering,
  SURGE,
  stops,
} from "./table.ts";

const kept = (slot: number) => keeps(`mailer-${slot}-old`, "template-changed command");
const gone = (slot: number) => stops(`mailer-${slot}-old`, "template-changed command");
const older = (seconds: number, health?: "starting" | "unhealthy") => ({
  ...OLD,
  run: running(seconds, health),
});
const shaky = worker(2, older(60, "unhealthy"));

const AVAILABLE: readonly Row[] = [
  {
    name: "one at a time, the lowest slot first",
    desired: group(),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: kept(1),
  },
  {
    name: "as many at a time as maxUnavailable says",
    desired: group({ rollout: { maxUnavailable: { kind: "percent", percent: 70 } } }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [1, 2].flatMap(kept),
  },
  {
    name: "nothing more is retired until the successor is available",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(2) }), worker(2, OLD)]),
    actions: [],
  },
  {
    name: "Recreate takes all old ones down at once",
    desired: group({ replicas: 2, rollout: { strategy: "Recreate" } }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)]),
    actions: [1, 2].flatMap(kept),
  },
  {
    name: "a paused rollout retires nothing",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, OLD)]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "with surge one whose slot has an available successor goes before the lowest slot",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(2)]),
    actions: kept(2),
  },
  {
    name: "a successor that is not available relieves nobody",
    desired: group({ replicas: 2, rollout: SURGE }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(2, { run: running(1) })]),
    actions: [],
  },
  {
    name: "a paused rollout says nothing where nothing is old",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1)]),
    actions: [],
    converged: true,
  },
  {
    name: "a paused rollout fills empty slots with the new revision",
    desired: group({ replicas: 2, rollout: { paused: true } }),
    seen: snapshot([worker(1, OLD)]),
    actions: makes("mailer-2-desired", "missing"),
    blocks: ["Paused"],
  },
];

const BROKEN: readonly Row[] = [
  {
    name: "a broken old worker goes whatever the availability",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(2) }), worker(2, { ...OLD, run: exited(5) })]),
    actions: [
      "remove mailer-2-old: template-changed command",
      "create mailer-2-desired: template-changed command",
      "start mailer-2-desired: template-changed command",
    ],
  },
  {
    name: "one whose start was refused goes whatever the availability",
    desired: group({ replicas: 2 }),
    seen: snapshot([
      worker(1, { run: running(2) }),
      worker(2, { ...OLD, run: { kind: "created", error: "no" } }),
    ]),
    actions: [
      "remove mailer-2-old: template-changed command",
      ...makes("mailer-2-desired", "template-changed command"),
    ],
  },
  {
    name: "one in a crash loop goes whatever the availability",
    desired: group({ replicas: 2 }),
    seen: snapshot([
      worker(1, { run: running(2) }),
      worker(2, { ...OLD, run: { kind: "restarting", startedAt: ago(2), exitCode: 1 } }),
    ]),
    actions: ["signal mailer-2-old: template-changed command"],
  },
  {
    name: "one that is not ready in time goes whatever the availability",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(2) }), worker(2, older(300, "starting"))]),
    actions: gone(2),
  },
  {
    name: "one that has time left is waited for until then",
    desired: group({ replicas: 2 }),
    seen: snapshot([
      worker(1, { run: running(20, "starting") }),
      worker(2, older(290, "starting")),
    ]),
    actions: [],
    dueIn: 10,
  },
  {
    name: "an unhealthy one that was available goes whatever the availability",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(2) }), shaky]),
    request: remembering({ workers: [recordOf(shaky, { wasAvailable: true })] }),
    actions: gone(2),
  },
  {
    name: "several broken ones go at once",
    desired: group({ replicas: 3 }),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, older(400, "starting")))),
    actions: [3, 2, 1].flatMap(gone),
  },
];

const STARTING: readonly Row[] = [
  {
    name: "one that is starting counts as available for the question whether it may go",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1), worker(2, older(20, "starting"))]),
    actions: kept(2),
  },
  {
    name: "and stays where another one is missing already",
    desired: group({ replicas: 3 }),
    seen: snapshot([worker(1), worker(2, older(20, "starting")), worker(3, { run: running(1) })]),
    actions: [],
  },
  {
    name: "goes before an available one, the worst first",
    desired: group({ replicas: 3 }),
    seen: snapshot([worker(1, OLD), worker(2, older(2)), worker(3, older(20, "unhealthy"))]),
    actions: kept(3),
  },
  {
    name: "one that is ready and not yet available goes as one that starts",
    desired: group({ replicas: 2, rollout: { maxUnavailable: one(2) } }),
    seen: snapshot([worker(1, older(2)), worker(2, older(2))]),
    actions: [2, 1].flatMap(kept),
  },
];

const REASONS: readonly Row[] = [
  {
    name: "field case 2: a moved tag rolls for image-changed",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { image: OTHER_IMAGE })]),
    actions: keeps("mailer-1-old", "image-changed"),
  },
  {
    name: "a nonce rolls an unchanged template",
    desired: group({ replicas: 1, restartNonce: "2" }),
    seen: snapshot([worker(1)]),
    actions: keeps("mailer-1-old", "nonce"),
  },
  {
    name: "a worker that is off a network it should be on is replaced",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([
      worker(1, { spec: { template: { networks: { shop: {} } } }, facts: { networks: [] } }),
    ]),
    actions: keeps("mailer-1-desired", "drift"),
  },
];

checkRows("available ones", AVAILABLE);
checkRows("broken ones", BROKEN);
checkRows("ones on their way", STARTING);
checkRows("for a reason", REASONS);
