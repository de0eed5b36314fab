// Containers that somebody else made: taken for workers of an older revision, replaced under the rollout's rules.

import { describe, expect, it } from "vitest";
import {
  adopted,
  ago,
  blockCodes,
  exited,
  foreigner,
  group,
  planFor,
  running,
  snapshot,
  worker,
} from "../../support/scene.ts";
import { checkRows, keeps, makes, one, type Row, remembering, stops } from "./table.ts";

const IDS = ["shop-1", "shop-2", "shop-3"] as const;
const shops = IDS.map((id) => foreigner(id));
const [first, second, third] = [foreigner("shop-1"), foreigner("shop-2"), foreigner("shop-3")];
const trio = group({}, { adopt: IDS });
const single = group({ replicas: 1 }, { adopt: ["shop-1"] });
const kept = foreigner("shop-1", { phase: "kept", phaseAge: 60, run: exited(50, 0, 3600) });
const failing = (slot: number) => worker(slot, { run: exited(1, 3, 1) });
const failed = (slot: number) =>
  worker(slot, { phase: "failed", phaseAge: 30, run: exited(31, 3, 1) });

const rows: readonly Row[] = [
  {
    name: "one goes at a time, and is kept",
    desired: trio,
    seen: snapshot([], adopted(...shops)),
    actions: keeps("shop-1", "adopted"),
    converged: false,
  },
  {
    name: "they are replaced though they are made from the very template",
    desired: group({ replicas: 1 }, { adopt: ["shop-1"] }),
    seen: snapshot([], adopted(first)),
    actions: keeps("shop-1", "adopted"),
  },
  {
    name: "what differs is named",
    desired: group({ replicas: 1, template: { command: ["new"] } }, { adopt: ["shop-1"] }),
    seen: snapshot([], adopted(first)),
    actions: keeps("shop-1", "adopted command"),
  },
  {
    name: "its restart policy is taken from it first",
    desired: single,
    seen: snapshot([], adopted(foreigner("shop-1", { facts: { restartPolicy: "always" } }))),
    actions: ["disarm shop-1: adopted", ...keeps("shop-1", "adopted")],
  },
  {
    name: "its own stop signal is sent",
    desired: single,
    seen: snapshot([], adopted(foreigner("shop-1", { facts: { stopSignal: "SIGQUIT" } }))),
    actions: keeps("shop-1", "adopted"),
  },
  {
    name: "no successor is made while it is stopping",
    desired: single,
    seen: snapshot([], {
      ...adopted(foreigner("shop-1", { phase: "kept", phaseAge: 2 })),
      signalled: ["shop-1"],
    }),
    actions: [],
    waitingFor: ["1 worker to stop"],
    dueIn: 10,
  },
  {
    name: "of two graces the longer one counts",
    desired: group({ replicas: 1, template: { stop_grace_period: 5 } }, { adopt: ["shop-1"] }),
    seen: snapshot([], {
      ...adopted(foreigner("shop-1", { phase: "kept", phaseAge: 2, facts: { stopTimeout: 60 } })),
      signalled: ["shop-1"],
    }),
    actions: [],
    dueIn: 60,
  },
  {
    name: "once it has ended its successor is made, and it stays",
    desired: single,
    seen: snapshot([], adopted(kept)),
    actions: makes("mailer-1-desired", "adopted"),
  },
  {
    name: "it is told to be quiet as the manifest says",
    desired: group(
      { replicas: 1, drain: { quiet: { kind: "signal", signal: "SIGTSTP" } } },
      { adopt: ["shop-1"] },
    ),
    seen: snapshot([], adopted(first)),
    actions: ["drain shop-1: adopted", "quiet shop-1: adopted"],
  },
  {
    name: "with surge its successor is there first",
    desired: group(
      { replicas: 1, rollout: { maxSurge: one(1), maxUnavailable: one(0) } },
      { adopt: ["shop-1"] },
    ),
    seen: snapshot([], adopted(first)),
    actions: makes("mailer-1-desired", "adopted"),
  },
  {
    name: "Recreate takes all of them first",
    desired: group({ rollout: { strategy: "Recreate" } }, { adopt: IDS }),
    seen: snapshot([], adopted(...shops)),
    actions: IDS.flatMap((id) => keeps(id, "adopted")),
  },
  {
    name: "it is removed once the new revision is complete",
    desired: single,
    seen: snapshot([worker(1)], adopted(kept)),
    actions: ["remove shop-1: completed"],
  },
  {
    name: "it comes back when the new revision fails",
    desired: single,
    seen: snapshot([failed(1)], adopted(kept)),
    actions: ["start shop-1: rollback"],
    blocks: ["RevisionFailed"],
  },
  {
    name: "who fails the new revision is set aside before",
    desired: single,
    seen: snapshot([failing(1)], adopted(kept)),
    actions: ["set-aside mailer-1-desired: failed", "start shop-1: rollback"],
    blocks: ["RevisionFailed"],
  },
  {
    name: "it has its own name back once it runs",
    desired: single,
    seen: snapshot(
      [failed(1)],
      adopted(foreigner("shop-1", { phase: "kept", phaseAge: 60, run: running(2) })),
    ),
    actions: ["restore shop-1: rollback"],
    blocks: ["RevisionFailed"],
  },
  {
    name: "back in service it gets the group's restart policy",
    desired: group({ replicas: 1, template: { restart: "always" } }, { adopt: ["shop-1"] }),
    seen: snapshot(
      [
        worker(1, {
          spec: { template: { restart: "always" } },
          phase: "failed",
          phaseAge: 30,
          run: exited(31, 3, 1),
          facts: { restartPolicy: "no" },
        }),
      ],
      adopted(first),
    ),
    actions: ["arm shop-1: drift"],
    blocks: ["RevisionFailed"],
  },
  {
    name: "one that waits for its turn keeps the restart policy it has",
    desired: group({ template: { restart: "always" } }, { adopt: IDS }),
    seen: snapshot([], adopted(...shops)),
    actions: keeps("shop-1", "adopted"),
  },
  {
    name: "one that its engine removes when it ends is not kept",
    desired: single,
    seen: snapshot([], adopted(foreigner("shop-1", { facts: { autoRemove: true } }))),
    actions: stops("shop-1", "adopted"),
  },
  {
    name: "slots above the count are given up",
    desired: group({ replicas: 2 }, { adopt: IDS }),
    seen: snapshot([], adopted(...shops)),
    actions: [...stops("shop-3", "scale-down"), ...keeps("shop-1", "adopted")],
  },
  {
    name: "slots beyond the list are filled, and nobody has to go for that",
    desired: group({}, { adopt: ["shop-1", "shop-2"] }),
    seen: snapshot([], adopted(first, second)),
    actions: makes("mailer-3-desired", "missing"),
  },
  {
    name: "beside the group's own workers it is one too many",
    desired: group({ replicas: 2 }, { adopt: ["shop-1"] }),
    seen: snapshot([worker(1), worker(2)], adopted(first)),
    actions: stops("shop-1", "over-surge"),
  },
  {
    name: "one that had ended before is removed",
    desired: single,
    seen: snapshot([], adopted(foreigner("shop-1", { run: exited(600, 1, 60) }))),
    actions: ["remove shop-1: adopted", ...makes("mailer-1-desired", "adopted")],
  },
  {
    name: "one that is paused is left alone",
    desired: single,
    seen: snapshot(
      [],
      adopted(foreigner("shop-1", { run: { kind: "paused", startedAt: ago(9) } })),
    ),
    actions: [],
    blocks: ["WorkerPaused"],
  },
  {
    name: "one that is gone takes nobody with it",
    desired: trio,
    seen: snapshot([], adopted(second, third)),
    actions: makes("mailer-1-desired", "missing"),
  },
  {
    name: "while the engine does not answer for one, nobody comes or goes",
    desired: trio,
    seen: snapshot([], {
      adopted: { ...adopted(first, second).adopted, "shop-3": { kind: "unknown" } },
    }),
    actions: [],
    blocks: ["WorkerUnknown"],
  },
  {
    name: "one that carries our labels has an owner",
    desired: trio,
    seen: snapshot(
      [],
      adopted(first, second, {
        kind: "known",
        template: "{}",
        facts: { ...worker(3), id: "shop-3" },
      }),
    ),
    actions: [],
    blocks: ["OwnershipConflict"],
  },
  {
    name: "a group that is deleted takes them along",
    desired: group(
      { replicas: 1 },
      { adopt: ["shop-1"], deletionTimestamp: "2026-11-29T12:00:00Z" },
    ),
    seen: snapshot([], adopted(first)),
    actions: stops("shop-1", "deleted"),
  },
  {
    name: "nothing is to do once all are gone",
    desired: single,
    seen: snapshot([worker(1)]),
    actions: [],
    converged: true,
  },
];

