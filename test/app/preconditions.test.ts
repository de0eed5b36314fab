// What must still hold right before a call on a container; the calls on running workers are told in perform.test.ts too.

import { expect, test } from "vitest";
import { check } from "../../src/app/preconditions.ts";
import type { RunFacts } from "../../src/core/observed.ts";
import type { ActionCall, Target } from "../../src/core/plan/types.ts";
import { buildAction } from "../support/build.ts";
import { ago, exited, running, worker } from "../support/scene.ts";

type Call = Exclude<ActionCall, { readonly kind: "pull-image" | "create" | "start" }>;

const target = { id: "w", name: "mailer-1", run: "created", startedAt: undefined } as const;
const ended: Target = { ...target, run: "exited", startedAt: ago(2) };
const alive: Target = { ...target, run: "running", startedAt: ago(60) };

const onTarget = (call: Call) => ({ ...buildAction(call), ...call });
const startOf = (of: Target) => ({
  ...buildAction({ kind: "start", name: "mailer-1", target: of }),
  ...({ kind: "start", name: "mailer-1", target: of } as const),
});
const start = startOf(target);
const startAgain = startOf(ended);
const remove = onTarget({ kind: "remove", target });
const rename = (of: Target) => onTarget({ kind: "rename", target: of, phase: "failed" });
const bareName = onTarget({ kind: "rename", target: ended, phase: "none" });
const disarm = (of: Target) => onTarget({ kind: "disarm", target: of });
const arm = onTarget({ kind: "arm", target: ended, policy: "always" });
const by = { kind: "signal", signal: "SIGTSTP" } as const;
const quiet = onTarget({ kind: "quiet", target: alive, by });
const probe = onTarget({ kind: "probe", target: alive, asks: "drained", exec: ["idle"] });
const limit = onTarget({ kind: "update-in-place", target: alive, limits: { cpus: 1 } });

const paused: RunFacts = { kind: "paused", startedAt: ago(9) };
const restarting: RunFacts = { kind: "restarting", startedAt: ago(9), exitCode: 1 };
const created: RunFacts = { kind: "created" };
const end = exited(1, 1, 1);
const otherEnd = exited(0, 1, 1);

test.each<[string, Parameters<typeof check>[0], RunFacts | undefined, string]>([
  ["start of a created one", start, created, "go"],
  ["start of one that runs", start, running(1), "already-done"],
  ["start of one that was created and has ended", start, end, "moved"],
  ["start of one that restarts", start, restarting, "moved"],
  ["start of one under removal", start, { kind: "removing" }, "moved"],
  ["start of none", start, undefined, "moved"],
  ["start of one that has ended, as was seen", startAgain, end, "go"],
  ["start of one that has ended once more since", startAgain, otherEnd, "moved"],
  ["start of one that had ended and runs", startAgain, running(1), "already-done"],
  ["start of one that had ended and restarts", startAgain, restarting, "moved"],
  ["removal of one that has ended", remove, end, "go"],
  ["removal of remains", remove, { kind: "dead" }, "go"],
  ["removal of one that runs", remove, running(1), "moved"],
  ["removal of one that restarts", remove, restarting, "moved"],
  ["removal of a paused one", remove, paused, "moved"],
  ["removal of none", remove, undefined, "already-done"],
  ["a new name for one that runs", rename(alive), running(60), "go"],
  ["a new name for one that was started again", rename(alive), running(59), "moved"],
  ["a new name for one that ran and has ended", rename(alive), exited(1, 1, 59), "moved"],
  ["a new name for one that has ended", rename(ended), end, "go"],
  ["a new name for one that has ended once more since", rename(ended), otherEnd, "moved"],
  ["a new name for one that had ended and runs", rename(ended), running(2), "moved"],
  ["a new name for one that could not start", rename(target), created, "go"],
  ["a new name for a paused one", rename({ ...alive, run: "paused" }), paused, "moved"],
  ["a new name for none", rename(alive), undefined, "moved"],
  ["its own name for one that has it", bareName, end, "already-done"],
  ["disarming of one that runs", disarm(alive), running(60), "go"],
  ["disarming of one that has ended", disarm(ended), end, "go"],
  ["disarming of one that has ended once more since", disarm(ended), otherEnd, "moved"],
  ["disarming of one that was running and restarts", disarm(alive), restarting, "moved"],
  ["arming of one that has ended", arm, end, "go"],
  ["arming of one that had ended and runs", arm, running(2), "moved"],
  ["quieting of one that runs", quiet, running(60), "go"],
  ["quieting of one that was started again", quiet, running(59), "moved"],
  ["quieting of one that has ended", quiet, exited(1, 1, 59), "moved"],
  ["quieting of a paused one", quiet, paused, "moved"],
  ["a question to one that runs", probe, running(60), "go"],
  ["a question to one that was started again", probe, running(59), "moved"],
  ["a question to one that restarts", probe, restarting, "moved"],
  ["limits of one that runs", limit, running(60), "go"],
  ["limits of one that was started again", limit, running(59), "go"],
  ["limits of one that has ended", limit, end, "go"],
  ["limits of one under removal", limit, { kind: "removing" }, "moved"],
])("R9: %s", (_, action, run, verdict) => {
  expect(check(action, run && worker(1, { run })).kind).toBe(verdict);
});
