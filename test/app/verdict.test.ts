// Exit codes: what a plan, and what the end of an apply, deserves.

import { describe, expect, test } from "vitest";
import { applyExit, type Ending, EXIT, gravest, planExit } from "../../src/app/verdict.ts";
import type { Block, GroupPlan } from "../../src/core/plan/types.ts";
import { buildAction, buildGroupPlan, buildPlan } from "../support/build.ts";

const held = (code: Block["code"]): Partial<GroupPlan> => ({
  converged: false,
  blocks: [{ code, message: "" }],
});
const OPEN: Partial<GroupPlan> = { converged: false };
const LOOPING: Partial<GroupPlan> = {
  converged: false,
  isLooping: true,
};

const EXITS: readonly (readonly [Block["code"], number])[] = [
  ["InvalidSpec", 3],
  ["OwnershipConflict", 3],
  ["NameConflict", 3],
  ["NewerVersion", 4],
  ["NewerCommit", 4],
  ["Suspended", 0],
  ["Paused", 0],
  ["WorkerUnknown", 1],
  ["WorkerPaused", 1],
  ["ImageMissing", 1],
  ["ImagePullFailed", 1],
  ["NetworkMissing", 1],
  ["InsufficientCapacity", 1],
  ["BackingOff", 1],
];

describe("a plan", () => {
  const pending = [buildAction({ kind: "pull-image", image: "mailer:9" })];

  test.each([
    ["nothing to do", buildPlan(), false, 0],
    ["nothing to do, in detail", buildPlan(), true, 0],
    ["changes", buildPlan({ actions: pending }), false, 0],
    ["changes, in detail", buildPlan({ actions: pending }), true, 2],
    ["changes left by the budget, in detail", buildPlan({ deferred: pending }), true, 2],
  ] as const)("with %s", (_, plan, isDetailed, exit) => {
    expect(planExit(plan, isDetailed)).toBe(exit);
  });

  test.each(EXITS)("of a group held by %s", (code, exit) => {
    const plan = buildPlan({ groups: [buildGroupPlan(held(code))], actions: pending });
    const isPersonNeeded = exit === EXIT.userMustAct || exit === EXIT.stale;
    expect(planExit(plan, false)).toBe(isPersonNeeded ? exit : 0);
    expect(planExit(plan, true)).toBe(isPersonNeeded ? exit : 2);
  });
});

describe("an apply", () => {
  const exitOf = (
    group: Partial<GroupPlan>,
    ending: Ending,
    hasFailures = false,
    detailed = false,
  ) => applyExit(buildPlan({ groups: [buildGroupPlan(group)] }), ending, hasFailures, detailed);

  test.each<[string, Partial<GroupPlan>, Ending, number]>([
    ["converged", {}, "settled", 0],
    ["cut by --once after a clean pass", OPEN, "bounded", 0],
    ["declined by a person", OPEN, "declined", 0],
    ["out of time", OPEN, "timed-out", 1],
    ["with nothing more to do and not converged", OPEN, "settled", 1],
    ["in a crash loop out of time", LOOPING, "timed-out", 6],
    ["in a crash loop cut by --once", LOOPING, "bounded", 6],
    ["in a crash loop and declined", LOOPING, "declined", 0],
  ])("%s", (_, group, ending, exit) => {
    expect(exitOf(group, ending)).toBe(exit);
  });

  test.each(EXITS)("of a group held by %s", (code, exit) => {
    expect(exitOf(held(code), "settled")).toBe(exit);
  });

  test("with a failed call is retryable, even where --once cut it", () => {
    expect(exitOf(OPEN, "bounded", true)).toBe(1);
  });

  test("in detail says that more is to be done, and nothing when nothing is", () => {
    expect(exitOf(OPEN, "bounded", false, true)).toBe(2);
    expect(exitOf({}, "settled", false, true)).toBe(0);
  });

  test("of several groups ends with the gravest of their codes", () => {
    const groups = [{}, LOOPING, held("InvalidSpec")].map(buildGroupPlan);
    expect(applyExit(buildPlan({ groups }), "settled", true, true)).toBe(3);
  });
});

test.each([
  [[0, 1, 2, 3, 4, 6], 4],
  [[0, 1, 2, 3, 6], 3],
  [[0, 1, 2, 6], 6],
  [[0, 1, 2], 1],
  [[0, 2], 2],
  [[], 0],
] as const)("of %j the gravest is %i", (codes, exit) => {
  expect(gravest(codes)).toBe(exit);
});
