import { describe, expect, test } from "vitest";
import type { ActionOutcome, ProgressEvent } from "../../src/app/reporter.ts";
import type { Action } from "../../src/core/plan/types.ts";
import { createPlainReporter, type PlainHost } from "../../src/view/plain-reporter.ts";
import { createPaint } from "../../src/view/style.ts";
import {
  buildAction,
  buildPlan,
  buildStatus,
  buildWorker,
  REVISION,
  targetOf,
} from "../support/build.ts";

const stopping = buildWorker({
  labels: { slot: 10 },
  phase: { kind: "stopping", since: 1_795_953_000_000 },
});
const create = buildAction({
  kind: "create",
  worker: { name: "mailer-1-1f2e3d4c", slot: 1, attempt: 1, revision: REVISION },
});
const signal = buildAction(
  { kind: "signal", target: targetOf(stopping), signal: "SIGTERM" },
  { reason: "scale-down", detail: "slot 10 of 3, Available" },
);
const pull = buildAction({ kind: "pull-image", image: "mailer:2" });
const planned: ProgressEvent = {
  kind: "pass-planned",
  pass: 1,
  plan: buildPlan({ actions: [create, signal], deferred: [create] }),
};

function ended(action: Action, outcome: ActionOutcome = { kind: "done" }): ProgressEvent {
  return { kind: "action-ended", action, outcome, milliseconds: 123 };
}

/** What is written for these events. */
function written(
  events: readonly ProgressEvent[],
  verbosity: PlainHost["verbosity"] = "normal",
): string {
  let text = "";
  const reporter = createPlainReporter({
    write: (part) => {
      text += part;
    },
    readAnswer: undefined,
    paint: createPaint(false),
    verbosity,
  });
  for (const event of events) reporter.notify(event);
  return text;
}

test("one aligned line for each action that ended", () => {
  const failed = { kind: "failed", code: "engine-failed", message: "port is\ntaken" } as const;
  expect(
    written([
      planned,
      { kind: "action-started", action: create },
      ended(create),
      ended(signal),
      ended(create, failed),
      ended(create, { kind: "dropped", because: "it is running" }),
      ended(create, { kind: "skipped", because: "pull-image mailer:2 failed" }),
      ended(create, { kind: "uncertain", message: "no answer in 30s" }),
    ]),
  ).toBe(
    `created    mailer-1-1f2e3d4c   missing  0.12s
signalled  mailer-10-1f2e3d4c  scale-down: slot 10 of 3, Available  0.12s
failed     mailer-1-1f2e3d4c   create: port is taken  0.12s
dropped    mailer-1-1f2e3d4c   create: it is running  0.12s
skipped    mailer-1-1f2e3d4c   create: pull-image mailer:2 failed  0.12s
uncertain  mailer-1-1f2e3d4c   create: no answer in 30s  0.12s
`,
  );
});

test("what a name means is said, and what a call had to say though it is done", () => {
  const target = targetOf(buildWorker());
  const renamed = (phase: "draining" | "stopping" | "kept" | "failed" | "none") =>
    ended(buildAction({ kind: "rename", target, phase }));
  const by = { kind: "exec", exec: ["bin/quiet"] } as const;
  const limits = { cpus: 1 };
  expect(
    written([
      ...(["draining", "stopping", "kept", "failed", "none"] as const).map(renamed),
      ended(buildAction({ kind: "quiet", target, by }), { kind: "done", words: "it ended with 3" }),
      ended(buildAction({ kind: "update-in-place", target, limits })),
    ]),
  ).toBe(
    `draining   mailer-1-1f2e3d4c  missing  0.12s
renamed    mailer-1-1f2e3d4c  missing  0.12s
kept       mailer-1-1f2e3d4c  missing  0.12s
set aside  mailer-1-1f2e3d4c  missing  0.12s
returned   mailer-1-1f2e3d4c  missing  0.12s
quieted    mailer-1-1f2e3d4c  missing; it ended with 3  0.12s
updated    mailer-1-1f2e3d4c  missing  0.12s
`,
  );
});

