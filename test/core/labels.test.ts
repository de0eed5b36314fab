// Labels there and back, and the half identities that nobody may act on.

import { describe, expect, it } from "vitest";
import { claimsToBeOf, decodeLabels, encodeLabels, uidOf } from "../../src/core/labels.ts";
import { buildLabels, UID } from "../support/build.ts";

const encoded = encodeLabels(buildLabels());

function without(...keys: readonly string[]): Record<string, string> {
  const left = new Set(keys.map((key) => `dev.wgctl.${key}`));
  return Object.fromEntries(Object.entries(encoded).filter(([key]) => !left.has(key)));
}

describe("labels", () => {
  it.each([
    ["bare", {}],
    ["whole", { project: "p", commit: "abc-dirty", nonce: "2", attempt: 3 }],
  ])("that are %s are read as written", (_, changes) => {
    const labels = buildLabels(changes);
    expect(decodeLabels(encodeLabels(labels))).toEqual(labels);
  });

  it("say nothing of what is not there", () => {
    const absent = ["dev.wgctl.project", "dev.wgctl.commit", "dev.wgctl.nonce"];
    expect(absent.filter((key) => key in encoded)).toEqual([]);
  });

  it.each(["uid", "namespace", "group", "revision", "name", "slot", "attempt", "template-version"])(
    "without %s are nobody's",
    (key) => {
      expect(decodeLabels(without(key))).toBeUndefined();
      expect(decodeLabels({ ...encoded, [`dev.wgctl.${key}`]: "" })).toBeUndefined();
    },
  );

  it.each(["0", "-1", "1.5", "01", "two", "99999999999"])("with slot %j are nobody's", (slot) => {
    expect(decodeLabels({ ...encoded, "dev.wgctl.slot": slot })).toBeUndefined();
  });

  it("of little weight may be missing or wrong", () => {
    const light = without("task-id", "generation", "spec", "template", "drain", "reason");
    expect(decodeLabels(light)).toMatchObject({ slot: 1, generation: 0, template: "", drain: "" });
    expect(decodeLabels({ ...encoded, "dev.wgctl.generation": "x" })?.generation).toBe(0);
  });

  it("claim a UID even where the rest is broken", () => {
    expect(uidOf(without("slot"))).toBe(UID);
    expect(uidOf({})).toBeUndefined();
  });

  it.each([
    ["of a group", { "dev.wgctl.uid": UID, "dev.wgctl.project": "another" }, "p", true],
    ["of the project", { "dev.wgctl.uid": "another", "dev.wgctl.project": "p" }, "p", true],
    ["of neither", { "dev.wgctl.uid": "another", "dev.wgctl.project": "another" }, "p", false],
    ["of no project where there is none", { "dev.wgctl.uid": "another" }, undefined, false],
    ["nothing", {}, "p", false],
  ] as const)("claim to be %s", (_, labels, project, claimed) => {
    expect(claimsToBeOf(labels, new Set([UID]), project)).toBe(claimed);
  });
});
