import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { ActionCall, Plan } from "../../src/core/plan/types.ts";
import { templateLabel } from "../../src/core/revision.ts";
import { forecastSentence, renderPlan } from "../../src/view/plan-text.ts";
import { createPaint } from "../../src/view/style.ts";
import {
  buildAction,
  buildCounts,
  buildDesired,
  buildGroupPlan,
  buildIdentity,
  buildPlan,
  buildWorker,
  NOTHING_AHEAD,
  OLD_REVISION,
  REVISION,
  targetOf,
} from "../support/build.ts";

const plain = createPaint(false);

const OLD_TEMPLATE = {
  image: "mailer:1",
  environment: { ADDRESS: "10.0.0.1", BATCH: "50", QUEUE: "mail", RAILS_ENV: "production" },
  stop_grace_period: 45,
};
const NEW_TEMPLATE = {
  ...OLD_TEMPLATE,
  environment: { ...OLD_TEMPLATE.environment, QUEUE: "mail-high" },
};

function narrow(plan: Plan): string {
  return renderPlan(plan, { paint: plain, wide: false });
}

function wide(plan: Plan): string {
  return renderPlan(plan, { paint: plain, wide: true });
}

/** Two old workers of which one is retired, one slot empty; a second group is as declared, a third suspended. */
function rollingPlan(): Plan {
  const [first, second] = [1, 2].map((slot) =>
    buildWorker({
      labels: { slot, revision: OLD_REVISION, template: templateLabel(OLD_TEMPLATE) },
      differences: [{ kind: "template", paths: ["environment.QUEUE"] }],
    }),
  );
  if (first === undefined || second === undefined) throw new Error("two workers were built");
  const target = targetOf(first);
  const why = { reason: "template-changed", paths: ["environment.QUEUE"] } as const;
  const rename = buildAction({ kind: "rename", target, phase: "stopping" }, why);
  const signal = { kind: "signal", target, signal: "SIGTERM" } as const;
  const create = buildAction(
    {
      kind: "create",
      worker: { name: "mailer-3-1f2e3d4c", slot: 3, attempt: 1, revision: REVISION },
    },
    { slot: 3, detail: "slot 3 has no worker" },
  );
  const start = { kind: "start", name: "mailer-3-1f2e3d4c", target: undefined } as const;
  return buildPlan({
    groups: [
      buildGroupPlan({
        generation: 4,
        desired: buildDesired({ template: NEW_TEMPLATE }),
        workers: [first, second],
        counts: buildCounts({ available: 2 }),
        converged: false,
        forecast: {
          actions: 12,
          waves: 3,
          worstCaseSeconds: 65,
          plusStartUp: true,
          obstacle: undefined,
        },
      }),
      buildGroupPlan({ identity: buildIdentity({ uid: "two", name: "crawler" }) }),
      buildGroupPlan({
        identity: buildIdentity({ uid: "three", name: "runner", namespace: "ci" }),
        converged: false,
        blocks: [
          { code: "Suspended", message: "spec.suspend is true: observed and reported only" },
        ],
      }),
    ],
    actions: [
      create,
      buildAction(start, { slot: 3, needs: [create.id] }),
      rename,
      buildAction(signal, { ...why, needs: [rename.id] }),
    ],
  });
}

test("a rolling change beside a group as declared and one that is held", () => {
  expect(narrow(rollingPlan())).toBe(
    `mailer  3 workers: 1 to create, 2 to replace  (generation 4, revision 1f2e3d4c)
  ~ mailer-1-9a8b7c6d  replace  template-changed: environment.QUEUE
  ~ mailer-2-9a8b7c6d  replace  template-changed: environment.QUEUE  (later)
  + mailer-3-1f2e3d4c  create   missing: slot 3 has no worker

    template of 2 workers (revision 9a8b7c6d) -> declared
      environment:
        ADDRESS: "10.0.0.1"
        BATCH: "50"
    -   QUEUE: mail
    +   QUEUE: mail-high
        RAILS_ENV: production
      image: mailer:1

  12 actions in 3 waves, at most 1m05s plus start-up time

ci/runner  3 workers: held  (generation 1, revision 1f2e3d4c)
  ! Suspended  spec.suspend is true: observed and reported only

Plan: 1 to create, 2 to replace, 0 to remove, 1 group held, 1 group unchanged.
`,
  );
});

