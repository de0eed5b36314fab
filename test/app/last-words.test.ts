// What a worker wrote is told once it has been set aside as failed, and nothing of it may end a run.

import { expect, test } from "vitest";
import type { Ended } from "../../src/app/execute.ts";
import { tellLastWords } from "../../src/app/last-words.ts";
import type { ActionOutcome, ProgressEvent } from "../../src/app/reporter.ts";
import { type ErrorCode, WgctlError } from "../../src/core/errors.ts";
import type { ActionCall } from "../../src/core/plan/types.ts";
import { buildAction, UID } from "../support/build.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { ago, worker } from "../support/scene.ts";

const NEVER = new AbortController().signal;
const DONE: ActionOutcome = { kind: "done" };
const target = { id: "w", name: "mailer-1", run: "running", startedAt: ago(60) } as const;
const setAside: ActionCall = { kind: "rename", target, phase: "failed" };
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

async function told(engine: FakeEngine, call: ActionCall = setAside, outcome = DONE) {
  const events: ProgressEvent[] = [];
  const reporter = { notify: (event: ProgressEvent) => events.push(event), ask: async () => true };
  const ended: Ended = { action: buildAction(call, { detail: "exit code 3" }), outcome };
  await tellLastWords([ended], { reader: engine, reporter }, NEVER);
  return events;
}

function engineWith(log: readonly string[]): FakeEngine {
  const engine = new FakeEngine([worker(1, { id: "w", name: "mailer-1.failed-1" })]);
  engine.logs.set("mailer-1", log);
  return engine;
}

test("a worker that was set aside: its last twenty lines, under its own name", async () => {
  expect(await told(engineWith(numbered(30)))).toEqual([
    {
      ...{ kind: "failed-worker", group: UID, name: "mailer-1", because: "exit code 3" },
      lines: numbered(30).slice(10),
    },
  ]);
});

test.each<[string, ActionCall, ActionOutcome]>([
  ["kept", { ...setAside, phase: "kept" }, DONE],
  ["not set aside after all", setAside, { kind: "dropped", because: "it is gone" }],
  ["stopped", { kind: "signal", target, signal: "SIGTERM" }, DONE],
])("nothing of one that was %s", async (_, call, outcome) => {
  expect(await told(engineWith(numbered(3)), call, outcome)).toEqual([]);
});

test.each<ErrorCode>(["engine-failed", "engine-timeout", "engine-not-found"])(
  "without its lines where the engine answers %s",
  async (code) => {
    const engine = engineWith(numbered(3));
    engine.fail("logs", new WgctlError(code, "no"));
    expect(await told(engine)).toMatchObject([{ kind: "failed-worker", lines: [] }]);
  },
);

test("an abort ends it", async () => {
  const engine = engineWith(numbered(3));
  engine.fail("logs", new WgctlError("aborted", "aborted"));
  await expect(told(engine)).rejects.toMatchObject({ code: "aborted" });
});
