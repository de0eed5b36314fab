// What earlier runs left: a status file that cannot be used is warned of, and set aside only by who may write; the
// journal is read beside it.

import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recall, recallForWriting } from "../../src/app/memory.ts";
import type { Reporter } from "../../src/app/reporter.ts";
import { buildStatus } from "../support/build.ts";

let folder = "";
let warnings: string[] = [];
const reporter: Reporter = {
  notify: (event) => {
    if (event.kind === "notice") warnings.push(`${event.severity}: ${event.message}`);
  },
  ask: async () => true,
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-memory-"));
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const store = (text: string) => writeFile(join(folder, "status.json"), text);

describe.each([
  ["recall", async (from: string) => (await recall(from, reporter)).status],
  ["recallForWriting", recallForWriting],
])("%s", (_, read) => {
  it("knows nothing where nothing was written", async () => {
    expect(await read(folder, reporter)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("gives back what was written", async () => {
    await store(JSON.stringify(buildStatus()));
    expect(await read(folder, reporter)).toEqual(buildStatus());
  });

  it("refuses what a newer wgctl wrote, and leaves it as it is", async () => {
    const text = JSON.stringify({ ...buildStatus(), formatVersion: 2 });
    await store(text);
    await expect(read(folder, reporter)).rejects.toThrow("format version 2");
    expect(await readFile(join(folder, "status.json"), "utf8")).toBe(text);
  });
});

describe("a damaged file", () => {
  it("is left where it is by who may not write", async () => {
    await store("{");
    expect((await recall(folder, reporter)).status).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/^warning: the status file is damaged/)]);
    expect(await readdir(folder)).toEqual(["status.json"]);
  });

  it("is set aside by who may, and its new name is told", async () => {
    await store("{");
    expect(await recallForWriting(folder, reporter)).toBeUndefined();
    expect(await readdir(folder)).toEqual(["status.json.damaged-1"]);
    expect(warnings).toEqual([expect.stringContaining("status.json.damaged-1")]);
  });
});
