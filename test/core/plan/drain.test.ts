// How a worker is drained before its stop signal: told, asked, and given its time.

import { describe, expect, it } from "vitest";
import type { DrainPolicy } from "../../../src/core/model.ts";
import type { ProbeFacts, Snapshot, WorkerFacts } from "../../../src/core/observed.ts";
import { howItEnds } from "../../../src/core/plan/why.ts";
import { NOW as BUILT, buildWorker } from "../../support/build.ts";
import { ago, exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, type Row } from "./table.ts";

const TSTP = { kind: "signal", signal: "TSTP" } as const;
const IDLE = { exec: ["bin/idle"], timeoutSeconds: 60 };
const whose = (drain: DrainPolicy) => group({ replicas: 0, drain });
const both = whose({ quiet: TSTP, waitFor: IDLE });
const name = "mailer-1-desired";

const draining = (age: number, changes: Partial<WorkerFacts> = {}) =>
  worker(1, { phase: "draining", phaseAge: age, id: "w", facts: changes });
const told = { signalled: ["w"] };

/** Told, and asked so many seconds ago. */
function asked(age: number, seconds: number, isTrue: boolean): Snapshot {
  const facts = draining(age);
  const probe: ProbeFacts = { name: facts.name, asks: "drained", isTrue, at: ago(seconds) };
  return snapshot([facts], { ...told, probes: { w: probe } });
}

const stopped = [`rename ${name}: scale-down`, `signal ${name}: scale-down`];

const STEPS: readonly Row[] = [
  {
    name: "into its phase, and told by a signal",
    desired: both,
    seen: snapshot([worker(1)]),
    actions: [`drain ${name}: scale-down`, `quiet ${name}: scale-down`],
  },
  {
    name: "told by a command in it",
    desired: whose({ quiet: { kind: "exec", exec: ["bin/quiet"] } }),
    seen: snapshot([worker(1)]),
    actions: [`drain ${name}: scale-down`, `quiet ${name}: scale-down`],
  },
  {
    name: "with nothing to tell it, into its phase and then asked",
    desired: whose({ waitFor: IDLE }),
    seen: snapshot([worker(1)]),
    actions: [`drain ${name}: scale-down`],
    dueIn: null,
  },
  {
    name: "an armed one is disarmed before",
    desired: group({ replicas: 0, drain: { quiet: TSTP }, template: { restart: "always" } }),
    seen: snapshot([worker(1, { spec: { template: { restart: "always" } } })]),
    actions: [
      `disarm ${name}: scale-down`,
      `drain ${name}: scale-down`,
      `quiet ${name}: scale-down`,
    ],
  },
  {
    name: "one that was not told before its run ended is told again",
    desired: both,
    seen: snapshot([draining(3)]),
    actions: [`quiet ${name}: scale-down`],
  },
  {
    name: "even where that is all",
    desired: whose({ quiet: TSTP }),
    seen: snapshot([draining(3)]),
    actions: [`quiet ${name}: scale-down`],
  },
  {
    name: "one that fails its revision has nothing to bring to an end",
    desired: group({ replicas: 2, drain: { quiet: TSTP, waitFor: IDLE } }),
    seen: snapshot([
      worker(1, { run: running(400, "starting") }),
      worker(2, { spec: { template: { command: ["old"] } } }),
    ]),
    actions: [`set-aside ${name}: failed`, `signal ${name}: failed`],
    blocks: ["RevisionFailed"],
  },
  {
    name: "once told it is asked",
    desired: both,
    seen: snapshot([draining(3)], told),
    actions: [`probe ${name}: scale-down`],
    dueIn: 57,
  },
  {
    name: "and not asked again before two seconds are over",
    desired: both,
    seen: asked(3, 1, false),
    actions: [],
    dueIn: 1,
    waitingFor: ["1 worker to stop"],
  },
  {
    name: "and then again",
    desired: both,
    seen: asked(3, 2, false),
    actions: [`probe ${name}: scale-down`],
  },
  {
    name: "asked to stop once it has nothing left to do",
    desired: both,
    seen: asked(3, 1, true),
    actions: stopped,
  },
  {
    name: "asked to stop once its time is over",
    desired: both,
    seen: asked(60, 1, false),
    actions: stopped,
  },
  {
    name: "not a second before",
    desired: both,
    seen: asked(59, 1, false),
    actions: [],
    dueIn: 1,
  },
  {
    name: "one that is only told is asked to stop after that",
    desired: whose({ quiet: TSTP }),
    seen: snapshot([draining(3)], told),
    actions: stopped,
  },
  {
    name: "one that ended meanwhile is removed at once",
    desired: both,
    seen: snapshot([worker(1, { phase: "draining", phaseAge: 3, run: exited(1, 0) })]),
    actions: [`remove ${name}: scale-down`],
  },
  {
    name: "what it said in an earlier phase counts for nothing",
    desired: both,
    seen: snapshot([draining(3)], {
      ...told,
      probes: { w: { name: "mailer-1", asks: "drained", isTrue: true, at: ago(1) } },
    }),
    actions: [`probe ${name}: scale-down`],
  },
  {
    name: "grace begins with the stop signal, not with the drain",
    desired: both,
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 9, id: "w" })], told),
    actions: [],
    dueIn: 3,
  },
  {
    name: "and then it is killed",
    desired: both,
    seen: snapshot([worker(1, { phase: "stopping", phaseAge: 12, id: "w" })], told),
    actions: [`kill ${name}: scale-down`],
  },
];

