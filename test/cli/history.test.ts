// `wgctl history` of the built CLI, and what a journal that is damaged, newer, gone or on a full disk means to a run.

import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { openStage, type SimulatedStage } from "./simulated-stage.ts";

/** A stage on which two workers were made, one of them by a second run. */
async function withHistory(): Promise<SimulatedStage> {
  const stage = openStage();
  await stage.declare({ replicas: 1 });
  await stage.expectExit(0, ["apply"]);
  await stage.declare({ replicas: 2 });
  await stage.expectExit(0, ["apply"]);
  return stage;
}

function journalOf({ folder }: SimulatedStage): string {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith("journal.ndjson"),
  );
  return join(folder, found ?? "there is no journal");
}

/** Actions and workers of a table without its head. */
function actionsIn(table: string): readonly string[] {
  const rows = table.trimEnd().split("\n").slice(1);
  return rows.map((row) =>
    row
      .split(/ {2,}/)
      .slice(3, 5)
      .join(" ")
      .replace(/-[0-9a-f]{8}$/, ""),
  );
}

const ALL = [
  "pull-image acme/mailer:1",
  "create mailer-1",
  "start mailer-1",
  "create mailer-2",
  "start mailer-2",
];

describe("history", () => {
  it("shows every action of every run, newest last, and touches nothing", async () => {
    const stage = await withHistory();
    const files = stage.files();
    const { stdout } = await stage.expectExit(0, ["history"]);
    expect(actionsIn(stdout)).toEqual(ALL);
    expect(new Set(stdout.match(/ [0-9a-f]{8} {2}/g)).size).toBe(2);
    expect(stage.files()).toEqual(files);
  });

  it.each<[readonly string[], readonly string[]]>([
    [["-n", "2"], ALL.slice(-2)],
    [["--limit", "99"], ALL],
    [["--group", "mailer"], ALL],
    [["--group", "default/mailer", "--group", "other"], ALL],
    [["--group", "other"], []],
  ])("%j chooses", async (args, expected) => {
    const stage = await withHistory();
    const { stdout } = await stage.expectExit(0, ["history", ...args]);
    expect(actionsIn(stdout)).toEqual(expected);
  });

  it("is a document for machines", async () => {
    const stage = await withHistory();
    const { stdout } = await stage.expectExit(0, ["history", "-o", "json", "-n", "1"]);
    expect(JSON.parse(stdout)).toMatchObject({
      formatVersion: 1,
      kind: "History",
      unreadableLines: 0,
      entries: [{ action: "start", slot: 2, reason: "missing", outcome: "done", words: "" }],
    });
    const { stdout: yaml } = await stage.expectExit(0, ["history", "-o", "yaml", "-n", "1"]);
    expect(yaml).toContain("kind: History\n");
  });

  it("is empty where nothing was done", async () => {
    const stage = openStage();
    const { stdout } = await stage.expectExit(0, ["history"]);
    expect(stdout).toBe("No action is recorded.\n");
    expect(readdirSync(stage.folder)).toEqual(["groups"]);
  });

  it("needs no engine and no manifest that can be read", async () => {
    const stage = openStage();
    await stage.write("groups/broken.yaml", "]");
    const options = { cwd: stage.folder, env: { DOCKER_HOST: "unix:///nowhere" } };
    const { code, stdout } = await runCli(["history"], options);
    expect([code, stdout]).toEqual([0, "No action is recorded.\n"]);
  });

  it.each(["0", "-1", "many"])("takes no limit of %s", async (limit) => {
    const stage = openStage();
    const { stderr } = await stage.expectExit(3, ["history", `--limit=${limit}`]);
    expect(stderr).toContain("Write a whole number from 1.");
  });
});

describe("a journal that is not as it was", () => {
  it.each<[string, (path: string) => void]>([
    ["gone", (path) => rmSync(path)],
    ["nonsense", (path) => writeFileSync(path, "nonsense")],
    ["cut off", (path) => writeFileSync(path, readFileSync(path).subarray(0, -30))],
  ])("%s: the same workers", async (_, spoil) => {
    const stage = await withHistory();
    const before = stage.world();
    spoil(journalOf(stage));
    const { stdout } = await stage.expectExit(0, ["apply"]);
    expect(stdout).toMatch(/^No changes\./);
    expect(stage.world()).toEqual(before);
  });

  it("has its unreadable lines told", async () => {
    const stage = await withHistory();
    appendFileSync(journalOf(stage), "x\n{}\n");
    const { stdout, stderr } = await stage.expectExit(0, ["history"]);
    expect(actionsIn(stdout)).toEqual(ALL);
    expect(stderr).toBe("warning: 2 lines of the journal cannot be read, and are left out\n");
  });

  it("of a newer wgctl is refused by every command that reads it, and left as it is", async () => {
    const stage = await withHistory();
    const text = readFileSync(journalOf(stage), "utf8").replaceAll('"v":1', '"v":2');
    writeFileSync(journalOf(stage), text);
    for (const command of ["history", "plan", "apply", "status"]) {
      const { stderr } = await stage.expectExit(3, [command]);
      expect(stderr).toMatch(/format version 2.*\n {2}a newer wgctl was here/);
    }
    expect(readFileSync(journalOf(stage), "utf8")).toBe(text);
  });

  it.runIf(process.platform === "linux")(
    "cannot be written on a full disk: exit 1 before the first call, and nothing is lost",
    async () => {
      const stage = await withHistory();
      const before = stage.world();
      const journal = journalOf(stage);
      rmSync(journal);
      symlinkSync("/dev/full", journal);
      await stage.declare({ replicas: 3 });
      const { stderr, stdout } = await stage.expectExit(1, ["apply"]);
      expect(stderr).toMatch(/error: cannot write .*journal\.ndjson: ENOSPC\n {2}the disk is full/);
      expect(stdout).toBe("");
      expect(stage.world().containers).toEqual(before.containers);
      await stage.declare({ replicas: 2 });
      await stage.expectExit(0, ["apply"]);
    },
  );
});