test("the wide form adds every engine call and the groups as declared", () => {
  const text = wide(rollingPlan());
  expect(text).toContain(
    `  ~ mailer-1-9a8b7c6d  replace  template-changed: environment.QUEUE
      rename mailer-1-9a8b7c6d .stopping
      signal mailer-1-9a8b7c6d SIGTERM  after rename mailer-1-9a8b7c6d
`,
  );
  expect(text).toContain(
    "\n\ncrawler  3 workers: as declared  (generation 1, revision 1f2e3d4c)\n\n",
  );
});

test("each call says what it is made with", () => {
  const target = targetOf(buildWorker());
  const calls: readonly (readonly [ActionCall, string])[] = [
    [{ kind: "rename", target, phase: "kept" }, ".kept"],
    [{ kind: "rename", target, phase: "none" }, "(its own name)"],
    [{ kind: "quiet", target, by: { kind: "signal", signal: "SIGTSTP" } }, "SIGTSTP"],
    [{ kind: "quiet", target, by: { kind: "exec", exec: ["bin/quiet", "-a"] } }, "bin/quiet -a"],
    [{ kind: "probe", target, asks: "drained", exec: ["bin/idle"] }, "bin/idle"],
    [
      { kind: "update-in-place", target, limits: { cpus: 0.5, memory: 256 * 1024 ** 2, pids: 9 } },
      "cpus 0.5, memory 256M, pids 9",
    ],
  ];
  for (const [call, argument] of calls) {
    const text = wide(buildPlan({ actions: [buildAction(call)] }));
    expect(text).toContain(`      ${call.kind} mailer-1-1f2e3d4c ${argument}\n`);
  }
});

test("a worker that is set aside beside one that comes back, and one that is kept", () => {
  const target = targetOf(buildWorker());
  const kept = targetOf(buildWorker({ labels: { slot: 2 } }));
  const back = `mailer-3-9a8b7c6d.kept-1795953000`;
  const actions = [
    buildAction({ kind: "rename", target, phase: "failed" }, { reason: "failed" }),
    buildAction(
      { kind: "rename", target: kept, phase: "kept" },
      { reason: "template-changed", slot: 2 },
    ),
    buildAction(
      { kind: "start", name: back, target: { ...kept, name: back } },
      { reason: "rollback", slot: 3 },
    ),
  ];
  const text = narrow(buildPlan({ groups: [buildGroupPlan({ converged: false })], actions }));
  expect(text).toContain(`
  - mailer-1-1f2e3d4c  set aside  failed
  ~ mailer-2-1f2e3d4c  replace    template-changed  (kept for return)
  + mailer-3-9a8b7c6d  return     rollback
`);
  expect(text).toContain("0 to create, 1 to return, 1 to replace, 1 to set aside, 0 to remove");
});

test("colour adds nothing but colour", () => {
  const colored = renderPlan(rollingPlan(), { paint: createPaint(true), wide: true });
  expect(colored).not.toBe(wide(rollingPlan()));
  expect(stripVTControlCharacters(colored)).toBe(wide(rollingPlan()));
});

test("nothing to do", () => {
  const groups = [
    buildGroupPlan({ counts: buildCounts({ desired: 4 }) }),
    buildGroupPlan({ counts: buildCounts({ desired: 1 }) }),
  ];
  expect(narrow(buildPlan({ groups }))).toBe("No changes. 5 workers in 2 groups are converged.\n");
});

test("one worker, one group", () => {
  const groups = [buildGroupPlan({ counts: buildCounts({ desired: 1 }) })];
  expect(narrow(buildPlan({ groups }))).toBe("No changes. 1 worker in 1 group is converged.\n");
});

test("no group at all", () => {
  expect(narrow(buildPlan({ groups: [] }))).toBe("No changes. No group is declared.\n");
});

test("nothing to do now, because the engine has to move first", () => {
  const waitingFor = ["1 worker to stop", "2 workers to become available"];
  expect(narrow(buildPlan({ groups: [buildGroupPlan({ converged: false, waitingFor })] }))).toBe(
    `mailer  3 workers: waiting for 1 worker to stop, 2 workers to become available  (generation 1, revision 1f2e3d4c)

Nothing to do now: mailer not converged yet.
`,
  );
});

