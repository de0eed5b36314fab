// One call at a time: what an answer, no answer, and a world that has moved meanwhile come to.

import { describe, expect, it } from "vitest";
import { type PerformContext, perform } from "../../src/app/perform.ts";
import { type ErrorCode, WgctlError } from "../../src/core/errors.ts";
import type { Quiet } from "../../src/core/model.ts";
import type { ActionCall, Plan } from "../../src/core/plan/types.ts";
import { buildAction } from "../support/build.ts";
import { type CallName, FakeEngine } from "../support/fake-engine.ts";
import { ago, exited, group, MAILER, NOW, planFor, running, worker } from "../support/scene.ts";

const NEVER = new AbortController().signal;
const fails = (code: ErrorCode) => new WgctlError(code, `the engine said ${code}`);

function contextFor(engine: FakeEngine, plan: Plan): PerformContext {
  return {
    engine,
    groups: new Map(plan.groups.map((each) => [each.identity.uid, each])),
    projectUid: "project-1",
    commit: "abc",
    mintTaskId: () => "task-new",
    intend: () => true,
    pullProgress: () => undefined,
    made: new Map(),
    ticks: () => engine.now,
  };
}

/** The outcome of the first action of that kind in a plan for one worker. */
async function performFirst(kind: "create" | "start", engine: FakeEngine, planned = engine) {
  const plan = planFor([group({ replicas: 1 })], planned.snapshot());
  const action = plan.actions.find((each) => each.kind === kind);
  if (action === undefined) throw new Error(`nothing to ${kind}`);
  const context = contextFor(engine, plan);
  return { outcome: await perform(action, context, NEVER), made: context.made };
}

describe("create", () => {
  it("makes the worker with its labels, and remembers its id for the start", async () => {
    const engine = new FakeEngine();
    const { outcome, made } = await performFirst("create", engine);
    expect(outcome).toEqual({ kind: "done" });
    const [created] = engine.workers;
    expect([...made.values()]).toEqual([created?.id]);
    expect(created?.labels).toMatchObject({
      "dev.wgctl.uid": MAILER.uid,
      "dev.wgctl.project": "project-1",
      "dev.wgctl.slot": "1",
      "dev.wgctl.task-id": "task-new",
      "dev.wgctl.commit": "abc",
      "dev.wgctl.reason": "missing",
    });
  });

  const own = worker(1, { run: { kind: "created" } });
  const copied = worker(1, { facts: { labels: worker(2).labels } });
  const { "dev.wgctl.uid": _, ...unmarked } = own.labels;

  it.each<{
    readonly name: string;
    readonly there?: readonly ReturnType<typeof worker>[];
    readonly fault?: readonly [ErrorCode, "before" | "after"];
    readonly blind?: ErrorCode;
    readonly outcome: string;
    readonly adopted?: boolean;
  }>([
    { name: "R4: 409 and ours: adopted", there: [own], outcome: "done", adopted: true },
    {
      name: "409 and without our labels: not ours",
      there: [{ ...own, labels: unmarked }],
      outcome: "failed engine-conflict",
    },
    {
      name: "409 and labels copied from another worker: not ours",
      there: [copied],
      outcome: "failed engine-conflict",
    },
    {
      name: "R4: 409 and then 404: the name is reserved, the create is on its way",
      fault: ["engine-conflict", "before"],
      outcome: "uncertain",
    },
    {
      name: "R4: a time-out before the effect",
      fault: ["engine-timeout", "before"],
      outcome: "uncertain",
    },
    {
      name: "R4: a time-out after the effect is settled by looking",
      fault: ["engine-timeout", "after"],
      outcome: "done",
      adopted: true,
    },
    {
      name: "R4: a connection that broke after the effect is settled by looking",
      fault: ["engine-unreachable", "after"],
      outcome: "done",
      adopted: true,
    },
    {
      name: "500 with nothing there failed",
      fault: ["engine-failed", "before"],
      outcome: "failed engine-failed",
    },
    {
      name: "R4: a time-out with an engine that does not answer the question either stays open",
      fault: ["engine-timeout", "after"],
      blind: "engine-timeout",
      outcome: "uncertain",
    },
    { name: "400 failed", fault: ["engine-rejected", "before"], outcome: "failed engine-rejected" },
    {
      name: "404, the image is gone, failed",
      fault: ["engine-not-found", "before"],
      outcome: "failed engine-not-found",
    },
  ])("$name", async ({ there = [], fault, blind, outcome, adopted }) => {
    const engine = new FakeEngine(there);
    if (fault !== undefined) engine.fail("create", fails(fault[0]), fault[1]);
    if (blind !== undefined) engine.fail("inspect", fails(blind));
    const found = await performFirst("create", engine, new FakeEngine());
    expect(words(found.outcome)).toBe(outcome);
    expect([...found.made.values()]).toEqual(adopted ? [engine.workers[0]?.id] : []);
    expect(engine.workers.length).toBeLessThanOrEqual(1);
  });
});

