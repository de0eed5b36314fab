// What can be got wrong at the keyboard: every mistake is named, exits with 3, and touches nothing.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../support/cli.ts";
import { engineTime, eventsSince } from "../support/engine.ts";
import { openStage, Stage } from "./stage.ts";

let calm: Stage;
beforeAll(async () => {
  calm = new Stage();
  await calm.converge({ replicas: 1 });
});
afterAll(() => calm.close());

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-empty-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("bad usage", () => {
  it.each<[readonly string[], RegExp]>([
    [["nonsense"], /unknown command 'nonsense'/],
    [["pan"], /Did you mean plan\?/],
    [["plan", "--nonsense"], /unknown option '--nonsense'/],
    [["plan", "extra"], /too many arguments/],
    [["plan", "-o", "xml"], /Allowed choices are text, wide, json, yaml/],
    [["plan", "--color", "maybe"], /Allowed choices are auto, always, never/],
    [["plan", "-f"], /argument missing/],
    [["plan", "-f", ""], /It is empty/],
    [["plan", "--group", ""], /It is empty/],
    [["plan", "--group", "nobody"], /there is no group nobody\n {2}the groups are mailer-/],
    [["plan", "--exclude", "nobody"], /there is no group nobody/],
    [["plan", "-f", "missing.yaml"], /missing\.yaml:1:1: error: no such file or folder/],
    [["plan", "--host", "ftp://x"], /"ftp:\/\/x" from --host is not usable/],
    [["plan", "--host", "unix://relative"], /write an absolute path/],
    [["plan", "--host", ""], /from --host is not usable/],
    [["plan", "--context", "nobody"], /there is no docker context "nobody"/],
    [["plan", "--request-timeout", "0s"], /Write it as 90s or 10m/],
    [["apply", "--timeout", "soon"], /Write it as 90s or 10m/],
    [["apply", "--lock-timeout", "-3s"], /Write it as 90s or 10m/],
    [["apply", "--max-actions", "0"], /Write a whole number from 1/],
    [["apply", "--if-locked", "maybe"], /Allowed choices are fail, skip/],
    [["apply", "--prune", "-f", "groups"], /cannot be combined with -f/],
    [["apply", "--prune", "-f", "-"], /cannot be combined with -f/],
    [["init", "--name", "Two Words", "elsewhere"], /--name "Two Words" cannot be a name/],
    [["init", "--image", "UPPER", "elsewhere"], /--image "UPPER" is no image reference/],
    [["init", "wgctl.yaml"], /a project cannot be written here: ENOTDIR/],
  ])("wgctl %j", async (args, message) => {
    const since = await engineTime();
    const files = calm.files();
    const { stdout, stderr } = await calm.expectExit(3, args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(calm.files()).toEqual(files);
    expect(await eventsSince(since, calm.label)).toEqual([]);
  });

  it("prune beside --group or --exclude is refused, whatever --yes says", async () => {
    for (const option of ["--group", "--exclude"]) {
      const args = ["apply", "--yes", "--prune", option, calm.group];
      const { stderr } = await calm.expectExit(3, args);
      expect(stderr).toContain("cannot be combined with -f, --group, --exclude");
    }
  });

  it("a run in a folder without any manifest is no run with nothing to do", async () => {
    const cwd = await emptyFolder();
    for (const command of ["validate", "plan", "apply", "status"]) {
      const { code, stderr } = await runCli([command], { cwd });
      expect(code, command).toBe(3);
      expect(stderr).toContain("there is no manifest in");
    }
  });

  it("durations longer than a timer can count are as good as for ever", async () => {
    const { stderr } = await calm.expectExit(0, [
      "apply",
      "--timeout",
      "2000h",
      "--request-timeout",
      "2000h",
    ]);
    expect(stderr).toBe("");
  });

  it("help and version are no mistakes", async () => {
    const { stdout } = await calm.expectExit(0, ["--version"]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await calm.expectExit(0, ["help", "apply"])).stdout).toContain("--lock-timeout");
    expect((await calm.expectExit(0, ["apply", "--help"])).stdout).not.toContain("default: false");
  });
});

