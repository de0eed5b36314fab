// When a revision has failed, and what a group does then: it makes nothing of it, and goes on with what worked.

import { describe, expect, it } from "vitest";
import type { RunFacts, WorkerFacts } from "../../../src/core/observed.ts";
import type { PlanRequest } from "../../../src/core/plan/plan.ts";
import { ago, exited, group, planFor, running, snapshot, worker } from "../../support/scene.ts";
import { checkRows, makes, OLD, type Row, recordOf, remembering, revisionFor } from "./table.ts";

const pair = group({ replicas: 2 });
const old = worker(2, OLD);
const oldRevision = old.labels["dev.wgctl.revision"] ?? "";
const stable = remembering({ revisions: { desired: null, stable: oldRevision, blocked: null } });
const refused = (exitCode: number): RunFacts => ({ kind: "created", error: "no", exitCode });
const looping: RunFacts = { kind: "restarting", startedAt: ago(2), exitCode: 1 };
const outOfMemory: RunFacts = { ...{ kind: "exited", exitCode: 137, oomKilled: true }, ...times() };

function times() {
  return { startedAt: ago(9), finishedAt: ago(2) };
}

/** Whether a worker of the desired revision beside an old one that serves blocks that revision. */
function isBlocked(
  facts: WorkerFacts,
  desired = pair,
  request: Partial<PlanRequest> = {},
  others: readonly WorkerFacts[] = [old],
): boolean | undefined {
  return planFor([desired], snapshot([facts, ...others]), request).groups[0]?.isBlocked;
}

describe("a worker fails its revision", () => {
  const clean = exited(2, 0);
  it.each<[string, RunFacts, boolean]>([
    ["that exits", exited(2), true],
    ["that exits with 0, of which the manifest says nothing", clean, true],
    [
      "not that somebody killed, or that an engine left so when it restarted",
      exited(2, 137),
      false,
    ],
    ["not that somebody asked to end, or the engine when it stopped", exited(2, 143), false],
    ["that ran out of memory", outOfMemory, true],
    ["that the engine restarts", looping, true],
    ["whose command is not there", refused(127), true],
    ["whose command cannot be run", refused(126), true],
    ["not one whose port is taken", refused(128), false],
    ["that is not ready in time", running(300, "starting"), true],
    ["not one that has time left", running(299, "starting"), false],
    ["that is unhealthy and was never ready in time", running(300, "unhealthy"), true],
    ["not one that is unhealthy and has time left", running(299, "unhealthy"), false],
  ])("%s", (_, run, expected) => {
    expect(isBlocked(worker(1, { run }))).toBe(expected);
  });

  it("that has been restarted and is not available yet", () => {
    const again = worker(1, { run: running(2), facts: { restartCount: 1 } });
    expect(isBlocked(again)).toBe(true);
  });

  it("by a kill, once the engine had restarted it before", () => {
    const again = worker(1, { run: exited(2, 137), facts: { restartCount: 3 } });
    expect(isBlocked(again)).toBe(true);
  });

  it("not by an exit with 0 where the manifest says what becomes of successes", () => {
    const job = group({ replicas: 2, onExit: { success: "Recreate" } });
    expect(isBlocked(worker(1, { run: clean }), job)).toBe(false);
  });

  it("not that had been available since it was started", () => {
    const ended = worker(1, { run: exited(2) });
    const request = remembering({ workers: [recordOf(ended, { isProven: true })] });
    expect(isBlocked(ended, pair, request)).toBe(false);
  });

  it("not that was asked to go", () => {
    expect(isBlocked(worker(1, { phase: "stopping", run: exited(2) }))).toBe(false);
  });

  it("not above the count, where it goes anyhow", () => {
    expect(isBlocked(worker(3, { run: exited(2) }))).toBe(false);
  });

  it("when it ends as soon as it is brought back", () => {
    const back = worker(1, { phase: "kept", phaseAge: 60, run: exited(2) });
    expect(isBlocked(back)).toBe(true);
    const kept = worker(1, { phase: "kept", phaseAge: 2, run: exited(2, 0, 60) });
    expect(isBlocked(kept)).toBe(false);
  });
});

