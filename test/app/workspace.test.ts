// Choosing groups by name, and what a run refuses before it looks at any engine.

import { describe, expect, it } from "vitest";
import {
  guardPruning,
  requireComplete,
  requireGroups,
  selectGroups,
  type Workspace,
} from "../../src/app/workspace.ts";
import type { Problem } from "../../src/core/model.ts";
import { buildDesired, buildIdentity } from "../support/build.ts";

const GROUPS = [
  buildDesired({}, buildIdentity({ uid: "1", name: "mailer" })),
  buildDesired({}, buildIdentity({ uid: "2", name: "mailer", namespace: "shop" })),
  buildDesired({}, buildIdentity({ uid: "3", name: "crawler" })),
];

describe("choosing groups", () => {
  it.each<[readonly string[], readonly string[], string]>([
    [[], [], "1 2 3"],
    [["mailer"], [], "1 2"],
    [["shop/mailer"], [], "2"],
    [["default/mailer", "crawler"], [], "1 3"],
    [[], ["mailer"], "3"],
    [["mailer"], ["shop/mailer"], "1"],
    [["crawler"], ["crawler"], ""],
  ])("only %j without %j", (only, except, uids) => {
    const chosen = selectGroups(GROUPS, only, except);
    expect(chosen.map(({ identity }) => identity.uid).join(" ")).toBe(uids);
  });

  it.each([
    [["mail"], []],
    [[], ["nobody"]],
    [["other/mailer"], []],
  ])("refuses a name that no group has: %j, %j", (only, except) => {
    expect(() => selectGroups(GROUPS, only, except)).toThrow(
      /there is no group (mail|nobody|other\/mailer)$/,
    );
  });
});

describe("naming one group each", () => {
  it.each<[readonly string[], string]>([
    [["shop/mailer"], "2"],
    [["crawler", "default/mailer", "crawler", "default/crawler"], "3 1"],
  ])("%j", (names, uids) => {
    expect(
      requireGroups(GROUPS, names)
        .map(({ identity }) => identity.uid)
        .join(" "),
    ).toBe(uids);
  });

  it.each([
    [
      "mailer",
      "mailer is the name of 2 groups",
      "name the one that is meant: default/mailer or shop/mailer",
    ],
    ["crawlr", "there is no group crawlr", "did you mean crawler?"],
    ["shop/maler", "there is no group shop/maler", "did you mean shop/mailer?"],
    ["nobody", "there is no group nobody", "the groups are crawler, mailer, mailer"],
  ])("refuses %s", (name, message, hint) => {
    expect(() => requireGroups(GROUPS, [name])).toThrow(expect.objectContaining({ message, hint }));
  });
});

const problem: Problem = {
  severity: "error",
  place: { file: "a.yaml", line: 1, column: 1 },
  path: "",
  message: "wrong",
};

function workspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    project: {
      name: "payments",
      uid: "p",
      root: "/p",
      manifests: [],
      context: undefined,
      actionsPerPass: 100,
      prune: false,
      env: [],
    },
    groups: GROUPS,
    declared: ["1", "2", "3"],
    problems: [],
    complete: true,
    narrowed: false,
    stateFolder: "/p/.wgctl",
    folder: "/p",
    ...changes,
  };
}

it("manifests that are not whole stop everything", () => {
  expect(() => requireComplete(workspace({ complete: false }))).toThrow("nothing was touched");
  expect(() => requireComplete(workspace())).not.toThrow();
});

describe("pruning", () => {
  it.each<[string, Partial<Workspace>, number, boolean, RegExp | undefined]>([
    ["a few of many", {}, 1, false, undefined],
    ["exactly half", { declared: ["1", "2"] }, 2, false, undefined],
    ["more than half", { declared: ["1", "2"] }, 3, false, /3 of 5 groups/],
    ["more than half, asked for", { declared: ["1", "2"] }, 3, true, undefined],
    ["an empty set", { declared: [] }, 1, false, /no manifest declares a group/],
    ["an empty set, asked for", { declared: [] }, 1, true, undefined],
    ["nothing of an empty set", { declared: [] }, 0, false, undefined],
    ["a narrowed run", { narrowed: true }, 0, true, /cannot be combined/],
    ["an unnamed project", { project: undefined }, 0, true, /needs a project/],
    ["beside an invalid manifest", { problems: [problem] }, 1, true, /could not be read/],
    ["beside a warning", { problems: [{ ...problem, severity: "warning" }] }, 1, false, undefined],
  ])("%s", (_, changes, orphans, isAllowed, refusal) => {
    const guard = () => guardPruning(workspace(changes), orphans, isAllowed);
    if (refusal === undefined) expect(guard).not.toThrow();
    else expect(guard).toThrow(refusal);
  });
});
