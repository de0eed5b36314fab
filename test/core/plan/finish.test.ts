// Going on with what an earlier pass began, and taking down a group that leaves.

import { expect, it } from "vitest";
import { exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, OLD, type Row, stops } from "./table.ts";

const deletionTimestamp = "2030-01-01T00:00:00Z";

const FINISHING: readonly Row[] = [
  {
    name: "what is half done goes on although the image is missing",
    desired: group({ replicas: 1, template: { image: "mailer:9" } }),
    seen: snapshot([worker(1, { phase: "stopping", run: exited(1, 0) })]),
    actions: ["remove mailer-1-old: template-changed image", "pull-image mailer:9: missing"],
  },
  {
    name: "remains of a failed removal are removed",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { run: { kind: "dead" } })]),
    actions: ["remove mailer-1-desired: leaving"],
  },
  {
    name: "one of the desired revision that was asked to stop goes on leaving",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { phase: "stopping", run: exited(1) })]),
    actions: [
      "remove mailer-1-desired: leaving",
      "create mailer-1-desired: missing",
      "start mailer-1-desired: missing",
    ],
  },
  {
    name: "an old one goes on leaving for what it is old in",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { ...OLD, phase: "draining", phaseAge: 3 })]),
    actions: stops("mailer-1-old", "scale-down"),
  },
  {
    name: "one that drains is asked to stop",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { phase: "draining", phaseAge: 3 })]),
    actions: stops("mailer-1-desired", "leaving"),
  },
  {
    name: "kept and failed ones that nobody can need any more are removed",
    desired: group({ replicas: 1 }),
    seen: snapshot([
      worker(1),
      worker(2, { ...OLD, phase: "kept", run: exited(99) }),
      worker(3, { ...OLD, phase: "failed", run: exited(99) }),
    ]),
    actions: ["remove mailer-3-old: completed", "remove mailer-2-old: scale-down"],
  },
  {
    name: "what the engine removes is left to it",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { phase: "stopping", run: { kind: "removing" } })]),
    actions: [],
    converged: false,
    waitingFor: ["1 worker to be gone"],
  },
];

const DELETING: readonly Row[] = [
  {
    name: "R6: a deletion timestamp takes all down and makes none",
    desired: group({ replicas: 5 }, { deletionTimestamp: "2030-01-01T00:00:00Z" }),
    seen: snapshot([worker(1), worker(2, { run: exited(1) })]),
    actions: [
      "remove mailer-2-desired: deleted",
      "rename mailer-1-desired: deleted",
      "signal mailer-1-desired: deleted",
    ],
  },
  {
    name: "R6: a deleted group without workers is done",
    desired: group({ replicas: 5 }, { deletionTimestamp: "2020-01-01T00:00:00Z" }),
    seen: snapshot([]),
    actions: [],
    converged: true,
  },
  {
    name: "R6: deletion comes before suspension and invalid specs",
    desired: group({ suspend: true }, { deletionTimestamp: "2020-01-01T00:00:00Z" }),
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    actions: ["remove mailer-1-desired: deleted"],
  },
  {
    name: "R5: a deletion does not touch another project's workers",
    desired: group({}, { deletionTimestamp: "2020-01-01T00:00:00Z" }),
    seen: snapshot([worker(1, { project: "p2" })]),
    actions: [],
    blocks: ["OwnershipConflict"],
  },
  {
    name: "R6: deletion comes before an invalid spec",
    desired: { ...group(), kind: "invalid", problems: [], deletionTimestamp },
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    actions: ["remove mailer-1-old: deleted"],
  },
  {
    name: "R6: a group that is being deleted is given no image, no start and no restart policy",
    desired: group({ template: { image: "mailer:9", restart: "always" } }, { deletionTimestamp }),
    seen: snapshot([
      worker(1, { run: { kind: "created" } }),
      worker(2, { facts: { restartPolicy: "no" } }),
    ]),
    actions: ["remove mailer-1-old: deleted", ...stops("mailer-2-old", "deleted")],
  },
  {
    name: "R6: a deletion takes all at once, whatever is available",
    desired: group(
      { rollout: { maxUnavailable: { kind: "count", count: 1 } } },
      { deletionTimestamp },
    ),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot))),
    actions: [1, 2, 3].flatMap((slot) => stops(`mailer-${slot}-desired`, "deleted")),
  },
  {
    name: "R6: a deletion goes on although a network is missing or the run has seen failures",
    desired: group({ template: { networks: { shop: {} } } }, { deletionTimestamp }),
    seen: snapshot([worker(1, { run: exited(1) })], { missingNetworks: ["shop"] }),
    request: { holds: { [group().identity.uid]: { code: "BackingOff", message: "it failed" } } },
    actions: ["remove mailer-1-old: deleted"],
  },
  {
    name: "R7: a deletion asks nobody to stop while the engine does not answer for one, and goes on with what has",
    desired: group({}, { deletionTimestamp }),
    seen: snapshot(
      [worker(1), worker(2, { run: exited(1) }), worker(3, { phase: "stopping", run: exited(1) })],
      { unknown: [{ id: "u", name: "mailer-4-silent", labels: worker(4).labels }] },
    ),
    actions: ["remove mailer-2-desired: deleted", "remove mailer-3-desired: deleted"],
    blocks: ["WorkerUnknown"],
    converged: false,
  },
  {
    name: "R6: a paused worker holds a deletion and is left alone",
    desired: group({}, { deletionTimestamp }),
    seen: snapshot([
      worker(1, { run: { kind: "paused", startedAt: 1 } }),
      worker(2, { run: exited(1) }),
    ]),
    actions: ["remove mailer-2-desired: deleted"],
    blocks: ["WorkerPaused"],
    converged: false,
  },
];

checkRows("finishing", FINISHING);
checkRows("deleting", DELETING);

it("R6: says of each why it goes", () => {
  const going = worker(1, { project: "p", run: running(9) });
  const pruned = planFor([], snapshot([going]), { projectUid: "p", prune: true });
  const deleted = planFor([group({}, { deletionTimestamp })], snapshot([going]), {
    projectUid: "p",
  });
  const details = [pruned, deleted].map(({ actions }) =>
    actions.map(({ reason, detail }) => `${reason}: ${detail}`),
  );
  expect(new Set(details[0])).toEqual(new Set(["pruned: no manifest declares it"]));
  expect(new Set(details[1])).toEqual(new Set(["deleted: deletionTimestamp is set"]));
});
