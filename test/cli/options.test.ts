// What option values become, and which are refused.

import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { duration, manifestOptions, positive } from "../../src/cli/options.ts";

/** The value of `--x TEXT`; undefined where it is refused. */
function read(option: ReturnType<typeof duration>, text: string): unknown {
  const command = new Command().addOption(option).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  try {
    return command.parse([option.long ?? "", text], { from: "user" }).opts()["x"];
  } catch {
    return undefined;
  }
}

describe("a duration", () => {
  it.each([
    ["90s", 90_000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["0s", 0],
    ["2000h", 2 ** 31 - 1], // a longer timer would fire at once
    ["", undefined],
    ["90", undefined],
    ["-3s", undefined],
    ["soon", undefined],
  ])("%j is %j milliseconds", (text, milliseconds) => {
    expect(read(duration("--x <d>", ""), text)).toBe(milliseconds);
  });

  it("may have to be more than nothing", () => {
    expect(read(duration("--x <d>", "", 1), "0s")).toBeUndefined();
    expect(read(duration("--x <d>", "", 1), "1ms")).toBe(1);
  });
});

it.each([
  ["1", 1],
  ["100", 100],
  ["0", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["1e3", undefined],
  ["", undefined],
])("the count %j is %j", (text, count) => {
  expect(read(positive("--x <n>", ""), text)).toBe(count);
});

it("options that choose may be repeated, and are never empty", () => {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of manifestOptions()) command.addOption(option);
  const parse = (...args: readonly string[]) => command.parse([...args], { from: "user" }).opts();
  expect(parse("-f", "a", "-f", "b", "--group", "x")).toMatchObject({
    file: ["a", "b"],
    group: ["x"],
    exclude: [],
  });
  expect(() => parse("-f", "")).toThrow("It is empty");
});
