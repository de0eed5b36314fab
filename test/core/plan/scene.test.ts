// What is gathered of a group before anything is decided: its generation, its workers in order, its open creates.

import { describe, expect, it } from "vitest";
import type { WorkerFacts } from "../../../src/core/observed.ts";
import { toIso } from "../../../src/core/time.ts";
import { ago, group, NOW, planFor, snapshot, worker } from "../../support/scene.ts";
import { remembering, revisionFor } from "./table.ts";

const single = group({ replicas: 1 });
const other = group({ replicas: 2 });
const digest = planFor([single], snapshot([])).groups[0]?.spec ?? "";

const labelled = (generation: number, spec: string, slot = 1): WorkerFacts => {
  const facts = worker(slot);
  const labels = { "dev.wgctl.generation": String(generation), "dev.wgctl.spec": spec };
  return { ...facts, labels: { ...facts.labels, ...labels } };
};

describe("generation", () => {
  const generation = (workers: readonly WorkerFacts[], before = {}, desired = single) =>
    planFor([desired], snapshot(workers), before).groups[0]?.generation;

  it.each<[string, number | undefined, number]>([
    ["is the first of a new group", generation([]), 1],
    ["stays while the spec does", generation([], remembering({ generation: 4, spec: digest })), 4],
    [
      "rises by one with a change",
      generation([], remembering({ generation: 4, spec: digest }), other),
      5,
    ],
    [
      "stays while the manifest has errors",
      generation([], remembering({ generation: 4, spec: digest }), {
        ...single,
        kind: "invalid",
        problems: [],
      }),
      4,
    ],
    [
      "is rebuilt from the highest label",
      generation([labelled(2, "x"), labelled(7, digest, 2)]),
      7,
    ],
    ["and one more where that is of another spec", generation([labelled(7, "x")]), 8],
    [
      "is that of the file, whatever labels say",
      generation([labelled(9, "x")], remembering({ generation: 4, spec: digest })),
      4,
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe("workers", () => {
  it("stand by slot, then name, then id, in whatever order they were listed", () => {
    const there = [
      worker(1, { id: "b" }),
      worker(1, { id: "c", attempt: 2 }),
      worker(2, { id: "a" }),
    ];
    const found = planFor([single], snapshot([...there].reverse())).groups[0]?.workers;
    expect(found?.map(({ facts }) => facts.id)).toEqual(["b", "c", "a"]);
  });

  it("that are not ours are reported with why", () => {
    const copied = worker(1, { id: "x", name: "backup" });
    const half = {
      ...worker(2),
      id: "y",
      name: "half",
      labels: { "dev.wgctl.uid": single.identity.uid },
    };
    const found = planFor([single], snapshot([half, copied])).groups[0]?.foreign;
    expect(found).toEqual([
      { id: "x", name: "backup", because: expect.stringContaining("copied from mailer-1-") },
      { id: "y", name: "half", because: "its labels are incomplete" },
    ]);
  });

  it("know of their signal from the history or from the file", () => {
    const leaving = worker(1, { id: "w", phase: "stopping", phaseAge: 1 });
    const found = planFor([single], snapshot([leaving], { signalled: ["w"] })).groups[0]?.workers;
    expect(found?.map(({ signalled }) => signalled)).toEqual([true]);
  });
});

describe("R4: a create without an answer", () => {
  const revision = revisionFor(single);
  const name = `mailer-1-${revision.slice(0, 8)}`;
  const open = (until: number, workers: readonly WorkerFacts[] = []) => {
    const record = { slot: 1, revision, name, until: toIso(until) };
    const uncertain = { [single.identity.uid]: [record] };
    return planFor([single], snapshot(workers), { uncertain }).groups[0]?.uncertain.length;
  };

  it.each<[string, number | undefined, number]>([
    ["counts until its time is over", open(NOW + 1), 1],
    ["and not any more", open(NOW), 0],
    ["counts until the engine shows it", open(NOW + 1, [worker(1)]), 0],
    [
      "counts beside one that leaves under its name",
      open(NOW + 1, [worker(1, { phase: "stopping" })]),
      1,
    ],
  ])("%s", (_, found, expected) => {
    expect(found).toBe(expected);
  });

  it("of another group is none of this one's", () => {
    const record = { slot: 1, revision, name, until: toIso(NOW + 1) };
    const planned = planFor([single], snapshot([]), { uncertain: { another: [record] } });
    expect(planned.groups[0]?.uncertain).toEqual([]);
    expect(ago(0)).toBe(NOW);
  });
});
