// Names of workers, and the phase that stands after them.

import { describe, expect, test } from "vitest";
import {
  phaseName,
  plainName,
  readPhase,
  shortRevision,
  workerName,
} from "../../src/core/names.ts";

const REVISION = "1f2e3d4c5b6a7988";

test.each([
  ["default", 2, 1, "mailer-2-1f2e3d4c"],
  ["default", 2, 3, "mailer-2-1f2e3d4c-3"],
  ["shop", 10, 1, "shop.mailer-10-1f2e3d4c"],
  ["shop", 1, 2, "shop.mailer-1-1f2e3d4c-2"],
])("in namespace %s, slot %i, attempt %i: %s", (namespace, slot, attempt, name) => {
  expect(workerName({ uid: "u", namespace, name: "mailer" }, slot, REVISION, attempt)).toBe(name);
});

test("a revision is shown by its first eight digits", () => {
  expect(shortRevision(REVISION)).toBe("1f2e3d4c");
});

describe("a phase", () => {
  test.each(["draining", "stopping", "kept", "failed"] as const)(
    "%s is read as written",
    (kind) => {
      const real = phaseName("mailer-1-1f2e3d4c", kind, 1_800_000_000_999);
      expect(real).toBe(`mailer-1-1f2e3d4c.${kind}-1800000000`);
      expect(readPhase(real, "mailer-1-1f2e3d4c")).toEqual({
        kind: "own",
        phase: { kind, since: 1_800_000_000_000 },
      });
      expect(plainName(real)).toBe("mailer-1-1f2e3d4c");
    },
  );

  test("is absent from the plain name", () => {
    expect(readPhase("mailer-1", "mailer-1")).toEqual({ kind: "own", phase: undefined });
    expect(plainName("shop.mailer-1")).toBe("shop.mailer-1");
  });

  test.each([
    ["another name", "web-1"],
    ["the start of the name", "mailer"],
    ["a longer number", "mailer-11"],
    ["an unknown phase", "mailer-1.sleeping-1800000000"],
    ["a phase without time", "mailer-1.stopping-"],
    ["a phase with more after it", "mailer-1.stopping-1800000000.old"],
    ["two phases", "mailer-1.stopping-1.stopping-2"],
    ["a time that is none", "mailer-1.stopping-1234567890123"],
  ])("that is %s shows copied labels", (_, real) => {
    expect(readPhase(real, "mailer-1")).toEqual({ kind: "copied" });
  });
});
