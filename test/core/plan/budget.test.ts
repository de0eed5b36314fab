// How the budget of a pass is dealt.

import { expect, test } from "vitest";
import type { DesiredGroup, GroupIdentity } from "../../../src/core/model.ts";
import { group, planFor, snapshot, worker } from "../../support/scene.ts";

const named = (name: string): GroupIdentity => ({ uid: `uid-${name}`, namespace: "default", name });
const a = named("a");
const b = named("b");
const OLD = { spec: { template: { command: ["old"] } } };

/** Kind and group of the actions, `create a`. */
function dealt(
  groups: readonly DesiredGroup[],
  there: readonly ReturnType<typeof worker>[],
  budget: number,
) {
  const names = new Map([a, b].map(({ uid, name }) => [uid, name]));
  const { actions } = planFor(groups, snapshot(there), { budget });
  return actions.map((action) => `${action.kind} ${names.get(action.group)}`);
}

test("goes round the groups, so that a large one does not starve a small one", () => {
  const groups = [group({ replicas: 9 }, { identity: a }), group({ replicas: 1 }, { identity: b })];
  expect(dealt(groups, [], 4)).toEqual(["create a", "create b", "start a", "start b"]);
});

test("finishes and starts before it retires anything", () => {
  const groups = [group({ replicas: 1 }, { identity: a }), group({ replicas: 1 }, { identity: b })];
  const there = [worker(1, { ...OLD, identity: a })];
  expect(dealt(groups, there, 3)).toEqual(["create b", "start b", "rename a"]);
});

test("is spent on prune last", () => {
  const there = [1, 2].map((slot) => worker(slot, { identity: b, project: "p", id: `b${slot}` }));
  const old = worker(1, { ...OLD, identity: a, project: "p" });
  const { actions } = planFor(
    [group({ replicas: 1 }, { identity: a })],
    snapshot([...there, old]),
    {
      prune: true,
      projectUid: "p",
      budget: 3,
    },
  );
  expect(actions.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
    "rename template-changed",
    "signal template-changed",
    "rename pruned",
  ]);
});

test("R8: of nothing does nothing, and leaves everything for later", () => {
  const { actions, deferred } = planFor([group({ replicas: 1 })], snapshot([]), { budget: 0 });
  expect([actions.length, deferred.length]).toEqual([0, 2]);
});