function words(outcome: Awaited<ReturnType<typeof perform>>): string {
  return outcome.kind === "failed" ? `failed ${outcome.code}` : outcome.kind;
}

describe("start", () => {
  it.each<[string, ErrorCode, "before" | "after", string]>([
    ["a time-out after the effect is settled by looking", "engine-timeout", "after", "done"],
    ["a time-out before the effect failed", "engine-timeout", "before", "failed engine-timeout"],
    ["500, a taken port, failed", "engine-failed", "before", "failed engine-failed"],
    [
      "404, a missing network, failed and is not taken for gone",
      "engine-not-found",
      "before",
      "failed engine-failed",
    ],
    ["400, a bad command, failed", "engine-rejected", "before", "failed engine-rejected"],
  ])("%s", async (_, code, when, outcome) => {
    const engine = new FakeEngine([worker(1, { run: { kind: "created" } })]);
    engine.fail("start", fails(code), when);
    const found = await performFirst("start", engine);
    expect(words(found.outcome)).toBe(outcome);
  });

  it("of a worker whose create did not happen is dropped", async () => {
    const plan = planFor([group({ replicas: 1 })], new FakeEngine().snapshot());
    const start = buildAction({ kind: "start", name: "mailer-1-x", target: undefined });
    const outcome = await perform(start, contextFor(new FakeEngine(), plan), NEVER);
    expect(outcome).toEqual({ kind: "dropped", because: "it was not created" });
  });
});

const target = { id: "w", name: "mailer-1", run: "running", startedAt: ago(60) } as const;
const alive = worker(1, {
  id: "w",
  run: running(60),
  facts: { restartPolicy: "on-failure" },
});

const ON_RUNNING: readonly (ActionCall & { readonly target: typeof target })[] = [
  { kind: "rename", target, phase: "stopping" },
  { kind: "disarm", target },
  { kind: "arm", target, policy: "always" },
  { kind: "signal", target, signal: "SIGTERM" },
  { kind: "kill", target },
];

/** Calls on a running worker that leave it running, and what they are called at the engine. */
const INSIDE: readonly (readonly [string, ActionCall, string])[] = [
  [
    "quieting by a signal",
    { kind: "quiet", target, by: { kind: "signal", signal: "SIGTSTP" } },
    "signal NAME SIGTSTP",
  ],
  [
    "quieting by a command",
    { kind: "quiet", target, by: { kind: "exec", exec: ["bin/quiet", "--now"] } },
    "exec NAME bin/quiet --now",
  ],
  [
    "a question",
    { kind: "probe", target, asks: "drained", exec: ["bin/idle", "-a"] },
    "exec NAME bin/idle -a",
  ],
];

describe.each(INSIDE)("R9: %s", (_, call, written) => {
  const attempt = async (engine: FakeEngine) =>
    perform(buildAction(call), contextFor(engine, planFor([group()], engine.snapshot())), NEVER);

  it("goes to the process it was planned for, which runs on", async () => {
    const engine = new FakeEngine([alive]);
    expect(await attempt(engine)).toMatchObject({ kind: "done" });
    expect(engine.calls).toEqual([written.replace("NAME", alive.name)]);
    expect(engine.workers).toEqual([alive]);
  });

  it.each([
    ["started again", worker(1, { id: "w", run: running(59) }), "it has been started again"],
    ["exited", worker(1, { id: "w", run: exited(1) }), "it is exited"],
    ["gone", undefined, "it is gone"],
  ])("is dropped once the worker is %s", async (_, now, because) => {
    const engine = new FakeEngine(now === undefined ? [] : [now]);
    expect(await attempt(engine)).toEqual({ kind: "dropped", because });
    expect(engine.calls).toEqual([]);
  });

  it("answered with engine-conflict is dropped, for it has ended meanwhile", async () => {
    const engine = new FakeEngine([alive]);
    engine.fail(written.startsWith("exec") ? "exec" : "signal", fails("engine-conflict"));
    expect(words(await attempt(engine))).toBe("dropped");
  });
});

