// What a group does whose desired revision has failed: one worker is set aside, what served goes on or comes back.

import { describe, expect, it } from "vitest";
import type { Hold } from "../../../src/core/plan/types.ts";
import type { WorkerChanges } from "../../support/scene.ts";
import {
  exited,
  group,
  MAILER,
  NOW,
  planFor,
  running,
  snapshot,
  worker,
} from "../../support/scene.ts";
import { checkRows, keeps, OLD, type Row, recordOf, remembering, SURGE, stops } from "./table.ts";

const trio = group();
const rollback = group({ rollout: { onFailure: "Rollback" } });
const recreate = group({ rollout: { strategy: "Recreate" } });
const failed = (slot = 1) => worker(slot, { phase: "failed", phaseAge: 60, run: exited(60) });
const kept = (slot: number, changes: WorkerChanges = {}) =>
  worker(slot, { ...OLD, phase: "kept", phaseAge: 60, run: exited(50, 0, 60), ...changes });
const older = { spec: { template: { command: ["older"] } } };
const oldRevision = worker(1, OLD).labels["dev.wgctl.revision"] ?? "";
const known = remembering({ revisions: { desired: null, stable: oldRevision, blocked: null } });
const FAILED = ["RevisionFailed"];

/** A call of this run failed. */
const heldBy = (of: Pick<Hold, "isOfNew">) => ({
  holds: { [MAILER.uid]: { code: "BackingOff", message: "it failed", ...of } } as const,
});

/** Moved aside, and asked to stop where it runs. */
const setAside = (name: string) => `set-aside ${name}: failed`;
const back = (slot: number) => `start mailer-${slot}-old: rollback`;