test("a group that is being deleted", () => {
  const worker = buildWorker();
  const why = { reason: "deleted", detail: "deletionTimestamp is set" } as const;
  const rename = { kind: "rename", target: targetOf(worker), phase: "stopping" } as const;
  const group = buildGroupPlan({
    leaving: "deleted",
    workers: [worker],
    converged: false,
    forecast: { ...NOTHING_AHEAD, actions: 3, worstCaseSeconds: 10 },
  });
  expect(narrow(buildPlan({ groups: [group], actions: [buildAction(rename, why)] }))).toBe(
    `mailer  deleted: 1 to remove  (generation 1, revision 1f2e3d4c)
  - mailer-1-1f2e3d4c  remove  deleted: deletionTimestamp is set

  3 actions, at most 10s

Plan: 0 to create, 0 to replace, 1 to remove.
`,
  );
});

test("an image that has to be pulled first, and what the budget leaves", () => {
  const pull = buildAction({ kind: "pull-image", image: "mailer:2" }, { slot: 0 });
  const name = "mailer-1-1f2e3d4c";
  const create = buildAction({
    kind: "create",
    worker: { name, slot: 1, attempt: 1, revision: REVISION },
  });
  const group = buildGroupPlan({
    revision: undefined,
    workers: [],
    counts: buildCounts({ desired: 1 }),
    converged: false,
  });
  const plan = buildPlan({ groups: [group], actions: [pull], deferred: [create] });
  expect(wide(plan)).toBe(
    `mailer  1 worker: 1 image to pull, 1 to create  (generation 1)
  + mailer:2           pull    missing
      pull-image mailer:2
  + mailer-1-1f2e3d4c  create  missing  (deferred by the budget)
      create mailer-1-1f2e3d4c  (deferred)

The budget leaves 1 action for the next pass.

Plan: 1 image to pull, 1 to create, 0 to replace, 0 to remove.
`,
  );
});

test("what is not ours, and what no manifest declares, is reported beside no changes", () => {
  const plan = buildPlan({
    groups: [
      buildGroupPlan({
        foreign: [
          { id: "f", name: "mailer-copy", because: "its labels were copied from mailer-1" },
        ],
      }),
    ],
    orphans: [{ identity: buildIdentity({ name: "digest", namespace: "old" }), workers: 2 }],
  });
  expect(narrow(plan)).toBe(
    `mailer  3 workers: as declared  (generation 1, revision 1f2e3d4c)
  ! Foreign  mailer-copy is left alone: its labels were copied from mailer-1

! old/digest  2 workers on the engine and no manifest; --prune removes them

No changes. 3 workers in 1 group are converged.
`,
  );
});

test("of many changed paths a few are named, and all in the wide form", () => {
  const paths = ["a", "b", "c", "d", "e"].map((key) => `environment.${key}`);
  const worker = buildWorker({ labels: { slot: 1 } });
  const why = { reason: "template-changed", paths } as const;
  const signal = { kind: "signal", target: targetOf(worker), signal: "SIGTERM" } as const;
  const plan = buildPlan({ actions: [buildAction(signal, why)] });
  expect(narrow(plan)).toContain("environment.a, environment.b, environment.c and 2 more\n");
  expect(wide(plan)).toContain("environment.d, environment.e\n");
});

test("no text of a manifest or an engine can steer the terminal", () => {
  const worker = buildWorker({
    labels: { template: templateLabel({ image: "a\u001b[2J\u009b1m\nb" }) },
    differences: [{ kind: "template", paths: ["environment.\u001b[31m"] }],
  });
  const message = "no\r\nsuch \u0007thing";
  const target = targetOf(worker);
  const signal = buildAction(
    { kind: "signal", target, signal: "SIGTERM" },
    { reason: "template-changed", detail: "\u001b]0;x\u0007" },
  );
  const group = buildGroupPlan({
    workers: [worker],
    blocks: [{ code: "WorkerPaused", message }],
  });
  const text = wide(buildPlan({ groups: [group], actions: [signal] }));
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  expect(text).toContain("! WorkerPaused  no such ?thing\n");
});

test.each([
  [{ actions: 0, waves: 0, worstCaseSeconds: 0, plusStartUp: false }, ""],
  [{ actions: 1, waves: 1, worstCaseSeconds: 0, plusStartUp: false }, "1 action"],
  [{ actions: 2, waves: 1, worstCaseSeconds: 0, plusStartUp: true }, "2 actions, start-up time"],
  [{ actions: 3, waves: 0, worstCaseSeconds: 45, plusStartUp: false }, "3 actions, at most 45s"],
  [
    { actions: 12, waves: 3, worstCaseSeconds: 3725, plusStartUp: true },
    "12 actions in 3 waves, at most 1h02m plus start-up time",
  ],
])("the forecast of %j", (forecast, sentence) => {
  expect(forecastSentence({ ...forecast, obstacle: undefined })).toBe(sentence);
});
