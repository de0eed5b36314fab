// R4: a create of which nobody knows what came counts as a worker until it is seen or its time is over.

import { describe, expect, it } from "vitest";
import type { UncertainRecord } from "../../src/core/status-types.ts";
import { toIso } from "../../src/core/time.ts";
import { actionLines, group, MAILER, NOW, planFor, snapshot, worker } from "../support/scene.ts";

const first = worker(1);
const record: UncertainRecord = {
  ...{ slot: 1, revision: first.labels["dev.wgctl.revision"] ?? "", name: first.name },
  until: toIso(NOW + 1_000),
};
const CREATE = ["create mailer-1-desired: missing", "start mailer-1-desired: missing"];

function planned(there: readonly (typeof first)[], open: UncertainRecord, uid = MAILER.uid) {
  const plan = planFor([group({ replicas: 1 })], snapshot(there), { uncertain: { [uid]: [open] } });
  const [own] = plan.groups;
  return { actions: actionLines(plan), counts: own?.counts, waiting: own?.waitingFor };
}

describe("a create without an answer", () => {
  it("keeps its slot, and is waited for", () => {
    expect(planned([], record)).toMatchObject({
      actions: [],
      counts: { observed: 1, uncertain: 1, scheduled: 0 },
      waiting: ["1 worker created without an answer"],
    });
  });

  it("of another revision keeps its slot, too", () => {
    const other = { ...record, revision: "9a8b7c6d5e4f3021", name: "mailer-1-9a8b7c6d" };
    expect(planned([], other).actions).toEqual([]);
  });

  it("is over with its time", () => {
    const over = { ...record, until: toIso(NOW) };
    expect(planned([], over)).toMatchObject({ actions: CREATE, counts: { uncertain: 0 } });
  });

  it("is over once it is seen", () => {
    expect(planned([first], record)).toMatchObject({
      actions: [],
      counts: { observed: 1, uncertain: 0, available: 1 },
    });
  });

  it("of another group is none of this one's business", () => {
    expect(planned([], record, "somebody-else").actions).toEqual(CREATE);
  });
});
