// Runs of apply that need the lease of an engine that others can reach, too.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { apply } from "../../src/app/apply.ts";
import type { ApplyOptions } from "../../src/app/apply-types.ts";
import { LeaseClaims } from "../../src/app/lease-claims.ts";
import type { ProgressEvent } from "../../src/app/reporter.ts";
import { heldLabels, releasedLabels } from "../../src/core/lease.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { openJournal } from "../../src/store/journal.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { group, NOW, worker } from "../support/scene.ts";

const NEVER = new AbortController().signal;
const OPTIONS: ApplyOptions = {
  ...{ prune: false, allowMassDelete: false, allowOlder: false, confirm: false, once: false },
  ...{ wait: true, verify: false, actionsPerPass: 100, maxActions: Number.POSITIVE_INFINITY },
  ...{ timeoutMs: 60_000, callDeadlineMs: 30_000, detailedExitCode: false },
};

type Setting = Partial<ApplyOptions> & {
  readonly waitMs?: number;
  readonly answer?: boolean;
  readonly stop?: AbortSignal;
  readonly onEvent?: (event: ProgressEvent) => void;
};

function run(engine: FakeEngine, groups: readonly DesiredGroup[], setting: Setting = {}) {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-lease-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { waitMs = 0, answer = true, stop = NEVER, onEvent = () => undefined } = setting;
  return apply(
    { ...OPTIONS, ...setting },
    {
      engine,
      reporter: { notify: onEvent, ask: async () => answer },
      memory: undefined,
      journal: openJournal(folder, () => "run"),
      workspace: {
        ...{ project: undefined, groups, declared: groups.map(({ identity }) => identity.uid) },
        ...{ problems: [], complete: true, narrowed: false, stateFolder: folder, folder },
      },
      lease: { projectUid: undefined, tenant: () => tenant("us"), durationMs: 60_000, waitMs },
      mintTaskId: () => "task",
      ticks: () => engine.now,
      now: () => NOW,
      startTimer: () => () => undefined,
    },
    { stop, abort: NEVER },
  );
}

function tenant(user: string) {
  const facts = { pid: 1, user, host: "h", command: "wgctl apply", startedAt: "then" };
  return { token: user, facts, scope: undefined };
}

/** Somebody else takes the lease, whoever has it, for a minute. */
async function seize(engine: FakeEngine): Promise<void> {
  const claims = new LeaseClaims(engine, undefined);
  const labels = heldLabels(undefined, tenant("them"), engine.now, engine.now + 60_000);
  await claims.makeNext(await claims.read(NEVER), labels, NEVER);
}

async function letGo(engine: FakeEngine): Promise<void> {
  const claims = new LeaseClaims(engine, undefined);
  const labels = releasedLabels(undefined, tenant("them").facts);
  await claims.makeNext(await claims.read(NEVER), labels, NEVER);
}

async function leaseState(engine: FakeEngine) {
  const { lease, numbers } = await new LeaseClaims(engine, undefined).read(NEVER);
  return { kind: lease?.state.kind, claims: numbers.length };
}

it("a run with work takes the lease, and leaves it released", async () => {
  const engine = new FakeEngine();
  expect(await run(engine, [group({ replicas: 2 })])).toMatchObject({ exit: 0, done: 4 });
  expect(await leaseState(engine)).toEqual({ kind: "released", claims: 1 });
});

it("R2: a run without work asks nothing of the lease, whoever has it", async () => {
  const engine = new FakeEngine([worker(1)]);
  await seize(engine);
  const claims = [...engine.claims];
  const reads = engine.most.get("claims");
  engine.most.clear();
  expect(await run(engine, [group({ replicas: 1 })])).toMatchObject({ exit: 0, done: 0 });
  expect(reads).toBe(1);
  expect(engine.most.get("claims")).toBeUndefined();
  expect([...engine.claims]).toEqual(claims);
});

it("a run with work is refused while somebody else has the lease, and touches nothing", async () => {
  const engine = new FakeEngine();
  await seize(engine);
  await expect(run(engine, [group()])).rejects.toMatchObject({
    code: "lock-held",
    message: expect.stringContaining("(them@h, since then)"),
  });
  expect(engine.calls).toEqual([]);
});

it("what was done while it waited is not done again", async () => {
  const engine = new FakeEngine();
  await seize(engine);
  engine.onWait = () => {
    if (engine.workers.length > 0) return;
    engine.put(worker(1));
    void letGo(engine);
  };
  const waits: string[] = [];
  const onEvent = (event: ProgressEvent) => {
    if (event.kind === "lock-waiting") waits.push(event.holder);
  };
  const result = await run(engine, [group({ replicas: 1 })], { waitMs: 30_000, onEvent });
  expect(result).toMatchObject({ exit: 0, ending: "settled", done: 0 });
  expect(engine.calls).toEqual([]);
  expect(waits).toEqual([expect.stringContaining("(them@h, since then)")]);
});

it("a run that loses the lease to another starts nothing more", async () => {
  const engine = new FakeEngine();
  const warnings: string[] = [];
  const onEvent = (event: ProgressEvent) => {
    if (event.kind === "notice") warnings.push(event.message);
    if (event.kind !== "action-ended" || engine.claims.size === 0) return;
    // A long pause, in which another takes over: whatever comes next is not ours to do.
    engine.now += 61_000;
    engine.claims.clear();
    engine.claims.set(
      "wgctl-lease-unnamed-2",
      heldLabels(undefined, tenant("them"), engine.now, engine.now + 60_000),
    );
  };
  const result = await run(engine, [group({ replicas: 5 })], { onEvent });
  expect(result).toMatchObject({ exit: 5, ending: "lease-lost" });
  expect(engine.calls).toHaveLength(1);
  expect(warnings).toEqual([expect.stringMatching(/taken over by pid 1 \(them@h/)]);
  expect(await leaseState(engine)).toEqual({ kind: "held", claims: 1 });
});

it("a run whose lease was removed stops before its next pass, to be run again", async () => {
  const engine = new FakeEngine();
  const onEvent = (event: ProgressEvent) => {
    if (event.kind === "pass-planned" && event.pass === 1) engine.claims.clear();
  };
  const groups = [group({ replicas: 3 })];
  const result = await run(engine, groups, { actionsPerPass: 2, onEvent });
  expect(result).toMatchObject({ exit: 1, ending: "lease-lost", done: 2 });
  expect(await run(engine, groups)).toMatchObject({ exit: 0, ending: "settled" });
});

it.each([
  ["asked to stop", { stop: AbortSignal.abort() }, "interrupted"],
  ["declined", { confirm: true, answer: false }, "declined"],
] as const)("a run that was %s gives the lease back", async (_, setting, ending) => {
  const engine = new FakeEngine();
  const result = await run(engine, [group()], setting);
  expect(result).toMatchObject({ ending, done: 0 });
  expect((await leaseState(engine)).kind).not.toBe("held");
});

it("a run that fails gives the lease back", async () => {
  const engine = new FakeEngine();
  const onEvent = (event: ProgressEvent) => {
    if (event.kind === "pass-planned") throw new Error("a defect");
  };
  await expect(run(engine, [group()], { onEvent })).rejects.toThrow("a defect");
  expect(await leaseState(engine)).toEqual({ kind: "released", claims: 1 });
});
