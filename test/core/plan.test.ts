// The planner's decisions as tables: desired and observed in, actions out.

import { describe, expect, it } from "vitest";
import type { DesiredGroup } from "../../src/core/model.ts";
import type { Snapshot } from "../../src/core/observed.ts";
import {
  actionLines,
  ago,
  blockCodes,
  exited,
  group,
  NOW,
  OTHER_IMAGE,
  planFor,
  running,
  snapshot,
  worker,
} from "../support/scene.ts";

type Row = {
  readonly name: string;
  readonly desired: DesiredGroup;
  readonly seen: Snapshot;
  readonly actions: readonly string[];
  readonly blocks?: readonly string[];
  readonly converged?: boolean;
};

const OLD = { spec: { template: { command: ["old"] } } };
const one = (count: number) => ({ kind: "count", count }) as const;

const CREATING: readonly Row[] = [
  {
    name: "an empty engine gets every worker, created and started",
    desired: group({ replicas: 2 }),
    seen: snapshot([]),
    actions: [
      "create mailer-1-desired: missing",
      "start mailer-1-desired: missing",
      "create mailer-2-desired: missing",
      "start mailer-2-desired: missing",
    ],
  },
  {
    name: "available workers of the desired revision ask for nothing",
    desired: group(),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: [],
    converged: true,
  },
  {
    name: "a worker removed by hand comes back under the same name",
    desired: group(),
    seen: snapshot([worker(1), worker(3)]),
    actions: ["create mailer-2-desired: missing", "start mailer-2-desired: missing"],
  },
  {
    name: "a worker that was created and never started is started",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "created" } })]),
    actions: ["start mailer-1-desired: missing"],
  },
  {
    name: "a worker that is ready but not long enough is waited for",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: running(2) })]),
    actions: [],
    converged: false,
  },
  {
    name: "an image that is missing is pulled and nothing is retired for it",
    desired: group({ replicas: 2, template: { image: "mailer:9" } }),
    seen: snapshot([worker(1), worker(2), worker(3)]),
    actions: [
      "pull-image mailer:9: missing",
      "rename mailer-3-old: scale-down",
      "signal mailer-3-old: scale-down",
    ],
  },
  {
    name: "an image that is missing and must not be pulled blocks the group",
    desired: group({ replicas: 1, template: { image: "mailer:9" }, pullPolicy: "never" }),
    seen: snapshot([worker(1)]),
    actions: [],
    blocks: ["ImageMissing"],
  },
];

const SCALING: readonly Row[] = [
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
      "rename mailer-2-old: template-changed command",
      "signal mailer-2-old: template-changed command",
    ],
  },
  {
    name: "an available worker above the count stays while it is needed",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(1) }), worker(2, { run: running(1) }), worker(3)]),
    actions: [],
  },
  {
    name: "of two copies in one slot the worse goes",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(1, { attempt: 2, run: running(3600, "unhealthy") })]),
    actions: ["rename mailer-1-desired-2: duplicate", "signal mailer-1-desired-2: duplicate"],
  },
  {
    name: "a stopped worker above the count is removed at once",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), worker(2, { run: exited(1) })]),
    actions: ["remove mailer-2-desired: scale-down"],
  },
];