describe("probe", () => {
  const ask = async (prepare: (engine: FakeEngine) => void) => {
    const engine = new FakeEngine([{ ...alive, name: `${alive.name}.draining-17` }]);
    engine.now = NOW + 2_500;
    prepare(engine);
    const probe = buildAction({ kind: "probe", target, asks: "idle", exec: ["bin/idle"] });
    return perform(probe, contextFor(engine, planFor([], engine.snapshot())), NEVER);
  };
  const facts = (isTrue: boolean) => ({
    ...{ name: `${alive.name}.draining-17`, asks: "idle", isTrue, at: NOW + 2_500 },
  });

  it.each<[string, number, boolean, string | undefined]>([
    ["0 is a yes", 0, true, undefined],
    ["1 is a no", 1, false, undefined],
    ["126 is a no that says why", 126, false, "bin/idle cannot be run in it (exit code 126)"],
    ["127 is a no that says why", 127, false, "bin/idle cannot be run in it (exit code 127)"],
  ])("exit code %s", async (_, code, isTrue, said) => {
    const outcome = await ask(({ commands }) => commands.set("bin/idle", code));
    const words = said === undefined ? {} : { words: said };
    expect(outcome).toEqual({ kind: "done", probe: facts(isTrue), ...words });
  });

  it("without an end in time is a no that says why", async () => {
    const outcome = await ask((engine) => engine.fail("exec", fails("engine-timeout")));
    const words = "the engine said engine-timeout";
    expect(outcome).toEqual({ kind: "done", probe: facts(false), words });
  });

  it("that the engine fails at is no answer", async () => {
    const outcome = await ask((engine) => engine.fail("exec", fails("engine-failed")));
    expect(words(outcome)).toBe("failed engine-failed");
  });
});

describe("quiet", () => {
  const tell = async (by: Quiet, prepare: (engine: FakeEngine) => void, intend = () => true) => {
    const engine = new FakeEngine([alive]);
    prepare(engine);
    const context = { ...contextFor(engine, planFor([], engine.snapshot())), intend };
    const outcome = await perform(buildAction({ kind: "quiet", target, by }), context, NEVER);
    return { outcome, engine };
  };
  const byCommand: Quiet = { kind: "exec", exec: ["bin/quiet"] };
  const bySignal: Quiet = { kind: "signal", signal: "SIGTSTP" };

  it.each<[string, (engine: FakeEngine) => void, string]>([
    ["fails", ({ commands }) => commands.set("bin/quiet", 3), "bin/quiet ended with exit code 3"],
    [
      "is not there",
      ({ commands }) => commands.set("bin/quiet", 127),
      "bin/quiet cannot be run in it (exit code 127)",
    ],
    [
      "does not end",
      (engine) => engine.fail("exec", fails("engine-timeout")),
      "the engine said engine-timeout",
    ],
  ])("by a command that %s is done, and says so", async (_, prepare, said) => {
    const { outcome } = await tell(byCommand, prepare);
    expect(outcome).toEqual({ kind: "done", words: said });
  });

  it.each([byCommand, bySignal])(
    "by %j is not done where the journal cannot be told",
    async (by) => {
      const { outcome, engine } = await tell(
        by,
        () => undefined,
        () => false,
      );
      expect(words(outcome)).toBe("skipped");
      expect(engine.calls).toEqual([]);
    },
  );

  it("by a signal that is not answered failed, and may be sent again", async () => {
    const lost = (engine: FakeEngine) => engine.fail("signal", fails("engine-timeout"), "after");
    expect(words((await tell(bySignal, lost)).outcome)).toBe("failed engine-timeout");
  });
});

