import { expect, test } from "vitest";
import { eventJson, planJson } from "../../src/view/json.ts";
import {
  buildAction,
  buildDesired,
  buildGroupPlan,
  buildPlan,
  buildWorker,
  REVISION,
  targetOf,
} from "../support/build.ts";

const create = buildAction({
  kind: "create",
  worker: { name: "mailer-2-1f2e3d4c", slot: 2, attempt: 1, revision: REVISION },
});
const remove = buildAction(
  { kind: "remove", target: targetOf(buildWorker({ labels: { slot: 9 } })) },
  { slot: 9, reason: "scale-down" },
);

test("a plan is plain JSON with a format version, its sums and its actions", () => {
  const json = planJson(buildPlan({ actions: [create], deferred: [remove] }));
  expect(JSON.parse(JSON.stringify(json))).toMatchObject({
    formatVersion: 1,
    kind: "Plan",
    now: "2026-11-29T12:00:00.000Z",
    summary: {
      ...{ pull: 0, create: 1, start: 0, return: 0, replace: 0, update: 0 },
      ...{ arm: 0, "set-aside": 0, remove: 1, ask: 0 },
    },
    groups: [{ name: "mailer", leaving: null, dueAt: null, converged: true }],
    actions: [{ id: "create mailer-2-1f2e3d4c", worker: { name: "mailer-2-1f2e3d4c" } }],
    deferred: [{ kind: "remove", reason: "scale-down", target: { name: "mailer-9-1f2e3d4c" } }],
    orphans: [],
  });
});

test("every value is of JSON: nothing gets lost on the way", () => {
  const json = planJson(buildPlan({ groups: [buildGroupPlan({ imageId: undefined })] }));
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

test("a plan holds no template, so no value of an environment", () => {
  const template = { image: "mailer:1", environment: { TOKEN: "hunter2" } };
  const worker = buildWorker({ labels: { template: JSON.stringify(template) } });
  const group = buildGroupPlan({ desired: buildDesired({ template }), workers: [worker] });
  expect(JSON.stringify(planJson(buildPlan({ groups: [group] })))).not.toContain("hunter2");
});

test("each call has all that it is made with", () => {
  const target = targetOf(buildWorker());
  const by = { kind: "exec", exec: ["bin/quiet"] } as const;
  const about = { id: target.id, name: target.name };
  const plan = buildPlan({
    actions: [
      buildAction({ kind: "rename", target, phase: "none" }),
      buildAction({ kind: "quiet", target, by }),
      buildAction({ kind: "probe", target, asks: "idle", exec: ["bin/idle"] }),
      buildAction({ kind: "update-in-place", target, limits: { cpus: 1 } }),
    ],
  });
  expect(planJson(plan)["actions"]).toMatchObject([
    { kind: "rename", target: about, phase: "none" },
    { kind: "quiet", target: about, by },
    { kind: "probe", target: about, asks: "idle", exec: ["bin/idle"] },
    { kind: "update-in-place", target: about, limits: { cpus: 1 } },
  ]);
});

test("a failed worker is an event with its last lines", () => {
  const lines = ["begins", "boom"];
  const name = "mailer-1";
  expect(
    eventJson({ kind: "failed-worker", group: "uid", name, because: "exit code 3", lines }),
  ).toEqual({
    ...{ formatVersion: 1, event: "failed-worker", group: "uid", worker: name },
    ...{ because: "exit code 3", lines },
  });
});

test("progress is one object an event", () => {
  const ended = eventJson({
    kind: "action-ended",
    action: create,
    outcome: { kind: "failed", code: "engine-failed", message: "no" },
    milliseconds: 12,
  });
  expect(ended).toEqual({
    formatVersion: 1,
    event: "action-ended",
    action: "create mailer-2-1f2e3d4c",
    group: create.group,
    outcome: { kind: "failed", code: "engine-failed", message: "no" },
    milliseconds: 12,
  });
});
