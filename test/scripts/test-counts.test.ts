import { describe, expect, it } from "vitest";
import { addCounts, countResults } from "../../scripts/lib/test-counts.mjs";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("countResults", () => {
  it.each([
    ["all good", [file("passed", "passed", "passed")], 0, [2, 0, 0]],
    ["one bad", [file("failed", "passed", "failed")], 1, [1, 1, 0]],
    ["a file that does not load", [file("failed"), file("passed", "passed")], 1, [1, 1, 0]],
    ["a hook that breaks", [file("failed", "passed", "skipped")], 1, [1, 1, 1]],
    ["an error outside every file", [file("passed", "passed")], 1, [1, 1, 0]],
    ["nothing ran and that is an error", [], 1, [0, 1, 0]],
    ["todo and skipped", [file("passed", "todo", "skipped", "passed")], 0, [1, 0, 2]],
  ])("%s", (_, testResults, exitCode, [passed, failed, skipped]) => {
    expect(countResults({ testResults }, exitCode)).toEqual({ passed, failed, skipped });
  });
});

it("adds up what several runs did, a failure of each", () => {
  const one = { passed: 2, failed: 1, skipped: 0 };
  const other = { passed: 3, failed: 0, skipped: 4 };
  expect(addCounts([one, other])).toEqual({ passed: 5, failed: 1, skipped: 4 });
  expect(addCounts([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});
