// The plan of several groups: whose workers are whose, what has left the files, one pull for all.

import { describe, expect, it } from "vitest";
import type { DesiredGroup, GroupIdentity } from "../../../src/core/model.ts";
import type { PlanRequest } from "../../../src/core/plan/plan.ts";
import { group, planFor, snapshot, worker } from "../../support/scene.ts";

const named = (name: string, namespace = "default"): GroupIdentity => ({
  uid: `uid-${name}`,
  namespace,
  name,
});
const a = named("a");
const b = named("b");
const shop = named("a", "shop");
const of = (identity: GroupIdentity, changes = {}): DesiredGroup =>
  group({ replicas: 1, ...changes }, { identity });

const lines = (
  groups: readonly DesiredGroup[],
  seen = snapshot([]),
  request: Partial<PlanRequest> = {},
) => planFor(groups, seen, request).actions.map(({ kind, group: uid }) => `${kind} ${uid}`);

describe("several groups", () => {
  it("stand by namespace, name and UID, in whatever order they were read", () => {
    const groups = [of(a), of(b), of({ ...shop, uid: "uid-2" }), of({ ...shop, uid: "uid-1" })];
    const uids = planFor([...groups].reverse(), snapshot([])).groups.map(
      ({ identity }) => identity.uid,
    );
    expect(uids).toEqual(["uid-a", "uid-b", "uid-1", "uid-2"]);
  });

  it("have each their own workers, by UID", () => {
    const planned = planFor([of(a), of(b)], snapshot([worker(1, { identity: a })]));
    expect(planned.groups.map(({ workers }) => workers.length)).toEqual([1, 0]);
    expect(planned.actions.map((action) => action.group)).toEqual(["uid-b", "uid-b"]);
  });

  it("are not held by what holds one of them", () => {
    const holds = { [a.uid]: { code: "BackingOff", message: "it failed" } } as const;
    expect(lines([of(a), of(b)], snapshot([]), { holds })).toEqual(["create uid-b", "start uid-b"]);
  });
});

describe("one pull", () => {
  const absent = { template: { image: "mailer:9" } };

  it("serves all groups that want the image", () => {
    const planned = planFor([of(b, absent), of(a, absent)], snapshot([]));
    expect(planned.actions.map(({ id, group: uid }) => `${id} ${uid}`)).toEqual([
      "pull-image mailer:9 uid-a",
    ]);
    expect(
      planned.groups.map(({ waitingFor, forecast }) => [waitingFor, forecast.actions]),
    ).toEqual([
      [[], 3],
      [["image mailer:9, which is pulled for a"], 2],
    ]);
  });

  it("is one for each image", () => {
    const other = { template: { image: "mailer:8" } };
    expect(lines([of(a, absent), of(b, other)])).toEqual(["pull-image uid-a", "pull-image uid-b"]);
  });

  it("is left to the next where the first may not begin anything", () => {
    const holds = { [a.uid]: { code: "BackingOff", message: "no credentials" } } as const;
    expect(lines([of(a, absent), of(b, absent)], snapshot([]), { holds })).toEqual([
      "pull-image uid-b",
    ]);
  });
});

describe("R5: what has left the files", () => {
  const ours = worker(1, { identity: b, project: "p" });
  const own = { projectUid: "p" };

  it.each<[string, Partial<PlanRequest>, readonly string[], number]>([
    ["is reported and left alone", own, [], 1],
    ["goes where prune is on", { ...own, prune: true }, ["rename uid-b", "signal uid-b"], 0],
    [
      "is not what is declared and left out of this run",
      { ...own, prune: true, declared: [b.uid] },
      [],
      0,
    ],
    ["is not another project's", { projectUid: "q", prune: true }, [], 0],
    ["is nobody's where the run has no project", { prune: true }, [], 0],
  ])("%s", (_, request, expected, orphans) => {
    const planned = planFor([], snapshot([ours]), request);
    expect(planned.actions.map(({ kind, group: uid }) => `${kind} ${uid}`)).toEqual(expected);
    expect(planned.orphans).toHaveLength(orphans);
  });

  it("is not what has no project label", () => {
    const planned = planFor([], snapshot([worker(1, { identity: b })]), { ...own, prune: true });
    expect([planned.actions, planned.groups, planned.orphans]).toEqual([[], [], []]);
  });

  it("counts those the engine does not answer for", () => {
    const unknown = [
      { id: "x", name: "b-2", labels: worker(2, { identity: b, project: "p" }).labels },
    ];
    const planned = planFor([], snapshot([ours], { unknown }), own);
    expect(planned.orphans).toEqual([{ identity: b, workers: 2 }]);
  });
});