const ROLLING: readonly Row[] = [
  {
    name: "one at a time, the lowest slot first",
    desired: group(),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [
      "rename mailer-1-old: template-changed command",
      "signal mailer-1-old: template-changed command",
    ],
  },
  {
    name: "as many at a time as maxUnavailable says",
    desired: group({ rollout: { maxUnavailable: { kind: "percent", percent: 70 } } }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [1, 2].flatMap((slot) => [
      `rename mailer-${slot}-old: template-changed command`,
      `signal mailer-${slot}-old: template-changed command`,
    ]),
  },
  {
    name: "a retired worker makes room for its successor once it has ended",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { ...OLD, phase: "stopping", run: exited(0, 0) }), worker(2, OLD)]),
    actions: [
      "remove mailer-1-old: template-changed command",
      "create mailer-1-desired: template-changed command",
      "start mailer-1-desired: template-changed command",
    ],
  },
  {
    name: "nothing more is retired until the successor is available",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1, { run: running(2) }), worker(2, OLD)]),
    actions: [],
  },
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
    name: "with surge a successor comes first, in the lowest slot",
    desired: group({
      replicas: 2,
      rollout: { maxSurge: one(1), maxUnavailable: one(0) },
    }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)]),
    actions: [
      "create mailer-1-desired: template-changed command",
      "start mailer-1-desired: template-changed command",
    ],
  },
  {
    name: "with surge the worker with an available successor goes, and no more are made than fit",
    desired: group({
      replicas: 2,
      rollout: { maxSurge: one(1), maxUnavailable: one(0) },
    }),
    seen: snapshot([worker(1, OLD), worker(2, OLD), worker(2)]),
    actions: [
      "rename mailer-2-old: template-changed command",
      "signal mailer-2-old: template-changed command",
    ],
  },
  {
    name: "field case 2: a moved tag rolls for image-changed",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { image: OTHER_IMAGE })]),
    actions: ["rename mailer-1-old: image-changed", "signal mailer-1-old: image-changed"],
  },
  {
    name: "a nonce rolls an unchanged template",
    desired: group({ replicas: 1, restartNonce: "2" }),
    seen: snapshot([worker(1)]),
    actions: ["rename mailer-1-old: nonce", "signal mailer-1-old: nonce"],
  },
  {
    name: "a worker that is off a network it should be on is replaced",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([
      worker(1, { spec: { template: { networks: { shop: {} } } }, facts: { networks: [] } }),
    ]),
    actions: ["rename mailer-1-desired: drift", "signal mailer-1-desired: drift"],
  },
  {
    name: "Recreate takes all old ones down at once",
    desired: group({ replicas: 2, rollout: { strategy: "Recreate" } }),
    seen: snapshot([worker(1, OLD), worker(2, OLD)]),
    actions: [1, 2].flatMap((slot) => [
      `rename mailer-${slot}-old: template-changed command`,
      `signal mailer-${slot}-old: template-changed command`,
    ]),
  },
  {
    name: "Recreate makes none while an old one is there",
    desired: group({ replicas: 2, rollout: { strategy: "Recreate" } }),
    seen: snapshot([worker(1, { ...OLD, phase: "stopping" })], { signalled: ["other"] }),
    actions: ["signal mailer-1-old: template-changed command"],
  },
  {
    name: "a paused rollout retires nothing",
    desired: group({ replicas: 1, rollout: { paused: true } }),
    seen: snapshot([worker(1, OLD)]),
    actions: [],
    blocks: ["Paused"],
  },
  {
    name: "an armed worker is disarmed before it is asked to stop",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { spec: { template: { restart: "always" } } })]),
    actions: [
      "disarm mailer-1-old: template-changed restart",
      "rename mailer-1-old: template-changed restart",
      "signal mailer-1-old: template-changed restart",
    ],
  },
  {
    name: "a restarting worker, which cannot be renamed, is disarmed and signalled",
    desired: group({ replicas: 1 }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        run: { kind: "restarting", startedAt: ago(3), exitCode: 1 },
      }),
    ]),
    actions: [
      "disarm mailer-1-old: template-changed restart",
      "signal mailer-1-old: template-changed restart",
    ],
  },
];

const FINISHING: readonly Row[] = [
  {
    name: "a stop signal that nobody has seen is sent again, and grace counts anew",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 1 })]),
    actions: ["rename mailer-1-desired: scale-down", "signal mailer-1-desired: scale-down"],
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
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 11, id: "w" })], { signalled: ["w"] }),
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
    name: "a running worker that was left disarmed is armed again",
    desired: group({ replicas: 1, template: { restart: "always" } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        facts: { restartPolicy: "no" },
      }),
    ]),
    actions: ["arm mailer-1-desired: drift"],
  },
];

const HEALING: readonly Row[] = [
  {
    name: "an exited worker is replaced when its back-off is over, as the next attempt",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: exited(10) })]),
    actions: [
      "remove mailer-1-desired: exited",
      "create mailer-1-desired-2: exited",
      "start mailer-1-desired-2: exited",
    ],
  },
  {
    name: "an exited worker waits for its back-off",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: exited(9) })]),
    actions: [],
  },
  {
    name: "the third attempt waits four times as long",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { attempt: 3, run: exited(39) })]),
    actions: [],
  },
  {
    name: "a process that lasted long is forgiven the failures before it",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { attempt: 5, run: exited(10, 1, 600) })]),
    actions: [
      "remove mailer-1-desired-5: exited",
      "create mailer-1-desired-2: exited",
      "start mailer-1-desired-2: exited",
    ],
  },
  {
    name: "a worker whose start was refused is replaced after its back-off",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "created", error: "no such command" } })]),
    actions: [
      "remove mailer-1-desired: start-failed",
      "create mailer-1-desired-2: start-failed",
      "start mailer-1-desired-2: start-failed",
    ],
  },
  {
    name: "a worker that is not healthy in time is replaced",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: running(300, "starting") })]),
    actions: ["rename mailer-1-desired: not-ready", "signal mailer-1-desired: not-ready"],
  },
  {
    name: "broken workers are replaced a few at a time",
    desired: group(),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, { run: running(400, "unhealthy") }))),
    actions: ["rename mailer-1-desired: not-ready", "signal mailer-1-desired: not-ready"],
  },
  {
    name: "a crash loop is the engine's to heal",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1, { run: { kind: "restarting", startedAt: ago(2), exitCode: 1 } })]),
    actions: [],
    converged: false,
  },
];

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
    name: "a paused worker is left alone, even above the count",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { run: { kind: "paused", startedAt: ago(9) } })]),
    actions: [],
    blocks: ["WorkerPaused"],
    converged: false,
  },
  {
    name: "copied labels make no worker",
    desired: group({ replicas: 0 }),
    seen: snapshot([worker(1, { name: "backup-of-mailer" })]),
    actions: [],
    converged: true,
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
    name: "a missing network lets nothing begin",
    desired: group({ replicas: 1, template: { networks: { shop: {} } } }),
    seen: snapshot([], { missingNetworks: ["shop"] }),
    actions: [],
    blocks: ["NetworkMissing"],
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
];