describe("update-in-place", () => {
  it("sets what it was planned with, and nothing else", async () => {
    const engine = new FakeEngine([{ ...alive, limits: { cpus: 1, memory: 1e8 } }]);
    const limits = { cpus: 2, pids: 50 };
    const action = buildAction({ kind: "update-in-place", target, limits });
    const context = contextFor(engine, planFor([], engine.snapshot()));
    expect(await perform(action, context, NEVER)).toEqual({ kind: "done" });
    expect(engine.workers).toEqual([{ ...alive, limits: { cpus: 2, memory: 1e8, pids: 50 } }]);
  });

  it.each<[ErrorCode, string]>([
    ["engine-rejected", "failed engine-rejected"],
    ["engine-not-found", "dropped"],
  ])("answered with %s is %s", async (code, outcome) => {
    const engine = new FakeEngine([alive]);
    engine.fail("limits", fails(code));
    const action = buildAction({ kind: "update-in-place", target, limits: { cpus: 2 } });
    const context = contextFor(engine, planFor([], engine.snapshot()));
    expect(words(await perform(action, context, NEVER))).toBe(outcome);
  });
});

describe.each(ON_RUNNING)("R9: $kind", (call) => {
  const attempt = async (engine: FakeEngine) => {
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    return perform(buildAction(call), contextFor(engine, plan), NEVER);
  };

  it("is done to the process it was planned for", async () => {
    const engine = new FakeEngine([alive]);
    expect(await attempt(engine)).toEqual({ kind: "done" });
    expect(engine.workers).not.toEqual([alive]);
  });

  it.each([
    ["started again", worker(1, { id: "w", run: running(59) }), "it has been started again"],
    ["exited", worker(1, { id: "w", run: exited(1) }), "it is exited"],
    ["paused", worker(1, { id: "w", run: { kind: "paused", startedAt: ago(60) } }), "it is paused"],
    ["gone", undefined, "it is gone"],
  ])("is dropped once the worker is %s", async (_, now, because) => {
    const engine = new FakeEngine(now === undefined ? [] : [now]);
    const before = engine.workers;
    expect(await attempt(engine)).toEqual({ kind: "dropped", because });
    expect(engine.workers).toEqual(before);
  });

  it.each<[ErrorCode, string]>([
    ["engine-not-found", "dropped"],
    ["engine-conflict", "dropped"],
    ["engine-failed", "failed engine-failed"],
    ["engine-timeout", "failed engine-timeout"],
  ])("answered with %s is %s", async (code, outcome) => {
    const engine = new FakeEngine([alive]);
    const names = { rename: "rename", disarm: "policy", arm: "policy" } as const;
    const name: CallName = call.kind in names ? names[call.kind as keyof typeof names] : "signal";
    engine.fail(name, fails(code));
    expect(words(await attempt(engine))).toBe(outcome);
  });

  it("ends with the abort that ended it", async () => {
    const engine = new FakeEngine([alive]);
    engine.fail("inspect", fails("aborted"));
    await expect(attempt(engine)).rejects.toThrow("aborted");
  });
});

describe("rename", () => {
  it("takes the engine's clock of that moment, and the plain name", async () => {
    const engine = new FakeEngine([{ ...alive, name: `${alive.name}.draining-17` }]);
    engine.now = NOW + 2_500;
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    await perform(
      buildAction({ kind: "rename", target, phase: "stopping" }),
      contextFor(engine, plan),
      NEVER,
    );
    const seconds = Math.floor((NOW + 2_500) / 1000);
    expect(engine.workers.map(({ name }) => name)).toEqual([`${alive.name}.stopping-${seconds}`]);
  });
});

describe.each(["draining", "stopping", "kept", "failed"] as const)("rename to %s", (phase) => {
  it.each([
    ["a running worker", alive, target],
    [
      "one that has ended",
      worker(1, { id: "w", run: exited(1, 1, 59) }),
      { ...target, run: "exited" },
    ],
  ] as const)("of %s", async (_, there, planned) => {
    const engine = new FakeEngine([there]);
    const rename = buildAction({ kind: "rename", target: planned, phase });
    const context = contextFor(engine, planFor([], engine.snapshot()));
    expect(await perform(rename, context, NEVER)).toEqual({ kind: "done" });
    const name = `${there.name}.${phase}-${Math.floor(NOW / 1000)}`;
    expect(engine.workers.map((each) => each.name)).toEqual([name]);
  });
});

describe("rename to its own name", () => {
  it.each([
    ["takes the phase off", `${alive.name}.kept-17`, ["rename"]],
    ["is done already where it has it", alive.name, []],
  ])("%s", async (_, name, calls) => {
    const engine = new FakeEngine([{ ...alive, name }]);
    const rename = buildAction({ kind: "rename", target, phase: "none" });
    const context = contextFor(engine, planFor([], engine.snapshot()));
    expect(await perform(rename, context, NEVER)).toEqual({ kind: "done" });
    expect(engine.workers).toEqual([alive]);
    expect(engine.calls.map((each) => each.split(" ")[0])).toEqual(calls);
  });
});

