import { expect, test } from "vitest";
import type { Problem } from "../../src/core/model.ts";
import { renderProblems } from "../../src/view/problems-text.ts";
import { createPaint } from "../../src/view/style.ts";

const plain = createPaint(false);

const surge: Problem = {
  severity: "error",
  place: { file: "groups/mailer.yaml", line: 12, column: 15 },
  path: "spec.rollout.maxSurge",
  message: '"two" is no number and no percentage',
  hint: "write 1 or 25%",
  frame: "11 |   rollout:\n12 |     maxSurge: two\n   |               ^^^\n",
};

test("each with place, path, frame and hint, and their number", () => {
  const bare: Problem = {
    severity: "warning",
    place: { file: "groups/b.yaml", line: 1, column: 1 },
    path: "",
    message: "the file is empty",
  };
  expect(renderProblems([surge, bare], plain)).toBe(
    `groups/mailer.yaml:12:15: error: "two" is no number and no percentage
  in spec.rollout.maxSurge
  11 |   rollout:
  12 |     maxSurge: two
     |               ^^^
  hint: write 1 or 25%

groups/b.yaml:1:1: warning: the file is empty

1 error, 1 warning in 2 files
`,
  );
});

test("a lint's name stands behind what it says", () => {
  const lint: Problem = { ...surge, severity: "warning", lint: "short-grace" };
  const [first] = renderProblems([lint], plain).split("\n");
  expect(first).toBe(
    'groups/mailer.yaml:12:15: warning: "two" is no number and no percentage [short-grace]',
  );
});

test("none are no text", () => {
  expect(renderProblems([], plain)).toBe("");
});

test("a file's text cannot steer the terminal", () => {
  const text = renderProblems([{ ...surge, message: "\u001b[2J", frame: "1 | \u001b[2J" }], plain);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});
