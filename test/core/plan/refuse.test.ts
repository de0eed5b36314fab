// What forbids touching a group, or keeps it from beginning anything.

import { describe, expect, it } from "vitest";
import { ago, exited, group, MAILER, planFor, snapshot, worker } from "../../support/scene.ts";
import { checkRows, OLD, type Row, stops } from "./table.ts";

const hold = { holds: { [MAILER.uid]: { code: "BackingOff", message: "it failed" } } } as const;
const unknown = [{ id: "x", name: "mailer-2-1", labels: worker(2).labels }];

const REFUSING: readonly Row[] = [
  {
    name: "an invalid spec leaves its workers alone",
    desired: {
      ...group(),
      kind: "invalid",
      problems: [],
    },
    seen: snapshot([worker(1, OLD), worker(9)]),
    actions: [],
    blocks: ["InvalidSpec"],
  },
  {
    name: "a suspended group is left alone",
    desired: group({ suspend: true }),
    seen: snapshot([worker(1, OLD)]),
    actions: [],
    blocks: ["Suspended"],
  },
  {
    name: "another project's worker with our UID leaves the group alone",
    desired: group(),
    seen: snapshot([worker(1, { project: "p2" })]),
    actions: [],
    blocks: ["OwnershipConflict"],
  },
  {
    name: "a worker of a newer wgctl leaves the group alone",
    desired: group(),
    seen: snapshot([worker(1, { templateVersion: 2 })]),
    actions: [],
    blocks: ["NewerVersion"],
  },
  {
    name: "R5: a worker of our project is ours",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { project: "p1" })]),
    request: { projectUid: "p1" },
    actions: [],
    converged: true,
  },
  {
    name: "R5: a worker without a project is ours by its UID",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1)]),
    request: { projectUid: "p1" },
    actions: [],
    converged: true,
  },
  {
    name: "R5: a worker of another project is theirs, whatever ours is",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { project: "p2" })]),
    request: { projectUid: "p1" },
    actions: [],
    blocks: ["OwnershipConflict"],
  },
  {
    name: "a worker made from a newer commit leaves the group alone",
    desired: group({ replicas: 0 }),
    seen: snapshot([{ ...worker(1), labels: { ...worker(1).labels, "dev.wgctl.commit": "c2" } }]),
    request: { newerCommits: ["c2"] },
    actions: [],
    blocks: ["NewerCommit"],
  },
  {
    name: "a suspended group is left alone in what it has begun too",
    desired: group({ suspend: true }),
    seen: snapshot([worker(1, { phase: "stopping", run: exited(1) })]),
    actions: [],
    blocks: ["Suspended"],
    waitingFor: [],
  },
  {
    name: "copied labels make no worker",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { name: "backup-of-mailer" })]),
    actions: [],
    converged: true,
  },
  {
    name: "a paused worker is left alone, even above the count",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { run: { kind: "paused", startedAt: ago(9) } })]),
    actions: [],
    blocks: ["WorkerPaused"],
    converged: false,
  },
  {
    name: "R5: labels that are not whole make no worker",
    desired: group({ replicas: 0 }),
    seen: snapshot([{ ...worker(1), labels: { "dev.wgctl.uid": MAILER.uid } }]),
    actions: [],
    converged: true,
  },
  {
    name: "R5: the same group's name under another UID is another group",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { identity: { ...MAILER, uid: "another" } })]),
    actions: [],
    converged: true,
  },
  {
    name: "a paused worker in its slot blocks convergence and nothing else",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: { kind: "paused", startedAt: 1 } })]),
    actions: ["create mailer-2-desired: missing", "start mailer-2-desired: missing"],
    blocks: ["WorkerPaused"],
  },
];

const HINDERED: readonly Row[] = [
  {
    name: "a missing network lets nothing begin",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([], { missingNetworks: ["shop"] }),
    actions: [],
    blocks: ["NetworkMissing"],
  },
  {
    name: "a worker the engine does not answer for lets nothing begin",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, OLD), worker(3)], {
      unknown: [{ id: "x", name: "mailer-2-1", labels: worker(2).labels }],
    }),
    actions: [],
    blocks: ["WorkerUnknown"],
  },
  {
    name: "R7: a worker the engine does not answer for lets what is half done go on",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { phase: "stopping", run: exited(1) })], { unknown }),
    actions: ["remove mailer-1-desired: leaving"],
    blocks: ["WorkerUnknown"],
  },
  {
    name: "R7: and lets nobody be taken away, because nobody knows who is available",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1)], { unknown }),
    actions: [],
    blocks: ["WorkerUnknown"],
  },
  {
    name: "R7: not even where the run has seen the group fail besides",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1)], { unknown }),
    request: hold,
    actions: [],
    blocks: ["WorkerUnknown"],
  },
  {
    name: "a missing network lets the group shrink, and retires nobody for a successor",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)], { missingNetworks: ["shop"] }),
    actions: stops("mailer-2-old", "scale-down"),
    blocks: ["NetworkMissing"],
  },
  {
    name: "another network that is missing hinders nothing",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([], { missingNetworks: ["backend"] }),
    actions: ["create mailer-1-desired: missing", "start mailer-1-desired: missing"],
  },
  {
    name: "a group that the run has seen fail begins nothing, and shrinks",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: exited(99) }), worker(2)]),
    request: hold,
    actions: stops("mailer-2-desired", "scale-down"),
    blocks: ["BackingOff"],
  },
];

checkRows("refusing", REFUSING);
checkRows("hindered", HINDERED);

describe("names", () => {
  const desired = group({ replicas: 2 });
  const namesOf = (workers: readonly ReturnType<typeof worker>[]) =>
    planFor([desired], snapshot(workers)).groups[0]?.namesToCome ?? [];
  const withHolder = (
    workers: readonly ReturnType<typeof worker>[],
    labels: Readonly<Record<string, string>>,
  ) => {
    const holders = { [String(namesOf(workers).at(-1))]: { id: "holder", labels } };
    return planFor([desired], snapshot(workers, { holders }));
  };

  it("R5: a foreign container on a name we would use holds the whole group", () => {
    const planned = withHolder([], {});
    expect(planned.actions).toEqual([]);
    expect(planned.groups[0]?.blocks.map(({ code }) => code)).toEqual(["NameConflict"]);
  });

  it("R5: a foreign container on a later successor's name lets nothing be retired for it", () => {
    const old = [1, 2].map((slot) => worker(slot, OLD));
    expect(namesOf(old)).toHaveLength(2);
    expect(withHolder(old, {}).actions).toEqual([]);
  });

  it("R5: a worker of ours that holds the name is no conflict, one with copied labels is", () => {
    const own = worker(2).labels;
    expect(withHolder([], own).groups[0]?.blocks).toEqual([]);
    const copied = { ...own, "dev.wgctl.name": "another" };
    expect(withHolder([], copied).groups[0]?.blocks).toHaveLength(1);
  });
});
