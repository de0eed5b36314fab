// How a pass is carried out: in order of need, so many at a time, and never on after a failure or a stop.

import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type ExecuteOptions, execute, type Interrupts } from "../../src/app/execute.ts";
import type { ProgressEvent } from "../../src/app/reporter.ts";
import { WgctlError } from "../../src/core/errors.ts";
import type { DesiredGroup, GroupIdentity } from "../../src/core/model.ts";
import type { Plan } from "../../src/core/plan/types.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { group, planFor, worker } from "../support/scene.ts";

const OTHER: GroupIdentity = {
  uid: "01998f6e-5c1b-7d2a-9a53-000000000002",
  namespace: "default",
  name: "other",
};

function stage(engine: FakeEngine, limits: Partial<ExecuteOptions> = {}) {
  const stop = new AbortController();
  const abort = new AbortController();
  const events: ProgressEvent[] = [];
  const interrupts: Interrupts = { stop: stop.signal, abort: abort.signal };
  const begin = async (plan: Plan) => {
    const ended = await execute(plan, optionsFor(plan, engine, events, limits), interrupts);
    return ended.map(({ action, outcome }) => `${short(action.id)} ${outcome.kind}`);
  };
  return { begin, stop, abort, events };
}

function optionsFor(
  plan: Plan,
  engine: FakeEngine,
  events: ProgressEvent[],
  limits: Partial<ExecuteOptions>,
): ExecuteOptions {
  let minted = 0;
  return {
    engine,
    reporter: { notify: (event) => events.push(event), ask: async () => true },
    groups: new Map(plan.groups.map((each) => [each.identity.uid, each])),
    projectUid: undefined,
    commit: undefined,
    mintTaskId: () => `task-${++minted}`,
    intend: () => true,
    note: () => undefined,
    permit: async () => undefined,
    mayGoOn: () => true,
    pullProgress: () => undefined,
    made: new Map(),
    ticks: () => 0,
    startsAtOnce: 8,
    stopsAtOnce: 4,
    ...limits,
  };
}

/** `create mailer-1`: revisions say nothing here. */
function short(id: string): string {
  return id.replace(/-[0-9a-f]{8}.*$/, "");
}

function planOn(engine: FakeEngine, ...groups: readonly DesiredGroup[]): Plan {
  return planFor(groups, engine.snapshot());
}

const scaledToNothing = (count: number) =>
  new FakeEngine(Array.from({ length: count }, (_, index) => worker(index + 1)));