describe("start of a worker that has ended", () => {
  it.each<[string, number, string]>([
    ["once more", 1, "running"],
    ["not where it ended again since", 0, "exited"],
  ])("%s", async (_, ago_, kind) => {
    const engine = new FakeEngine([worker(1, { id: "w", run: exited(ago_, 1, 59) })]);
    const start = buildAction({
      ...{ kind: "start", name: alive.name, target: { ...target, run: "exited" } },
    });
    await perform(start, contextFor(engine, planFor([], engine.snapshot())), NEVER);
    expect(engine.workers.map(({ run }) => run.kind)).toEqual([kind]);
  });
});

describe("signal", () => {
  const NAMED = Math.floor(NOW / 1000);

  it.each([
    ["writes the name anew where it comes long after it", "stopping", 20_000, NAMED + 20],
    ["leaves the name where it comes at once", "stopping", 1_000, NAMED],
    ["writes the name anew of one that is kept and was started", "kept", 20_000, NAMED + 20],
    ["writes the name anew of one that failed", "failed", 20_000, NAMED + 20],
    ["leaves a name that tells since when it drains", "draining", 20_000, NAMED],
  ])("%s", async (_, phase, late, seconds) => {
    const engine = new FakeEngine([{ ...alive, name: `${alive.name}.${phase}-${NAMED}` }]);
    engine.now = NOW + late;
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    const action = buildAction({ kind: "signal", target, signal: "SIGTERM" });
    expect(await perform(action, contextFor(engine, plan), NEVER)).toEqual({ kind: "done" });
    expect(engine.workers.map(({ name }) => name)).toEqual([`${alive.name}.${phase}-${seconds}`]);
  });

  it("goes to a restarting worker without a new name, which it cannot have", async () => {
    const run = { kind: "restarting", startedAt: ago(60), exitCode: 1 } as const;
    const engine = new FakeEngine([{ ...alive, run, name: `${alive.name}.stopping-17` }]);
    const action = buildAction({ kind: "signal", target, signal: "SIGTERM" });
    await perform(action, contextFor(engine, planFor([], engine.snapshot())), NEVER);
    expect(engine.calls).toEqual([`signal ${alive.name}.stopping-17 SIGTERM`]);
  });
});

it.each([
  ["is told long after it was named: its time counts from then", 20_000, 20],
  ["is told at once", 1_000, 0],
])("a draining worker %s", async (_, late, seconds) => {
  const named = Math.floor(NOW / 1000);
  const engine = new FakeEngine([{ ...alive, name: `${alive.name}.draining-${named}` }]);
  engine.now = NOW + late;
  const by = { kind: "exec", exec: ["bin/quiet"] } as const;
  const action = buildAction({ kind: "quiet", target, by });
  const context = contextFor(engine, planFor([], engine.snapshot()));
  expect(await perform(action, context, NEVER)).toMatchObject({ kind: "done" });
  const [told] = engine.workers;
  expect(told?.name).toBe(`${alive.name}.draining-${named + seconds}`);
});

describe("a stop signal that is long under way", () => {
  const NAMED = Math.floor(NOW / 1000);

  /** The name that is left by a signal that takes so long (ms) to a worker that does not stop at once. */
  async function nameAfter(milliseconds: number, code?: ErrorCode) {
    const name = `${alive.name}.stopping-${NAMED}`;
    const engine = new FakeEngine([{ ...alive, name }]);
    engine.stubborn.add(name);
    const slow = {
      ...{ inspectWorker: engine.inspectWorker.bind(engine) },
      ...{ renameWorker: engine.renameWorker.bind(engine) },
      signalWorker: async () => {
        engine.now += milliseconds;
        if (code !== undefined) throw fails(code);
      },
    };
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    const context = { ...contextFor(engine, plan), engine: Object.assign(engine, slow) };
    const action = buildAction({ kind: "signal", target, signal: "SIGTERM" });
    const outcome = words(await perform(action, context, NEVER));
    return [outcome, ...engine.workers.map((each) => each.name.slice(alive.name.length))];
  }

  it.each<[string, number, ErrorCode | undefined, string, number]>([
    ["has its worker named anew when it is over", 20_000, undefined, "done", 20],
    ["and is not answered: too", 30_000, "engine-timeout", "failed engine-timeout", 30],
    ["not where it came at once", 500, undefined, "done", 0],
  ])("%s", async (_, milliseconds, code, outcome, seconds) => {
    const left = await nameAfter(milliseconds, code);
    expect(left).toEqual([outcome, `.stopping-${NAMED + seconds}`]);
  });
});