describe.each([
  ["creating", CREATING],
  ["scaling", SCALING],
  ["rolling", ROLLING],
  ["finishing", FINISHING],
  ["healing", HEALING],
  ["refusing", REFUSING],
  ["deleting", DELETING],
])("%s", (_, rows) => {
  it.each(rows)("$name", ({ desired, seen, actions, blocks, converged }) => {
    const planned = planFor([desired], seen);
    expect(actionLines(planned)).toEqual(actions);
    expect(blockCodes(planned)).toEqual(blocks ?? []);
    if (converged !== undefined) expect(planned.groups[0]?.converged).toBe(converged);
  });
});

describe("names", () => {
  it("R5: a foreign container on a name we would use holds the whole group", () => {
    const [name] = Object.keys(
      Object.fromEntries(
        planFor([group({ replicas: 1 })], snapshot([])).actions.flatMap((action) =>
          action.kind === "create" ? [[action.worker.name, true]] : [],
        ),
      ),
    );
    const holders = { [String(name)]: { id: "foreign", labels: {} } };
    const planned = planFor([group({ replicas: 1 })], snapshot([], { holders }));
    expect(actionLines(planned)).toEqual([]);
    expect(blockCodes(planned)).toEqual(["NameConflict"]);
  });
});

describe("time", () => {
  it("says when something becomes due", () => {
    const planned = planFor([group({ replicas: 1 })], snapshot([worker(1, { run: exited(4) })]));
    expect(planned.groups[0]?.dueAt).toBe(NOW + 6000);
  });
});

describe("names to come", () => {
  it("R5: a foreign container on a later successor's name lets nothing be retired for it", () => {
    const old = [1, 2].map((slot) => worker(slot, OLD));
    const free = planFor([group({ replicas: 2 })], snapshot(old));
    const names = free.groups[0]?.namesToCome ?? [];
    expect(names).toHaveLength(2);
    const holders = { [String(names[1])]: { id: "foreign", labels: {} } };
    const planned = planFor([group({ replicas: 2 })], snapshot(old, { holders }));
    expect(actionLines(planned)).toEqual([]);
    expect(blockCodes(planned)).toEqual(["NameConflict"]);
  });
});

describe("duplicates", () => {
  const twice = [worker(3, { attempt: 1 }), worker(3, { attempt: 2 })];
  const none = { kind: "percent", percent: 0 } as const;

  it("an available one stays while it is needed", () => {
    const strict = group({ rollout: { maxUnavailable: none, maxSurge: one(1) } });
    expect(actionLines(planFor([strict], snapshot(twice))).join()).not.toContain("duplicate");
  });

  it("and goes once enough others are available", () => {
    const lax = group({ rollout: { maxUnavailable: one(2) } });
    expect(actionLines(planFor([lax], snapshot(twice))).join()).toContain("duplicate");
  });
});

describe("Recreate", () => {
  it("makes no new worker, in whatever slot, before the last old one is removed", () => {
    const desired = group({ replicas: 2, rollout: { strategy: "Recreate" } });
    const remains = worker(1, { ...OLD, run: { kind: "created" } });
    const { actions } = planFor([desired], snapshot([remains]));
    const removal = actions.find(({ kind }) => kind === "remove")?.id;
    const creates = actions.filter(({ kind }) => kind === "create");
    expect(creates).toHaveLength(2);
    expect(removal).toBeDefined();
    for (const { needs } of creates) expect(needs).toEqual([removal]);
  });
});
