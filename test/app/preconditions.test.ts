// What must still hold right before a start or a removal; the calls on running workers are told in perform.test.ts.

import { expect, test } from "vitest";
import { check } from "../../src/app/preconditions.ts";
import type { RunFacts } from "../../src/core/observed.ts";
import { buildAction } from "../support/build.ts";
import { ago, exited, running, worker } from "../support/scene.ts";

const target = { id: "w", name: "mailer-1", run: "created", startedAt: undefined } as const;
const start = { ...buildAction({ kind: "start", name: "mailer-1", target }), target };
const remove = { ...buildAction({ kind: "remove", target }), target };

const paused: RunFacts = { kind: "paused", startedAt: ago(9) };
const restarting: RunFacts = { kind: "restarting", startedAt: ago(9), exitCode: 1 };

test.each<[string, typeof start | typeof remove, RunFacts | undefined, string]>([
  ["start of a created one", start, { kind: "created" }, "go"],
  ["start of one that runs", start, running(1), "already-done"],
  ["start of one that has ended", start, exited(1), "moved"],
  ["start of one that restarts", start, restarting, "moved"],
  ["start of one under removal", start, { kind: "removing" }, "moved"],
  ["start of none", start, undefined, "moved"],
  ["removal of one that has ended", remove, exited(1), "go"],
  ["removal of remains", remove, { kind: "dead" }, "go"],
  ["removal of one that runs", remove, running(1), "moved"],
  ["removal of one that restarts", remove, restarting, "moved"],
  ["removal of a paused one", remove, paused, "moved"],
  ["removal of none", remove, undefined, "already-done"],
])("R9: %s", (_, action, run, verdict) => {
  expect(check(action, run && worker(1, { run })).kind).toBe(verdict);
});