const SETTING_ASIDE: readonly Row[] = [
  {
    name: "field case 4: the rollout stops at the first failure, and the others never stop",
    desired: group({ template: { restart: "always" } }),
    seen: snapshot([
      worker(1, {
        spec: { template: { restart: "always" } },
        run: running(1),
        facts: { restartCount: 1 },
      }),
      kept(1),
      worker(2, OLD),
      worker(3, OLD),
    ]),
    actions: [
      "disarm mailer-1-desired: failed",
      setAside("mailer-1-desired"),
      "signal mailer-1-desired: failed",
    ],
    blocks: FAILED,
    converged: false,
  },
  {
    name: "field case 4: once it stands aside its slot gets back what is kept there",
    desired: trio,
    seen: snapshot([failed(), kept(1), worker(2, OLD), worker(3, OLD)]),
    actions: [back(1)],
    blocks: FAILED,
  },
  {
    name: "in the run in which its start failed, too: that speaks against no predecessor",
    desired: trio,
    seen: snapshot([failed(), kept(1), worker(2, OLD), worker(3, OLD)]),
    request: heldBy({ isOfNew: true }),
    actions: [back(1)],
    blocks: FAILED,
  },
  {
    name: "a predecessor that could not be started rests like any other",
    desired: trio,
    seen: snapshot([failed(), kept(1), worker(2, OLD), worker(3, OLD)]),
    request: heldBy({}),
    actions: [],
    blocks: ["BackingOff", ...FAILED],
  },
  {
    name: "field case 4: and then nothing more is done, run after run, without any file",
    desired: trio,
    seen: snapshot([failed(), worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [],
    blocks: FAILED,
    converged: false,
    dueIn: null,
  },
  {
    name: "field case 4: a fixing commit rolls as if nothing had been, and what stood aside goes",
    desired: group({ template: { command: ["fixed"] } }),
    seen: snapshot([failed(), worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [
      "remove mailer-1-old: completed",
      ...keeps("mailer-1-old", "template-changed command"),
    ],
  },
  {
    name: "of several that fail one is set aside and the others are removed",
    desired: trio,
    seen: snapshot([worker(1, { run: exited(2) }), worker(2, { run: exited(2) }), worker(3, OLD)]),
    actions: [setAside("mailer-1-desired"), "remove mailer-2-desired: failed"],
    blocks: FAILED,
  },
  {
    name: "one that fails when another stands aside already is removed",
    desired: trio,
    seen: snapshot([failed(), worker(2, { run: exited(2) }), worker(3, OLD)]),
    actions: ["remove mailer-2-desired: failed"],
    blocks: FAILED,
  },
  {
    name: "one whose command cannot be run is set aside as it is, never started",
    desired: trio,
    seen: snapshot([
      worker(1, { run: { kind: "created", error: "no", exitCode: 127 } }),
      worker(2, OLD),
      worker(3, OLD),
    ]),
    actions: [setAside("mailer-1-desired")],
    blocks: FAILED,
  },
  {
    name: "one that goes as a kept one too many is not removed twice",
    desired: trio,
    seen: snapshot([
      failed(),
      ...[1, 2].map((attempt) =>
        worker(1, { attempt, phase: "kept", phaseAge: 60, run: exited(2) }),
      ),
      worker(2, OLD),
    ]),
    actions: ["remove mailer-1-desired: duplicate", "remove mailer-1-desired-2: failed"],
    blocks: FAILED,
  },
  {
    name: "who has time left to become ready says until when",
    desired: trio,
    seen: snapshot([failed(1), worker(2, { run: running(290, "starting") }), worker(3, OLD)]),
    actions: [],
    blocks: FAILED,
    dueIn: 10,
  },
];

const SERVING: readonly Row[] = [
  {
    name: "nothing is made in an empty slot for which nothing is kept",
    desired: trio,
    seen: snapshot([failed(), worker(2, OLD)]),
    actions: [],
    blocks: FAILED,
  },
  {
    name: "what is kept comes back in no slot that something else exists in",
    desired: trio,
    seen: snapshot(
      [
        failed(),
        kept(1),
        worker(1, { ...OLD, phase: "stopping", run: running(9), id: "w" }),
        worker(2, OLD),
      ],
      { signalled: ["w"] },
    ),
    actions: [],
    blocks: FAILED,
    dueIn: 12,
  },
  {
    name: "an exited worker of the last complete revision is started again after its back-off",
    desired: trio,
    seen: snapshot([
      failed(),
      worker(1, { ...OLD, run: exited(10) }),
      worker(2, { ...OLD, run: exited(4) }),
    ]),
    request: known,
    actions: [back(1)],
    blocks: FAILED,
    dueIn: 6,
  },
  {
    name: "one of a revision that was never complete is removed",
    desired: trio,
    seen: snapshot([failed(), worker(2, { ...older, run: exited(99) }), worker(3, OLD)]),
    request: known,
    actions: ["remove mailer-2-old: rollback"],
    blocks: FAILED,
  },
  {
    name: "without a record one that never served is removed, one that did is started",
    desired: trio,
    seen: snapshot([
      failed(),
      worker(1, { ...OLD, run: exited(99) }),
      worker(2, { ...OLD, run: exited(99) }),
    ]),
    request: remembering({
      revisions: { desired: null, stable: null, blocked: null },
      workers: [recordOf(worker(1, { ...OLD, run: exited(99) }), { isProven: true })],
    }),
    actions: ["remove mailer-2-old: rollback", back(1)],
    blocks: FAILED,
  },
  {
    name: "of two in a slot that served once one is started",
    desired: trio,
    seen: snapshot([
      failed(),
      worker(2, { ...OLD, run: exited(99) }),
      worker(2, { ...older, run: exited(99) }),
    ]),
    request: remembering({
      revisions: { desired: null, stable: null, blocked: null },
      workers: [OLD, older].map((made) =>
        recordOf(worker(2, { ...made, run: exited(99) }), { isProven: true }),
      ),
    }),
    actions: [back(2)],
    blocks: FAILED,
  },
  {
    name: "one that was created and never ran is removed",
    desired: trio,
    seen: snapshot([failed(), worker(2, { run: { kind: "created" } }), worker(3, OLD)]),
    actions: ["remove mailer-2-desired: rollback"],
    blocks: FAILED,
  },
  {
    name: "one of the blocked revision that was killed goes where something is kept for its slot",
    desired: trio,
    seen: snapshot([failed(), worker(2, { run: exited(99, 137) }), kept(2), worker(3, OLD)]),
    actions: ["remove mailer-2-desired: rollback", back(2)],
    blocks: FAILED,
  },
  {
    name: "and is started again where nothing is",
    desired: trio,
    seen: snapshot([failed(), worker(2, { run: exited(99, 137) }), worker(3, OLD)]),
    actions: ["start mailer-2-desired: rollback"],
    blocks: FAILED,
  },
  {
    name: "a broken one of a revision between makes room for what is kept",
    desired: trio,
    seen: snapshot([failed(), worker(2, { ...older, run: running(400, "starting") }), kept(2)]),
    request: known,
    actions: stops("mailer-2-old", "rollback"),
    blocks: FAILED,
  },
  {
    name: "one that has time left does not, until then",
    desired: trio,
    seen: snapshot([failed(), worker(2, { ...older, run: running(290, "starting") }), kept(2)]),
    request: known,
    actions: [],
    blocks: FAILED,
    dueIn: 10,
  },
  {
    name: "what was kept and ended as soon as it was back waits like any other that failed",
    desired: trio,
    seen: snapshot([failed(), kept(1, { run: exited(4) }), worker(2, OLD)]),
    actions: [],
    blocks: FAILED,
    dueIn: 6,
  },
  {
    name: "what is kept of the blocked revision does not come back, whatever was complete before",
    desired: trio,
    seen: snapshot([
      failed(),
      worker(2, { phase: "kept", phaseAge: 60, run: exited(50, 0, 60) }),
      worker(3, OLD),
    ]),
    actions: [],
    blocks: FAILED,
  },
  {
    name: "without surge none is started beside who runs in its slot",
    desired: trio,
    seen: snapshot(
      [
        failed(),
        worker(1, { ...OLD, run: exited(99) }),
        worker(1, { ...older, phase: "stopping", run: running(9), id: "w" }),
      ],
      { signalled: ["w"] },
    ),
    request: known,
    actions: [],
    blocks: FAILED,
  },
];

const ROLLING_BACK: readonly Row[] = [
  {
    name: "a new worker stays where a rollback is not wished for",
    desired: trio,
    seen: snapshot([failed(2), worker(1), kept(1), worker(2, OLD), worker(3, OLD)]),
    actions: [],
    blocks: FAILED,
  },
  {
    name: "a rollback retires new ones as availability allows",
    desired: rollback,
    seen: snapshot([failed(2), worker(1), kept(1), worker(2, OLD), worker(3, OLD)]),
    actions: stops("mailer-1-desired", "rollback"),
    blocks: FAILED,
  },
  {
    name: "and not one that is needed",
    desired: rollback,
    seen: snapshot([failed(2), worker(1), kept(1), kept(2), worker(3, OLD)]),
    actions: [back(2)],
    blocks: FAILED,
  },
  {
    name: "a good new one in a slot with nothing to go back to stays",
    desired: rollback,
    seen: snapshot([failed(2), worker(1), worker(2, OLD), worker(3, OLD)]),
    actions: [],
    blocks: FAILED,
  },
  {
    name: "with surge the old one comes back first",
    desired: group({ rollout: { ...SURGE, onFailure: "Rollback" } }),
    seen: snapshot([failed(2), worker(1), kept(1), worker(2, OLD), worker(3, OLD)]),
    actions: [back(1)],
    blocks: FAILED,
  },
  {
    name: "without a rollback surge brings nothing back beside a new one",
    desired: group({ rollout: SURGE }),
    seen: snapshot([failed(2), worker(1), kept(1), worker(2, OLD), worker(3, OLD)]),
    actions: [],
    blocks: FAILED,
  },
  {
    name: "one that has ended is not started before it is taken away",
    desired: group({ rollout: { ...SURGE, onFailure: "Rollback" } }),
    seen: snapshot([
      failed(2),
      worker(1, { run: exited(99, 137) }),
      kept(1, { run: running(1) }),
      worker(2, OLD),
      worker(3, OLD),
    ]),
    actions: ["restore mailer-1-old: rollback", "remove mailer-1-desired: rollback"],
    blocks: FAILED,
  },
  {
    name: "rolled back once nothing of it is left but what stands aside",
    desired: rollback,
    seen: snapshot([failed(2), worker(1, OLD), worker(2, OLD), worker(3, OLD)]),
    actions: [],
    blocks: ["RolledBack"],
    converged: false,
  },
  {
    name: "a rollback is never rolled back, though the old one fails too",
    desired: rollback,
    seen: snapshot([failed(2), worker(1, { ...OLD, run: exited(2) }), worker(3, OLD)]),
    request: known,
    actions: [],
    blocks: ["RolledBack"],
    dueIn: 8,
  },
  {
    name: "Recreate always goes back, all new ones at once",
    desired: recreate,
    seen: snapshot([failed(2), worker(1), kept(1), kept(2), worker(3), kept(3)]),
    actions: [3, 1].flatMap((slot) => stops(`mailer-${slot}-desired`, "rollback")),
    blocks: FAILED,
  },
  {
    name: "and starts no old one while a new one is there",
    desired: recreate,
    seen: snapshot(
      [failed(2), kept(1), kept(2), worker(3, { phase: "stopping", phaseAge: 1, id: "w" })],
      { signalled: ["w"] },
    ),
    actions: [],
    blocks: FAILED,
    dueIn: 11,
  },
  {
    name: "nor beside one of another old revision",
    desired: recreate,
    seen: snapshot([failed(), worker(1, { ...OLD, run: exited(99) }), worker(2, older)]),
    request: known,
    actions: [],
    blocks: ["RolledBack"],
  },
];

const REFUSAL = {
  revision: worker(1).labels["dev.wgctl.revision"] ?? "",
  message: "no such runtime",
};
const refusing = { refusals: { [MAILER.uid]: REFUSAL } };
const refusedBefore = remembering({
  revisions: { desired: null, stable: oldRevision, blocked: null },
  refused: REFUSAL,
});
const halfway = () => snapshot([kept(1), worker(2, OLD), worker(3, OLD)]);

const NEVER_MADE: readonly Row[] = [
  {
    name: "a revision that the engine makes no worker of fails, though no container is there to tell",
    desired: trio,
    seen: halfway(),
    request: refusing,
    actions: [back(1)],
    blocks: FAILED,
  },
  {
    name: "and is not tried again by a later run",
    desired: trio,
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, OLD))),
    request: refusedBefore,
    actions: [],
    blocks: FAILED,
    converged: false,
    dueIn: null,
  },
  {
    name: "but where somebody asks for another try",
    desired: trio,
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, OLD))),
    request: { ...refusedBefore, retryBefore: NOW },
    actions: keeps("mailer-1-old", "template-changed command"),
  },
  {
    name: "once in that run",
    desired: trio,
    seen: halfway(),
    request: { ...refusing, retryBefore: NOW },
    actions: [back(1)],
    blocks: FAILED,
  },
  {
    name: "another revision is tried",
    desired: group({ template: { command: ["fixed"] } }),
    seen: snapshot([1, 2, 3].map((slot) => worker(slot, OLD))),
    request: refusedBefore,
    actions: keeps("mailer-1-old", "template-changed command"),
  },
  {
    name: "with nothing to fall back on it is tried on",
    desired: group({ replicas: 1 }),
    seen: snapshot([]),
    request: refusing,
    actions: ["create mailer-1-desired: missing", "start mailer-1-desired: missing"],
  },
];

it("a revision that was refused is planned with the engine's words, for the record", () => {
  const [made] = planFor([trio], halfway(), refusing).groups;
  expect(made?.refused).toEqual(REFUSAL);
  expect(made?.blocks[0]?.message).toContain(REFUSAL.message);
});

checkRows("never made", NEVER_MADE);
checkRows("set aside", SETTING_ASIDE);
checkRows("serving with the old", SERVING);
checkRows("rolled back", ROLLING_BACK);

describe("what a failed revision's block says", () => {
  const said = (workers: readonly ReturnType<typeof worker>[], desired = trio) =>
    planFor([desired], snapshot(workers)).groups[0]?.blocks[0]?.message;

  it("names who is kept for inspection, and what to do", () => {
    expect(said([failed(), worker(2, OLD)])).toMatch(
      /^the new revision failed; mailer-1-[0-9a-f]{8} is kept for inspection; change the spec, or try again with --retry$/,
    );
  });

  it("says that the old one serves once all is rolled back", () => {
    expect(said([failed(), worker(2, OLD)], rollback)).toContain("and the old one serves");
  });
});
