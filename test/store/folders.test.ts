// Folders are made as deep as asked for, and what takes none says so instead of never coming back.

import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolders } from "../../src/store/folders.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "wgctl-folders-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("makes what is missing, and takes what is there", async () => {
  await makeFolders(join(home, "a/b/c"));
  await makeFolders(join(home, "a/b/c"));
  expect((await stat(join(home, "a/b/c"))).isDirectory()).toBe(true);
});

it.runIf(process.platform === "linux")("ends where the file system takes no folders", async () => {
  await expect(makeFolders("/proc/wgctl/state")).rejects.toThrow("ENOENT");
});

it("refuses a file in the way", async () => {
  await writeFile(join(home, "file"), "");
  await expect(makeFolders(join(home, "file/state"))).rejects.toThrow("ENOTDIR");
});