describe("what the journal cannot be told", () => {
  it.each<[string, ActionCall, string]>([
    ["a signal is not sent", { kind: "signal", target, signal: "SIGTERM" }, "skipped"],
    ["a kill is, for it may be repeated", { kind: "kill", target }, "done"],
  ])("%s", async (_, call, outcome) => {
    const engine = new FakeEngine([alive]);
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    const context = { ...contextFor(engine, plan), intend: () => false };
    expect(words(await perform(buildAction(call), context, NEVER))).toBe(outcome);
    expect(engine.calls).toHaveLength(outcome === "done" ? 1 : 0);
  });

  it("is not created", async () => {
    const engine = new FakeEngine();
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    const create = plan.actions.find(({ kind }) => kind === "create");
    const context = { ...contextFor(engine, plan), intend: () => false };
    const outcome = create && (await perform(create, context, NEVER));
    expect(outcome).toEqual({ kind: "skipped", because: "the journal cannot be written" });
    expect(engine.calls).toEqual([]);
  });
});

describe("remove", () => {
  it.each([
    ["exited", worker(1, { id: "w", run: exited(1) }), "done", 0],
    ["created", worker(1, { id: "w", run: { kind: "created" } }), "done", 0],
    ["gone already", undefined, "done", 0],
    ["running again", alive, "dropped", 1],
    ["paused", worker(1, { id: "w", run: { kind: "paused", startedAt: 1 } }), "dropped", 1],
  ] as const)("R9: of a worker that is %s", async (_, there, outcome, left) => {
    const engine = new FakeEngine(there === undefined ? [] : [there]);
    const plan = planFor([group({ replicas: 1 })], engine.snapshot());
    const action = buildAction({ kind: "remove", target: { ...target, run: "exited" } });
    expect(words(await perform(action, contextFor(engine, plan), NEVER))).toBe(outcome);
    expect(engine.workers).toHaveLength(left);
  });
});

describe("pull", () => {
  const pull = buildAction({ kind: "pull-image", image: "mailer:9" });
  const plan = planFor([], new FakeEngine().snapshot());

  it.each<ErrorCode>(["engine-not-found", "engine-denied", "engine-failed"])(
    "answered with %s failed",
    async (code) => {
      const engine = new FakeEngine();
      engine.fail("pull", fails(code));
      expect(words(await perform(pull, contextFor(engine, plan), NEVER))).toBe(`failed ${code}`);
    },
  );

  it("asks for the platform that its group wants", async () => {
    const engine = new FakeEngine();
    const wanted = [group({ template: { image: "mailer:9", platform: "linux/arm64" } })];
    const plan = planFor(wanted, engine.snapshot());
    await perform(pull, contextFor(engine, plan), NEVER);
    expect(engine.calls).toEqual(["pull mailer:9 for linux/arm64"]);
  });

  it("brings the image", async () => {
    const engine = new FakeEngine();
    expect(await perform(pull, contextFor(engine, plan), NEVER)).toEqual({ kind: "done" });
    expect(Object.keys(engine.images)).toContain("mailer:9");
  });
});

describe("the removal of what has ended", () => {
  it.each([
    ["takes anonymous volumes along", {}, ""],
    ["leaves them where the plan says so", { keepsVolumes: true } as const, " but volumes"],
  ])("%s", async (_, more, told) => {
    const ended = worker(1, { run: exited(60) });
    const engine = new FakeEngine([ended]);
    const { id, name, run } = ended;
    const startedAt = "startedAt" in run ? run.startedAt : undefined;
    const target = { id, name, run: run.kind, startedAt };
    const action = buildAction({ kind: "remove", target, ...more });
    const context = contextFor(engine, planFor([group()], engine.snapshot()));
    expect(await perform(action, context, NEVER)).toEqual({ kind: "done" });
    expect(engine.calls).toEqual([`remove ${name}${told}`]);
  });
});
