// On a terminal apply shows its plan and asks; only a yes is a yes.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runOnTerminal } from "../support/terminal.ts";
import { openStage } from "./stage.ts";

const ESCAPE = "\u001B";

it.each([
  ["y", "y\n"],
  ["YES", "YES\n"],
])("apply does what was answered with %s", async (_, keys) => {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  const { code, screen } = await runOnTerminal(["apply"], keys, stage.folder);
  expect(code, screen).toBe(0);
  expect(screen).toContain("Plan: 1 to create");
  expect(screen).toContain(ESCAPE);
  expect(await stage.workers()).toHaveLength(1);
});

it.each([
  ["n", "n\n", 0],
  ["an empty line", "\n", 0],
  ["something else", "yesterday\n", 0],
  ["the end of the input", "\u0004", 0],
  ["Ctrl-C", "\u0003", 130],
])("apply changes nothing when answered with %s", async (_, keys, exit) => {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  const files = stage.files();
  const { code, screen } = await runOnTerminal(["apply"], keys, stage.folder);
  expect(code, screen).toBe(exit);
  expect(screen).toContain("apply these actions? [y/N]");
  expect(await stage.workers()).toEqual([]);
  expect(stage.files()).toEqual(files);
});

it("apply does not ask where nothing is to be done, or where --yes was said", async () => {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  const asked = await runOnTerminal(["apply", "--yes"], "n\n", stage.folder);
  expect(asked.code, asked.screen).toBe(0);
  const again = await runOnTerminal(["apply"], "n\n", stage.folder);
  expect(again.code, again.screen).toBe(0);
  expect(`${asked.screen}${again.screen}`).not.toContain("[y/N]");
  expect(await stage.workers()).toHaveLength(1);
});

it("the question goes to standard error, and standard output holds the document alone", async () => {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  const { code, screen } = await runOnTerminal(["apply"], "y\n", stage.folder, ">out.txt");
  expect(code, screen).toBe(0);
  expect(screen).toContain("Plan: 1 to create");
  const written = await readFile(join(stage.folder, "out.txt"), "utf8");
  expect(written).toBe("Converged: 1 worker in 1 group, 2 actions in 1 pass.\n");
});

it("apply -o json asks too, and tells the plan that it asks about", async () => {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  const args = ["apply", "-o", "json"];
  const { code, screen } = await runOnTerminal(args, "n\n", stage.folder, ">out.ndjson");
  expect(code, screen).toBe(0);
  const written = await readFile(join(stage.folder, "out.ndjson"), "utf8");
  const events = written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(["proposed", "result"]);
  expect(events.at(-1)).toMatchObject({ exitCode: 0, ending: "declined", actionsDone: 0 });
});