checkRows("draining", STEPS);

describe("without a manifest", () => {
  const pruned = (drain: string) => {
    const labels = { ...worker(1, { project: "p" }).labels, "dev.wgctl.drain": drain };
    const there = worker(1, { project: "p", facts: { labels } });
    return planFor([], snapshot([there]), { projectUid: "p", prune: true }).actions.map((action) =>
      action.kind === "quiet" ? JSON.stringify(action.by) : action.kind,
    );
  };

  it.each([
    ["by the label's signal", JSON.stringify({ quiet: TSTP }), ["rename", JSON.stringify(TSTP)]],
    [
      "by the label's command",
      JSON.stringify({ quiet: { exec: ["q"] } }),
      ["rename", JSON.stringify({ kind: "exec", exec: ["q"] })],
    ],
    ["by its question alone", JSON.stringify({ waitFor: IDLE }), ["rename"]],
    ["not by a label that tells nothing", "{}", ["rename", "signal"]],
    ["not by a label that is no JSON", "{quiet", ["rename", "signal"]],
    ["not by half a question", JSON.stringify({ waitFor: { exec: ["q"] } }), ["rename", "signal"]],
    ["not by an empty command", JSON.stringify({ quiet: { exec: [] } }), ["rename", "signal"]],
  ])("a worker drains %s", (_, drain, expected) => {
    expect(pruned(drain)).toEqual(expected);
  });
});

describe("how it ended", () => {
  const ended = (kind: "draining" | "stopping" | "kept", exitCode: number, oomKilled = false) =>
    howItEnds(
      buildWorker({
        phase: { kind, since: BUILT },
        facts: { run: { ...{ kind: "exited", startedAt: 0, finishedAt: 1 }, exitCode, oomKilled } },
      }),
    );

  it.each([
    [ended("stopping", 0), "drained, exit code 0"],
    [ended("kept", 143), "drained, exit code 143"],
    [ended("stopping", 137), "killed after its grace"],
    [ended("draining", 0), "it ended by itself, exit code 0"],
    [ended("draining", 137), "it ended by itself, exit code 137"],
    [ended("stopping", 137, true), "it ran out of memory"],
    [howItEnds(buildWorker({ phase: { kind: "stopping", since: BUILT } })), "it was asked to stop"],
  ])("%s", (said, expected) => {
    expect(said).toBe(expected);
  });
});