describe("manifests", () => {
  it("come from a file, a folder, standard input, or several of them", async () => {
    const stage = openStage();
    const names = ["one", "two", "three"].map((name) => `${name}-${stage.run}`);
    const uid = (index: number) => `01998f6e-5c1b-7d2a-9a53-00000000000${index}`;
    const [one = "", two = "", three = ""] = names.map((name, index) =>
      JSON.stringify(stage.manifest({ replicas: 1 }, { name, uid: uid(index) })),
    );
    await mkdir(join(stage.folder, "folder"));
    await writeFile(join(stage.folder, "one.yaml"), one);
    await writeFile(join(stage.folder, "folder/two.yaml"), two);
    const planned = async (args: readonly string[], input = "") => {
      const { stdout } = await stage.expectExit(0, ["plan", "-o", "json", ...args], { input });
      const { groups }: { groups: { name: string }[] } = JSON.parse(stdout);
      return groups.map(({ name }) => name.split("-")[0]);
    };
    expect(await planned(["-f", "one.yaml"])).toEqual(["one"]);
    expect(await planned(["-f", "folder"])).toEqual(["two"]);
    expect(await planned(["-f", "-"], three)).toEqual(["three"]);
    expect(await planned(["-f", "-"], `${one}\n---\n${three}`)).toEqual(["one", "three"]);
    expect(await planned(["-f", "one.yaml", "-f", "folder", "-f", "-"], three)).toEqual([
      "one",
      "three",
      "two",
    ]);
    const chosen = ["-f", "one.yaml", "-f", "folder", "--exclude", names[0] ?? ""];
    expect(await planned(chosen)).toEqual(["two"]);
    expect(await planned([...chosen.slice(0, 4), "--group", `default/${names[0]}`])).toEqual([
      "one",
    ]);
  });

  it("that are not text are refused, from a file and from standard input", async () => {
    await writeFile(join(calm.folder, "binary.bin"), Buffer.from([0xff, 0xfe, 0x00]));
    onTestFinished(() => rm(join(calm.folder, "binary.bin")));
    const file = await calm.expectExit(3, ["plan", "-f", "binary.bin"]);
    expect(file.stderr).toContain("not UTF-8 text");
  });

  it("--group applies one group and leaves the others, and their status, as they are", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    const other = { name: `other-${stage.run}`, uid: "01998f6e-5c1b-7d2a-9a53-000000000009" };
    await stage.write("groups/other.yaml", stage.manifest({ replicas: 1 }, other));
    await stage.expectExit(0, ["apply"]);
    const before = await stage.workers(other.uid);
    await stage.write("groups/other.yaml", stage.manifest({ replicas: 2 }, other));
    await stage.declare({ replicas: 2 });
    await stage.expectExit(0, ["apply", "--group", stage.group]);
    expect(await stage.workers()).toHaveLength(2);
    expect(await stage.workers(other.uid)).toEqual(before);
    const { groups } = stage.status();
    expect(groups.map(({ name, counts }) => [name.split("-")[0], counts.desired])).toEqual([
      ["mailer", 2],
      ["other", 1],
    ]);
    expect((await stage.plan("--group", stage.group)).orphans).toEqual([]);
  });
});

describe("init", () => {
  it("writes a project that is valid as it is, once", async () => {
    const cwd = await emptyFolder();
    const first = await runCli(["init"], { cwd });
    expect(first.code, first.stderr).toBe(0);
    for (const path of ["wgctl.yaml", "groups/example.yaml", ".gitignore"])
      expect(first.stdout).toContain(`wrote ${path}\n`);
    const before = await readFile(join(cwd, "wgctl.yaml"), "utf8");
    const second = await runCli(["init"], { cwd });
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(/wgctl\.yaml and .* exist already/);
    expect(await readFile(join(cwd, "wgctl.yaml"), "utf8")).toBe(before);
    const { code, stdout } = await runCli(["validate"], { cwd });
    expect([code, stdout]).toEqual([0, "1 group is valid.\n"]);
  });

  it("makes the folder it is given, whatever its name", async () => {
    const cwd = await emptyFolder();
    for (const folder of ["a/b", "Ünï çode", "-".repeat(3) + "x".repeat(80)]) {
      expect((await runCli(["init", "--", folder], { cwd })).code).toBe(0);
      expect((await runCli(["validate"], { cwd: join(cwd, folder) })).code).toBe(0);
    }
  });
});
