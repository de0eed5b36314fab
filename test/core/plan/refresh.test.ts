// What a group makes of its image's registry: nothing, a pull first, or a word about it and the image that is here.

import { describe, expect, it } from "vitest";
import type { RegistryWord, Snapshot, WorkerFacts } from "../../../src/core/observed.ts";
import {
  actionLines,
  blockCodes,
  exited,
  group,
  MAILER,
  planFor,
  running,
  snapshot,
  worker,
} from "../../support/scene.ts";
import { checkRows, keeps, makes, OLD, type Row, stops } from "./table.ts";

const HERE = `sha256:${"1".repeat(64)}`;
const THERE = `sha256:${"2".repeat(64)}`;
const MOVED: RegistryWord = { kind: "moved", from: [HERE], to: THERE };
const DOWN: RegistryWord = { kind: "failed", message: "connection refused" };

const said = (word: RegistryWord, workers: readonly WorkerFacts[], more: Partial<Snapshot> = {}) =>
  snapshot(workers, { registry: { "mailer:1": word }, ...more });

const always = { replicas: 2, pullPolicy: "always" } as const;
const ABSENT = { images: { "mailer:1": null } };
const PULLS = "pull-image mailer:1: image-changed";

const REFRESHING: readonly Row[] = [
  {
    name: "an image that moved is pulled, and nothing is retired for it yet",
    desired: group(always),
    seen: said(MOVED, [worker(1), worker(2)]),
    actions: [PULLS],
    converged: false,
  },
  {
    name: "asked now and then it is pulled all the same",
    desired: group({ ...always, pullPolicy: { kind: "every", seconds: 60 } }),
    seen: said(MOVED, [worker(1), worker(2)]),
    actions: [PULLS],
  },
  {
    name: "a group that does not ask lets it be",
    desired: group({ ...always, pullPolicy: "missing" }),
    seen: said(MOVED, [worker(1), worker(2)]),
    actions: [],
    converged: true,
  },
  {
    name: "nothing is made of the image that is here while it is pulled, old workers stay",
    desired: group(always),
    seen: said(MOVED, [worker(2, OLD)]),
    actions: [PULLS],
  },
  {
    name: "what goes without it goes on: scaling down, and who was asked to stop",
    desired: group(always),
    seen: said(MOVED, [
      worker(1, { phase: "stopping", run: exited(1, 0) }),
      worker(2),
      worker(3),
      worker(4),
    ]),
    actions: [
      "remove mailer-1-desired: leaving",
      PULLS,
      ...stops("mailer-4-desired", "scale-down"),
      ...stops("mailer-3-desired", "scale-down"),
    ],
  },
  {
    name: "a broken worker waits for the pull: it may be mended by it",
    desired: group(always),
    seen: said(MOVED, [worker(1, { run: exited(3600) }), worker(2)]),
    actions: [PULLS],
  },
  {
    name: "a registry that does not answer is said, and is no more than that",
    desired: group(always),
    seen: said(DOWN, [worker(1), worker(2)]),
    actions: [],
    blocks: ["ImagePullFailed"],
    converged: false,
  },
  {
    name: "workers are made of the image that is here meanwhile",
    desired: group(always),
    seen: said(DOWN, [worker(1)]),
    actions: makes("mailer-2-desired", "missing"),
    blocks: ["ImagePullFailed"],
  },
  {
    name: "and old ones are rolled to it",
    desired: group(always),
    seen: said(DOWN, [worker(1, OLD), worker(2, { ...OLD, run: running(3600) })]),
    actions: keeps("mailer-1-old", "template-changed command"),
    blocks: ["ImagePullFailed"],
  },
  {
    name: "a group that does not ask is as declared whatever the registry does",
    desired: group({ ...always, pullPolicy: "never" }),
    seen: said(DOWN, [worker(1), worker(2)]),
    actions: [],
    converged: true,
  },
  {
    name: "an image that is not here is pulled",
    desired: group(always),
    seen: snapshot([], ABSENT),
    actions: ["pull-image mailer:1: missing"],
  },
  {
    name: "and not again at once after a pull that failed, whoever tried it",
    desired: group({ replicas: 2 }),
    seen: said(DOWN, [worker(1, OLD)], ABSENT),
    actions: [],
    blocks: ["ImageMissing"],
  },
  {
    name: "a group without workers needs no image",
    desired: group({ ...always, replicas: 0 }),
    seen: said(MOVED, []),
    actions: [],
    converged: true,
  },
  {
    name: "a group that is being deleted needs none either",
    desired: group(always, { deletionTimestamp: "2026-11-29T12:00:00Z" }),
    seen: said(MOVED, [worker(1)]),
    actions: stops("mailer-1-desired", "deleted"),
  },
  {
    name: "a group that is held asks for nothing",
    desired: group(always),
    seen: said(MOVED, [worker(1)]),
    request: { holds: { [MAILER.uid]: { code: "BackingOff", message: "" } } },
    actions: [],
    blocks: ["BackingOff"],
  },
];

checkRows("the registry", REFRESHING);

describe("the plan", () => {
  const planned = planFor([group(always)], said(MOVED, [worker(1), worker(2)]));

  it("names both digests, and what is not known yet", () => {
    expect(planned.actions[0]?.detail).toBe(
      "sha256:111111111111 -> sha256:222222222222 in its registry; what follows is known after the pull",
    );
  });

  it("says so of an image that no registry has", () => {
    const word: RegistryWord = { kind: "moved", from: [], to: THERE };
    expect(planFor([group(always)], said(word, [])).actions[0]?.detail).toMatch(
      /^an image of no registry -> sha256:222222222222/,
    );
  });

  it("pulls once for all groups that want the image, and tells each of its trouble", () => {
    const other = group(always, { identity: { ...MAILER, uid: "other", name: "other" } });
    const both = planFor([group(always), other], said(MOVED, []));
    expect(actionLines(both)).toEqual([PULLS]);
    expect(both.groups.map(({ waitingFor }) => waitingFor.length)).toEqual([0, 1]);
    expect(blockCodes(planFor([group(always), other], said(DOWN, [], ABSENT)))).toEqual([
      "ImageMissing",
      "ImageMissing",
    ]);
  });
});