describe("a revision that fails is blocked", () => {
  const ended = worker(1, { run: exited(2) });
  const starting = worker(2, { ...OLD, run: running(2, "starting") });

  it.each<[string, readonly WorkerFacts[], Partial<PlanRequest>, boolean]>([
    ["where an old one is available", [old], {}, true],
    ["where an old one is kept", [worker(1, { ...OLD, phase: "kept", run: exited(9) })], {}, true],
    ["where one of the last complete revision is there, however it is", [starting], stable, true],
    ["not the first one, with nothing before it", [], {}, false],
    ["not where what is there never worked", [starting], {}, false],
    [
      "not where all that is there has failed another",
      [worker(2, { ...OLD, phase: "failed", run: exited(9) })],
      {},
      false,
    ],
    ["not where only remains are kept", [remains()], {}, false],
  ])("%s", (_, others, request, expected) => {
    expect(isBlocked(ended, pair, request, others)).toBe(expected);
  });

  function remains(): WorkerFacts {
    return worker(1, { ...OLD, phase: "kept", run: { kind: "dead" } });
  }

  it("not once it had been complete", () => {
    const revision = revisionFor(pair);
    const request = remembering({ revisions: { desired: null, stable: revision, blocked: null } });
    expect(isBlocked(ended, pair, request)).toBe(false);
  });

  it("not while every slot has a worker of it that serves", () => {
    const served = [worker(1, { attempt: 2 }), worker(2), worker(2, OLD)];
    expect(isBlocked(ended, pair, {}, served)).toBe(false);
  });

  it("and what failed another revision goes, though this one is on its way", () => {
    const aside = worker(2, { ...OLD, phase: "failed", phaseAge: 9, run: exited(9) });
    const mine = worker(1, { phase: "failed", phaseAge: 9, run: exited(9) });
    const { actions } = planFor([pair], snapshot([aside, mine]));
    expect(actions.map(({ reason, slot }) => `${reason} ${slot}`)).toEqual(["completed 2"]);
  });

  it("not while the image is not there, because then nobody knows which revision is wanted", () => {
    const absent = group({ replicas: 2, template: { image: "mailer:9" } });
    const made = worker(1, { spec: { template: { image: "mailer:9" } }, run: exited(2) });
    expect(isBlocked(made, absent)).toBe(false);
    expect(isBlocked(made, absent, stable)).toBe(false);
  });
});

describe("a worker that is set aside keeps its revision blocked", () => {
  const aside = (age: number, changes = {}) =>
    worker(1, { phase: "failed", phaseAge: age, run: exited(age), ...changes });

  it.each<[string, WorkerFacts, Partial<PlanRequest>, boolean]>([
    ["whatever files are lost", aside(99), {}, true],
    ["after another try was asked for, when it failed since", aside(5), retried(5), true],
    ["not when it failed before that", aside(6), retried(5), false],
    ["not when it is of another revision", aside(9, OLD), {}, false],
    ["not when only remains of it are left", aside(9, { run: { kind: "dead" } }), {}, false],
  ])("%s", (_, facts, request, expected) => {
    expect(isBlocked(facts, pair, request)).toBe(expected);
  });

  it("until all of it serve after all", () => {
    expect(isBlocked(aside(9), pair, {}, [worker(1, { attempt: 2 }), worker(2)])).toBe(false);
  });

  it("where nothing of the old is left", () => {
    expect(isBlocked(aside(9), pair, {}, [])).toBe(true);
  });

  it("until nothing is wanted of it, when it goes", () => {
    expect(isBlocked(aside(9), group({ replicas: 0 }), {}, [])).toBe(true);
    const { actions } = planFor([group({ replicas: 0 })], snapshot([aside(9)]));
    expect(actions.map(({ id }) => id)).toEqual([expect.stringContaining("remove")]);
  });
});

function retried(seconds: number): Partial<PlanRequest> {
  return { retryBefore: ago(seconds) };
}

const ANOTHER_TRY: readonly Row[] = [
  {
    name: "another try: what has failed before is healed like anything else",
    desired: pair,
    seen: snapshot([worker(1, { run: exited(20) }), old]),
    request: retried(5),
    actions: ["remove mailer-1-desired: exited", ...makes("mailer-1-desired-2", "exited")],
  },
  {
    name: "one that had run out of time is replaced",
    desired: pair,
    seen: snapshot([worker(1, { run: running(400, "starting") }), old]),
    request: retried(5),
    actions: ["rename mailer-1-desired: not-ready", "signal mailer-1-desired: not-ready"],
  },
  {
    name: "and one that had been restarted is given the time to come up",
    desired: pair,
    seen: snapshot([worker(1, { run: running(2), facts: { restartCount: 3 } }), old]),
    request: retried(5),
    actions: [],
    waitingFor: ["1 worker in a crash loop"],
    dueIn: 3,
  },
  {
    name: "what was set aside is removed, and asked to stop under a name that is no failure's",
    desired: pair,
    seen: snapshot([worker(1, { phase: "failed", phaseAge: 9 }), old]),
    request: retried(5),
    actions: ["rename mailer-1-desired: failed", "signal mailer-1-desired: failed"],
  },
];

checkRows("retry", ANOTHER_TRY);
