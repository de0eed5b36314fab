// Failures in a row: how long a group rests after each, when it is given up, and what makes them forgotten.

import { describe, expect, it } from "vitest";
import type { Ended } from "../../src/app/execute.ts";
import type { ActionOutcome } from "../../src/app/reporter.ts";
import { Setbacks } from "../../src/app/setbacks.ts";
import type { ActionCall, Reason } from "../../src/core/plan/types.ts";
import { buildAction, UID } from "../support/build.ts";

const target = { id: "w", name: "m", run: "running", startedAt: 1 } as const;
const START: ActionCall = { kind: "start", name: "m", target: undefined };
const CREATE: ActionCall = {
  kind: "create",
  worker: { name: "m", slot: 1, attempt: 1, revision: "r" },
};
const PULL: ActionCall = { kind: "pull-image", image: "mailer:9" };
const SIGNAL: ActionCall = { kind: "signal", target, signal: "SIGTERM" };
const DONE: ActionOutcome = { kind: "done" };
const failed = (code = "engine-failed"): ActionOutcome => ({ kind: "failed", code, message: "no" });

function ended(call: ActionCall, outcome: ActionOutcome, group = UID): Ended {
  return { action: buildAction(call, { group }), outcome };
}

function setbacksAfter(...passes: readonly (readonly Ended[])[]): Setbacks {
  const setbacks = new Setbacks();
  for (const pass of passes) setbacks.note(pass, 0);
  return setbacks;
}

const restsAt = (setbacks: Setbacks, ticks: number) => UID in setbacks.holds(ticks);

describe("setbacks", () => {
  it("rest for one second after the first failure, two after the second", () => {
    const once = setbacksAfter([ended(START, failed())]);
    expect([999, 1000].map((ticks) => restsAt(once, ticks))).toEqual([true, false]);
    const twice = setbacksAfter([ended(START, failed())], [ended(START, failed())]);
    expect([1999, 2000].map((ticks) => restsAt(twice, ticks))).toEqual([true, false]);
    expect(twice.willTryAgain(UID)).toBe(true);
  });

  it("give up after the third failure in a row", () => {
    const thrice = setbacksAfter(...[1, 2, 3].map(() => [ended(START, failed())]));
    expect(restsAt(thrice, 1e12)).toBe(true);
    expect(thrice.willTryAgain(UID)).toBe(false);
  });

  it("hold the group with what went wrong", () => {
    expect(setbacksAfter([ended(START, failed())]).holds(0)).toEqual({
      [UID]: { code: "BackingOff", message: "no", isOfNew: true },
    });
  });

  it.each<[string, ActionCall, Reason, boolean]>([
    ["a new worker that cannot be made", CREATE, "template-changed", true],
    ["a new worker that cannot start", START, "template-changed", true],
    ["an old worker that cannot come back", START, "rollback", false],
    ["a worker that cannot be stopped", SIGNAL, "template-changed", false],
  ])("tell %s from others", (_, call, reason, isOfNew) => {
    const action = buildAction(call, { reason });
    const hold = setbacksAfter([{ action, outcome: failed() }]).holds(0)[UID];
    expect(hold?.isOfNew === true).toBe(isOfNew);
  });

  it("concern the group that failed and no other", () => {
    const setbacks = setbacksAfter([ended(START, failed()), ended(START, DONE, "other")]);
    expect(Object.keys(setbacks.failures())).toEqual([UID]);
    expect(setbacks.willTryAgain("other")).toBe(false);
  });

  it.each<[string, Ended, boolean]>([
    ["a create that the engine calls wrong", ended(CREATE, failed("engine-rejected")), true],
    ["a create that may work later", ended(CREATE, failed()), false],
    ["a start, which leaves a container to tell", ended(START, failed("engine-rejected")), false],
  ])("remember the revision for the whole run: %s", (_, first, isRefused) => {
    const expected = isRefused ? { [UID]: { revision: "r", message: "no" } } : {};
    expect(setbacksAfter([first], [ended(START, DONE)]).refusals()).toEqual(expected);
  });

  it.each<[string, ActionCall, string, boolean]>([
    ["a request that the engine calls wrong", CREATE, "engine-rejected", true],
    ["a command that cannot start", START, "engine-rejected", true],
    ["a port that is taken", START, "engine-failed", false],
    ["an engine that does not answer", CREATE, "engine-timeout", false],
  ])("%s: tried again within the run?", (_, call, code, isHopeless) => {
    expect(setbacksAfter([ended(call, failed(code))]).willTryAgain(UID)).toBe(!isHopeless);
  });

  it.each<[ActionCall, string]>([
    [CREATE, "FailedCreate"],
    [START, "FailedStart"],
    [SIGNAL, "FailedCall"],
  ])("of $kind have a reason of their own", (call, reason) => {
    expect(setbacksAfter([ended(call, failed())]).failures()[UID]?.reason).toBe(reason);
  });

  it.each<[string, Ended, Ended, boolean]>([
    [
      "a start that works overcomes a failed start",
      ended(START, failed()),
      ended(START, DONE),
      true,
    ],
    ["a create alone does not", ended(START, failed()), ended(CREATE, DONE), false],
    [
      "a stop that works does not overcome a failed start",
      ended(START, failed()),
      ended(SIGNAL, DONE),
      false,
    ],
    [
      "a stop that works overcomes a failed stop",
      ended(SIGNAL, failed()),
      ended(SIGNAL, DONE),
      true,
    ],
    [
      "what was skipped says nothing",
      ended(START, failed()),
      ended(START, { kind: "skipped", because: "" }),
      false,
    ],
  ])("%s", (_, first, second, isForgotten) => {
    expect(UID in setbacksAfter([first], [second]).failures()).toBe(!isForgotten);
  });

  it("are no matter of pulls, which many groups may share", () => {
    expect(setbacksAfter([ended(PULL, failed())]).failures()).toEqual({});
    const pulled = setbacksAfter([ended(START, failed())], [ended(PULL, DONE)]);
    expect(pulled.failures()).toHaveProperty(UID);
  });

  it("count a pass in which one start failed and another worked as a failure", () => {
    expect(UID in setbacksAfter([ended(START, DONE), ended(START, failed())]).failures()).toBe(
      true,
    );
  });
});