checkRows("adopted containers", rows);

describe("adopted containers", () => {
  it("keep what they have in anonymous volumes", () => {
    const seen = snapshot([worker(1)], adopted(kept));
    const [removal] = planFor([single], seen).actions;
    expect(removal).toMatchObject({ kind: "remove", keepsVolumes: true });
  });

  it("leave a worker's volumes to go with it", () => {
    const [removal] = planFor([group({ replicas: 0 })], snapshot([failing(1)])).actions;
    expect(removal).not.toHaveProperty("keepsVolumes");
  });

  it("get their own stop signal", () => {
    const shop = foreigner("shop-1", { facts: { stopSignal: "SIGQUIT" } });
    const { actions } = planFor([single], snapshot([], adopted(shop)));
    expect(actions).toContainEqual(expect.objectContaining({ kind: "signal", signal: "SIGQUIT" }));
  });

  it("are said to be gone", () => {
    const [planned] = planFor([trio], snapshot([], adopted(first, third))).groups;
    expect(planned?.notices).toEqual([
      "spec.adopt names what is gone from the engine (shop-2); take it out",
    ]);
  });

  it("may have the name that their successor gets", () => {
    const desired = group({ replicas: 1 }, { adopt: ["shop-1"] });
    const [{ facts }] = [{ facts: worker(1) }];
    const shop = foreigner("shop-1", { name: facts.name });
    const holders = { [facts.name]: { id: "shop-1", labels: {} } };
    const planned = planFor([desired], snapshot([], { ...adopted(shop), holders }));
    expect(blockCodes(planned)).toEqual([]);
    expect(planned.actions.map(({ kind }) => kind)).toEqual(["rename", "signal"]);
  });

  it.each([["shop-1 runs", first, "kept"] as const, ["it is kept", kept, "start"] as const])(
    "are fallen back on whatever revision was complete before: %s",
    (_, shop, then) => {
      const revisions = { desired: null, stable: "0123456789abcdef", blocked: null };
      const seen = snapshot(shop === kept ? [failed(1)] : [], adopted(shop));
      const { actions } = planFor([single], seen, remembering({ revisions }));
      expect(actions.map((action) => ("phase" in action ? action.phase : action.kind))).toContain(
        then,
      );
    },
  );

  it("are no reason for another generation or revision", () => {
    const [with_] = planFor([single], snapshot([], adopted(first))).groups;
    const [without] = planFor([group({ replicas: 1 })], snapshot([])).groups;
    expect([with_?.generation, with_?.revision, with_?.spec]).toEqual([
      without?.generation,
      without?.revision,
      without?.spec,
    ]);
  });
});