describe("execute", () => {
  it("starts each worker after it was created", async () => {
    const engine = new FakeEngine();
    const ended = await stage(engine).begin(planOn(engine, group({ replicas: 2 })));
    expect(ended.toSorted()).toEqual([
      "create mailer-1 done",
      "create mailer-2 done",
      "start mailer-1 done",
      "start mailer-2 done",
    ]);
    expect(engine.workers.map(({ run }) => run.kind)).toEqual(["running", "running"]);
  });

  it("R9: skips what needed a failed action, and goes on with other groups", async () => {
    const engine = new FakeEngine([worker(1)]);
    engine.fail("rename", new WgctlError("engine-failed", "disk full"));
    const plan = planOn(
      engine,
      group({ replicas: 0 }),
      group({ replicas: 1 }, { identity: OTHER }),
    );
    const { begin, events } = stage(engine);
    expect((await begin(plan)).toSorted()).toEqual([
      "create other-1 done",
      "rename mailer-1 failed",
      "signal mailer-1 skipped",
      "start other-1 done",
    ]);
    expect(engine.calls.filter((call) => call.startsWith("signal"))).toEqual([]);
    const told = events.flatMap((event) => (event.kind === "action-ended" ? [event.outcome] : []));
    expect(told).toContainEqual({ kind: "skipped", because: expect.stringContaining("rename") });
  });

  it("has four calls on existing workers in flight at most", async () => {
    const engine = scaledToNothing(9);
    const release = engine.hold("rename");
    const done = stage(engine).begin(planOn(engine, group({ replicas: 0 })));
    await turn();
    expect(engine.held("rename")).toBe(4);
    for (let index = 0; index < 9; index += 1) {
      release();
      await turn();
    }
    await done;
    expect(engine.most.get("rename")).toBe(4);
    expect(engine.workers.every(({ run }) => run.kind === "exited")).toBe(true);
  });

  it("has so many creates in flight as it is told, over all groups", async () => {
    const engine = new FakeEngine();
    const release = engine.hold("create");
    const groups = [1, 2, 3, 4, 5].map((number) =>
      group({ replicas: 1 }, { identity: { ...OTHER, uid: `uid-${number}`, name: `g${number}` } }),
    );
    const done = stage(engine, { startsAtOnce: 3 }).begin(planOn(engine, ...groups));
    await turn();
    expect(engine.held("create")).toBe(3);
    for (let index = 0; index < 5; index += 1) {
      release();
      await turn();
    }
    await done;
    expect(engine.most.get("create")).toBe(3);
    expect(engine.workers).toHaveLength(5);
  });

  it("starts a group slowly: one call at first, one more with each success, up to the limit", async () => {
    const engine = new FakeEngine();
    const release = engine.hold("create");
    const done = stage(engine, { startsAtOnce: 3 }).begin(planOn(engine, group({ replicas: 9 })));
    const seen: number[] = [];
    while (engine.workers.length < 9) {
      await turn();
      seen.push(engine.held("create"));
      release();
      await turn();
    }
    await done;
    expect(seen[0]).toBe(1);
    expect(Math.max(...seen)).toBe(3);
  });

  it("starts nothing more of a group after a failed create, and lets other groups be", async () => {
    const engine = new FakeEngine();
    engine.fail("create", new WgctlError("engine-failed", "no space left"));
    const plan = planOn(
      engine,
      group({ replicas: 5 }),
      group({ replicas: 2 }, { identity: OTHER }),
    );
    const ended = await stage(engine).begin(plan);
    expect(ended).toContain("create mailer-1 failed");
    expect(engine.calls.filter((call) => call.includes("mailer"))).toHaveLength(1);
    expect(engine.workers.map(({ run }) => run.kind)).toEqual(["running", "running"]);
  });

  it("prunes only once all that is declared is done", async () => {
    const orphan = worker(1, { identity: OTHER, project: "project-1" });
    const engine = new FakeEngine([orphan]);
    const plan = planFor([group({ replicas: 1 })], engine.snapshot(), {
      ...{ projectUid: "project-1", prune: true },
    });
    const release = engine.hold("create");
    const done = stage(engine).begin(plan);
    await turn();
    const began = [...engine.calls];
    release();
    expect((await done).at(-1)).toBe("signal other-1 done");
    expect(began.filter((call) => !call.startsWith("inspect"))).toEqual([
      expect.stringMatching(/^create mailer-1/),
    ]);
  });

  it("R8: begins nothing new once stopped, and lets calls under way finish", async () => {
    const engine = new FakeEngine();
    const release = engine.hold("create");
    const { begin, stop } = stage(engine);
    const done = begin(planOn(engine, group({ replicas: 3 })));
    await turn();
    stop.abort();
    release();
    expect((await done).toSorted()).toEqual([
      "create mailer-1 done",
      "create mailer-2 skipped",
      "create mailer-3 skipped",
      "start mailer-1 skipped",
      "start mailer-2 skipped",
      "start mailer-3 skipped",
    ]);
    expect(engine.world).toEqual([expect.stringMatching(/^mailer-1-\w+ created$/)]);
  });

  it("begins nothing new once nothing can be told any more", async () => {
    const engine = new FakeEngine();
    const { begin, events } = stage(engine, { mayGoOn: () => engine.calls.length === 0 });
    expect((await begin(planOn(engine, group({ replicas: 2 })))).toSorted()).toEqual([
      "create mailer-1 done",
      "create mailer-2 skipped",
      "start mailer-1 skipped",
      "start mailer-2 skipped",
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({
        outcome: { kind: "skipped", because: "the journal cannot be written" },
      }),
    );
  });

  it("R8: breaks off a pull when stopped", async () => {
    const engine = new FakeEngine();
    engine.hold("pull");
    const { begin, stop } = stage(engine);
    const done = begin(planOn(engine, group({ template: { image: "mailer:9" } })));
    await turn();
    stop.abort();
    expect(await done).toEqual(["pull-image mailer:9 skipped"]);
  });

  it("throws a defect, but not before calls under way are done", async () => {
    const engine = scaledToNothing(3);
    engine.fail("rename", new TypeError("a defect"), "before", 2);
    const release = engine.hold("rename");
    const done = stage(engine).begin(planOn(engine, group({ replicas: 0 })));
    let isOver = false;
    const failed = expect(done).rejects.toThrow("a defect");
    failed.then(() => {
      isOver = true;
    });
    for (let index = 0; index < 3; index += 1) {
      await turn();
      expect(isOver).toBe(false);
      release();
    }
    await failed;
    expect(engine.workers.filter(({ name }) => name.includes(".stopping-"))).toHaveLength(1);
  });

  it("refuses a plan whose actions need what it does not hold", async () => {
    const engine = scaledToNothing(1);
    const plan = planOn(engine, group({ replicas: 0 }));
    const orphaned = { ...plan, actions: plan.actions.filter(({ kind }) => kind === "signal") };
    await expect(stage(engine).begin(orphaned)).rejects.toThrow("what the plan does not hold");
  });
});