describe("a question to a worker", () => {
  const target = targetOf(buildWorker());
  const probe = buildAction({ kind: "probe", target, asks: "drained", exec: ["bin/idle"] });
  const facts = { name: "mailer-1", asks: "drained", isTrue: false, at: 0 } as const;
  const answered = ended(probe, { kind: "done", probe: facts });
  const mute = ended(probe, { kind: "done", probe: facts, words: "bin/idle cannot be run in it" });
  const line = "asked      mailer-1-1f2e3d4c  missing; bin/idle cannot be run in it  0.12s\n";

  test.each<[string, ProgressEvent, PlainHost["verbosity"], string]>([
    ["that is answered is nothing to tell", answered, "normal", ""],
    [
      "is told to who wants all",
      answered,
      "verbose",
      "asked      mailer-1-1f2e3d4c  missing  0.12s\n",
    ],
    ["that cannot be asked is told once", mute, "normal", line],
    ["and is no failure", mute, "quiet", ""],
  ])("%s", (_, event, verbosity, text) => {
    expect(written(verbosity === "verbose" ? [event] : [event, event], verbosity)).toBe(text);
  });
});

test.each<[string, readonly string[], string]>([
  [
    "exit code 3",
    ["begins", "boom\u001b[31m"],
    "mailer-1 failed: exit code 3; the last it wrote:\n  | begins\n  | boom?[31m\n",
  ],
  ["", [], "mailer-1 failed; it wrote nothing\n"],
])("a failed worker and its last lines, however quiet: %j", (because, lines, text) => {
  const event = { kind: "failed-worker", group: "g", name: "mailer-1", because, lines } as const;
  expect(written([event], "quiet")).toBe(text);
});

test("waiting is said again only when it is for something else", () => {
  const waiting = (...waitingFor: readonly string[]): ProgressEvent => ({
    kind: "waiting",
    waitingFor,
  });
  expect(
    written([
      waiting("mailer: 2 workers to stop"),
      waiting("mailer: 2 workers to stop"),
      waiting("mailer: 1 worker to stop", "crawler: 1 worker to become ready"),
      waiting(),
    ]),
  ).toBe(
    "waiting for mailer: 2 workers to stop\nwaiting for mailer: 1 worker to stop; crawler: 1 worker to become ready\n",
  );
});

const everything: readonly ProgressEvent[] = [
  planned,
  { kind: "action-started", action: pull },
  { kind: "pull-progress", image: "mailer:2", line: "layer 1" },
  { kind: "pull-progress", image: "mailer:2", line: "layer 1" },
  ended(pull),
  { kind: "waiting", waitingFor: ["mailer: 1 worker to stop"] },
  { kind: "lock-waiting", holder: "pid 1" },
  { kind: "notice", severity: "info", message: "for your information" },
  { kind: "notice", severity: "warning", message: "take care" },
  ended(create, { kind: "failed", code: "engine-failed", message: "no" }),
  { kind: "status", status: buildStatus() },
];

test.each<readonly [PlainHost["verbosity"], string]>([
  [
    "quiet",
    `waiting for the lock, held by pid 1
warning: take care
failed     mailer-1-1f2e3d4c   create: no  0.12s
`,
  ],
  [
    "normal",
    `pulling mailer:2
pulled     mailer:2            missing  0.12s
waiting for mailer: 1 worker to stop
waiting for the lock, held by pid 1
for your information
warning: take care
failed     mailer-1-1f2e3d4c   create: no  0.12s
`,
  ],
  [
    "verbose",
    `pass 1: 2 actions, 1 deferred
pulling mailer:2
mailer:2: layer 1
pulled     mailer:2            missing  0.12s
waiting for mailer: 1 worker to stop
waiting for the lock, held by pid 1
for your information
warning: take care
failed     mailer-1-1f2e3d4c   create: no  0.12s
`,
  ],
])("%s", (verbosity, text) => {
  expect(written(everything, verbosity)).toBe(text);
});

test("a proposed plan is shown whole, however quiet", () => {
  expect(written([{ kind: "proposed", plan: buildPlan() }], "quiet")).toBe(
    "No changes. 3 workers in 1 group are converged.\n\n",
  );
});

describe("a question", () => {
  async function answer(given: string | undefined, byDefault: boolean, isAnybodyThere = true) {
    let text = "";
    const reporter = createPlainReporter({
      write: (part) => {
        text += part;
      },
      readAnswer: isAnybodyThere ? async () => given : undefined,
      paint: createPaint(false),
      verbosity: "quiet",
    });
    return {
      yes: await reporter.ask({ text: "apply?", byDefault }, new AbortController().signal),
      text,
    };
  }

  test.each([
    ["y", true],
    ["Yes\n", true],
    ["n", false],
    ["", false],
    ["yesterday", false],
    [undefined, false],
  ])("answered with %j", async (given, yes) => {
    expect(await answer(given, true)).toEqual({ yes, text: "apply? [y/N] " });
  });

  test.each([true, false])(
    "with nobody there is answered by its default, %s",
    async (byDefault) => {
      expect(await answer(undefined, byDefault, false)).toEqual({ yes: byDefault, text: "" });
    },
  );
});
