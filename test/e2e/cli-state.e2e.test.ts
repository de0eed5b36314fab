// The state folder: what is in it helps, and nothing that is wrong with it ever touches a worker.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ListedContainer, testHost } from "../support/engine.ts";
import { openStage, Stage } from "./stage.ts";

let stage: Stage;
let before: readonly ListedContainer[];
const stateFile = () => join(stage.folder, ".wgctl/status.json");
/** Docker keeps a context in a folder that is called so. */
const CONTEXT_DIGEST = createHash("sha256").update("staging").digest("hex");

beforeAll(() => {
  stage = new Stage();
});
afterAll(() => stage.close());
beforeEach(async () => {
  await rm(join(stage.folder, ".wgctl"), { recursive: true, force: true, maxRetries: 9 });
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
    const names = await readdir(join(stage.folder, ".wgctl"));
    expect(names.filter((name) => name.startsWith("status.json"))).toEqual(["status.json"]);
    expect(await stage.workers()).toEqual(before);
  });

  it("of one context is apart from another's", async () => {
    const docker = join(stage.folder, "docker");
    const meta = join(docker, "contexts/meta", CONTEXT_DIGEST);
    await mkdir(meta, { recursive: true });
    const Endpoints = { docker: { Host: testHost(), SkipTLSVerify: false } };
    await writeFile(join(meta, "meta.json"), JSON.stringify({ Name: "staging", Endpoints }));
    const own = await readFile(stateFile(), "utf8");
    const env = { DOCKER_CONFIG: docker };
    await stage.expectExit(0, ["apply", "--context", "staging"], { env });
    expect(await readdir(join(stage.folder, ".wgctl/staging"))).toContain("status.json");
    expect(await readFile(stateFile(), "utf8")).toBe(own);
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

describe("the journal", () => {
  /** A stage whose two workers were made with the journal that it has. */
  async function withJournal() {
    const fresh = openStage();
    const made = await fresh.converge({ replicas: 2 });
    return { fresh, made, file: join(fresh.folder, ".wgctl/journal.ndjson") };
  }

  it("tells what was done to the real workers, with their ids", async () => {
    const { fresh, made } = await withJournal();
    const { stdout } = await fresh.expectExit(0, ["history", "-o", "json"]);
    const entries: readonly Entry[] = JSON.parse(stdout).entries;
    const told = entries.map(({ action, container, outcome }) => [action, container, outcome]);
    const expected = made.flatMap(({ id }) => [
      ["create", id, "done"],
      ["start", id, "done"],
    ]);
    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ["deleted", (path) => rm(path)],
    ["cut off", async (path) => writeFile(path, (await readFile(path)).subarray(0, -20))],
    ["damaged", (path) => writeFile(path, "\0\0nonsense")],
  ])("may be %s: the same workers", async (_, spoil) => {
    const { fresh, made, file } = await withJournal();
    await spoil(file);
    await fresh.expectExit(0, ["apply"]);
    expect(await fresh.workers()).toEqual(made);
    await fresh.expectNothingToDo();
  });

  it.runIf(process.platform === "linux")("on a full disk: no call is made, exit 1", async () => {
    const { fresh, made, file } = await withJournal();
    await rm(file);
    await symlink("/dev/full", file);
    await fresh.declare({ replicas: 3 });
    const { stderr } = await fresh.expectExit(1, ["apply"]);
    expect(stderr).toMatch(/^error: cannot write .*journal\.ndjson: ENOSPC\n {2}the disk is full/m);
    expect(await fresh.workers()).toEqual(made);
    await rm(file);
    await fresh.expectExit(0, ["apply"]);
    expect(await fresh.workers()).toHaveLength(3);
  });
});

type Entry = {
  readonly action: string;
  readonly outcome: string;
  readonly container: string | null;
};

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
    const { code, stderr } = await fresh.wgctl(["apply", "--state-dir", "/sys/wgctl"]);
    // A file system that is read-only may be mended; a permission is somebody's decision.
    expect(code).toBe(stderr.includes("EROFS") ? 1 : 3);
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
