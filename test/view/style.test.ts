import { expect, test } from "vitest";
import {
  type ColorEnvironment,
  type ColorMode,
  createPaint,
  decideColor,
} from "../../src/view/style.ts";

test.each<readonly [ColorMode, ColorEnvironment, boolean, boolean]>([
  ["auto", {}, true, true],
  ["auto", {}, false, false],
  ["auto", { TERM: "dumb" }, true, false],
  ["auto", { NO_COLOR: "1" }, true, false],
  ["auto", { NO_COLOR: "" }, true, true],
  ["auto", { FORCE_COLOR: "1" }, false, true],
  ["auto", { FORCE_COLOR: "1", TERM: "dumb" }, false, true],
  ["auto", { FORCE_COLOR: "0" }, true, false],
  ["auto", { FORCE_COLOR: "" }, false, false],
  ["auto", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ["always", { NO_COLOR: "1", TERM: "dumb" }, false, true],
  ["never", { FORCE_COLOR: "1" }, true, false],
])("--color %s with %j on a terminal %s", (mode, env, isTerminal, color) => {
  expect(decideColor(mode, env, isTerminal)).toBe(color);
});

test("paint depends on nothing but what was decided", () => {
  const saved = process.env["NO_COLOR"];
  process.env["NO_COLOR"] = "1";
  try {
    expect(createPaint(true)("add", "x")).toBe("\u001b[32mx\u001b[39m");
    expect(createPaint(true)("add", "")).toBe("");
    expect(createPaint(false)("add", "x")).toBe("x");
  } finally {
    if (saved === undefined) delete process.env["NO_COLOR"];
    else process.env["NO_COLOR"] = saved;
  }
});
