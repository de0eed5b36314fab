// The state folder: what is in it helps, and nothing that is wrong with it ever touches a worker.

import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ListedContainer } from "../support/engine.ts";
import { openStage, Stage } from "./stage.ts";

let stage: Stage;
let before: readonly ListedContainer[];
const stateFile = () => join(stage.folder, ".wgctl/status.json");

beforeAll(() => {
  stage = new Stage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  await rm(join(stage.folder, ".wgctl"), { recursive: true, force: true });
  before = await stage.converge({ replicas: 2 });
});

describe("the status file", () => {
  it.each([
    ["cut off", '{"formatVersion": 1,'],
    ["empty", ""],
    ["nonsense", "null"],
    ["of a wrong form", '{"formatVersion": 1, "groups": 3}'],
  ])("that is %s is set aside with a warning, and the workers stay", async (_, text) => {
    await writeFile(stateFile(), text);
    for (const command of ["plan", "status"]) {
      const { stderr } = await stage.expectExit(0, [command]);
      expect(stderr).toContain("warning: the status file is damaged");
      expect(await readFile(stateFile(), "utf8")).toBe(text);
    }
    const { stderr } = await stage.expectExit(0, ["apply"]);
    expect(stderr).toContain("status.json.damaged-1");
    expect(await readFile(`${stateFile()}.damaged-1`, "utf8")).toBe(text);
    expect(stage.status().groups[0]?.counts.available).toBe(2);
    expect(await stage.workers()).toEqual(before);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    [
      "of a newer wgctl",
      (text) => text.replace('"formatVersion": 1', '"formatVersion": 99'),
      /format version 99.*\n {2}a newer wgctl was here/,
    ],
    [
      "of another engine",
      (text) => text.replaceAll(/"id": "[^"]+"/g, '"id": "ANOTHER"'), // its workers are others, too
      /belongs to engine ANOTHER/,
    ],
  ])("%s is refused and left as it is", async (_, change, message) => {
    const text = change(await readFile(stateFile(), "utf8"));
    await writeFile(stateFile(), text);
    for (const command of ["plan", "apply", "status"]) {
      const { stderr } = await stage.expectExit(3, [command]);
      expect(stderr).toMatch(message);
    }
    expect(await readFile(stateFile(), "utf8")).toBe(text);
    expect(await readdir(join(stage.folder, ".wgctl"))).toEqual([".gitignore", "status.json"]);
    expect(await stage.workers()).toEqual(before);
  });

  it("may be deleted: the same workers, the same generation", async () => {
    const { generation } = stage.status().groups[0] ?? {};
    await rm(stateFile());
    await stage.expectExit(0, ["apply"]);
    expect(stage.status().groups[0]).toMatchObject({ generation, counts: { available: 2 } });
    expect(await stage.workers()).toEqual(before);
  });
});

describe("a state folder that cannot be written", () => {
  it.each([
    ["a file in its place", async (path: string) => writeFile(path, "")],
    [
      "a folder in the file's place",
      async (path: string) => mkdir(join(path, "status.json"), { recursive: true }),
    ],
  ])("for %s: nothing is touched", async (_, spoil) => {
    const fresh = openStage();
    await fresh.declare({ replicas: 1 });
    const folder = join(fresh.folder, "state");
    await spoil(folder);
    const { stderr } = await fresh.expectExit(3, ["apply", "--state-dir", folder]);
    expect(stderr).toMatch(/^error: cannot (read|write) /);
    expect(await fresh.workers()).toEqual([]);
  });

  it("because the kernel lets nobody write there: nothing is touched", async () => {
    const fresh = openStage();
    await fresh.declare({ replicas: 1 });
    const { stderr } = await fresh.expectExit(3, ["apply", "--state-dir", "/sys/wgctl"]);
    expect(stderr).toMatch(
      /^error: cannot write \/sys\/wgctl\/status.json: E(PERM|ACCES|ROFS)\n {2}\S/,
    );
    expect(await fresh.workers()).toEqual([]);
  });

  it("is chosen by --state-dir before WGCTL_STATE_DIR", async () => {
    const env = { WGCTL_STATE_DIR: join(stage.folder, "by-variable") };
    await stage.expectExit(0, ["apply"], { env });
    await stage.expectExit(0, ["apply", "--state-dir", "by-flag"], { env });
    for (const folder of ["by-variable", "by-flag"])
      expect(await readdir(join(stage.folder, folder))).toContain("status.json");
    expect(await stage.workers()).toEqual(before);
  });
});
