// `wgctl restart` and `wgctl delete` on real files: what is shown, and that exactly one line is new.

import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";
import { runOnTerminal } from "../support/terminal.ts";

const UID = "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a1";
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

const group = (
  name: string,
  digit: number,
  spec = "",
) => `# The ${name}, with what writing anew would change.
apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata:
  name:   ${name}
  uid: ${UID}${digit}   # never changes
spec:
  replicas:  3 # enough
${spec}  template:
    image: 'acme/${name}:1'
    environment: {UMASK: "0644", ACCOUNT: 12345678901234567890, COUNTRY: no}
    stop_grace_period:    45s
`;

const MAILER = group("mailer", 1);
const CRAWLER = group("crawler", 2);
const BOTH = `${MAILER}---\n${CRAWLER}`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-by-hand-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const read = (cwd: string, file: string) => readFile(join(cwd, file), "utf8");

/** Runs wgctl and holds it to an exit code; times become TIME. */
async function expectExit(code: number, cwd: string, ...args: string[]): Promise<CliResult> {
  const result = await runCli(args, { cwd });
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code);
  return { ...result, stdout: result.stdout.replaceAll(TIME, "TIME") };
}

const PROJECT = `apiVersion: wgctl.dev/v1\nkind: Project\nmetadata: {name: post, uid: ${UID}0}\n`;

describe("restart", () => {
  it("adds one line, and shows it", async () => {
    const cwd = await folderWith({ "wgctl.yaml": PROJECT, "groups/a.yaml": BOTH });
    const { stdout, stderr } = await expectExit(0, cwd, "restart", "crawler");
    expect(stderr).toBe("");
    expect(stdout).toBe(`groups/a.yaml
      spec:
        replicas:  3 # enough
    +   restartNonce: TIME
        template:
          image: 'acme/crawler:1'

crawler: the next apply replaces its 3 workers.
`);
    const nonce = "# enough\n  restartNonce: TIME";
    const expected = `${MAILER}---\n${CRAWLER.replace("# enough", nonce)}`;
    expect((await read(cwd, "groups/a.yaml")).replace(TIME, "TIME")).toBe(expected);
    expect(await read(cwd, "wgctl.yaml")).toBe(PROJECT);
  });

  it("changes that line the next time, to a later time", async () => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    await expectExit(0, cwd, "restart", "mailer");
    const [first = ""] = (await read(cwd, "a.yaml")).match(TIME) ?? [];
    const { stdout } = await expectExit(0, cwd, "restart", "default/mailer", "mailer");
    expect(stdout).toContain("    -   restartNonce: TIME\n    +   restartNonce: TIME\n");
    const text = await read(cwd, "a.yaml");
    const [second = "", ...others] = text.match(TIME) ?? [];
    expect(others).toEqual([]);
    expect(second > first).toBe(true);
    expect(text).toBe(MAILER.replace("# enough", `# enough\n  restartNonce: ${second}`));
  });

  it("takes several groups, in one file and in others", async () => {
    const other = group("other", 3);
    const cwd = await folderWith({ "a.yaml": BOTH, "b.yaml": other.replaceAll("\n", "\r\n") });
    const { stdout } = await expectExit(0, cwd, "restart", "mailer", "other", "crawler");
    expect(stdout.match(/^\S.*$/gm)).toEqual([
      "a.yaml",
      "b.yaml",
      "mailer: the next apply replaces its 3 workers.",
      "crawler: the next apply replaces its 3 workers.",
      "other: the next apply replaces its 3 workers.",
    ]);
    expect((await read(cwd, "a.yaml")).match(/^ {2}restartNonce: /gm)).toHaveLength(2);
    expect(await read(cwd, "b.yaml")).toMatch(/# enough\r\n {2}restartNonce: \S+Z\r\n {2}template/);
  });

  it("says what keeps it from having an effect", async () => {
    const paused = group("paused", 1, "  rollout: {paused: true}\n");
    const asleep = group("asleep", 2, "  suspend: true\n");
    const cwd = await folderWith({ "a.yaml": `${paused}---\n${asleep}` });
    const { stdout } = await expectExit(0, cwd, "restart", "paused", "asleep");
    expect(stdout).toContain("paused: nothing is replaced while rollout.paused is true.\n");
    expect(stdout).toContain("asleep: nothing is replaced while suspend is true.\n");
  });

  it("--dry-run shows and writes nothing", async () => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    const { stdout } = await expectExit(0, cwd, "restart", "mailer", "--dry-run");
    expect(stdout).toContain("    +   restartNonce: TIME\n");
    expect(stdout).toMatch(/\nNothing was written\.\n$/);
    expect(await read(cwd, "a.yaml")).toBe(MAILER);
  });

  it("colours what comes and what goes", async () => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    const { stdout } = await expectExit(0, cwd, "restart", "mailer", "--color", "always");
    expect(stdout).toContain("\u001B[32m    +   restartNonce: TIME\u001B[39m\n");
  });

  it("keeps the file's mode, and a link to it a link", async () => {
    const cwd = await folderWith({ "real/a.yaml": MAILER });
    await chmod(join(cwd, "real/a.yaml"), 0o640);
    await symlink("real/a.yaml", join(cwd, "a.yaml"));
    await expectExit(0, cwd, "restart", "mailer", "-f", "a.yaml");
    expect((await lstat(join(cwd, "a.yaml"))).isSymbolicLink()).toBe(true);
    expect((await stat(join(cwd, "real/a.yaml"))).mode & 0o777).toBe(0o640);
    expect(await read(cwd, "real/a.yaml")).toMatch(TIME);
  });
});

describe("nothing is written where", () => {
  const merged = `x-base: &base {restartNonce: "1"}\n${group("mailer", 1, "  <<: *base\n")}`;
  it.each<[string, string, string, readonly string[]]>([
    [
      "the group is not known",
      MAILER,
      "maler",
      ["there is no group maler", "did you mean mailer?"],
    ],
    [
      "the value is merged",
      merged,
      "mailer",
      ["a.yaml:8:1: error: restartNonce is merged from elsewhere", "by hand"],
    ],
    [
      "a variable gives the value",
      group("mailer", 1, "  restartNonce: $NONCE\n"),
      "mailer",
      ["a.yaml:9:17: error: restartNonce comes from a variable"],
    ],
    [
      "the group has an error",
      group("mailer", 1, "  suspend: perhaps\n"),
      "mailer",
      ['a.yaml:9:12: error: "perhaps" is neither true nor false'],
    ],
    [
      "another group of the file has an error",
      `${MAILER}---\n${group("crawler", 2, "  suspend: perhaps\n")}`,
      "mailer",
      ['a.yaml:22:12: error: "perhaps"'],
    ],
    [
      "the file cannot be parsed",
      `${MAILER}\tx: 1\n`,
      "mailer",
      ["a.yaml:13:1: error:", "read whole"],
    ],
    [
      "the group is being deleted",
      MAILER.replace("   # never", "\n  deletionTimestamp: 2026-01-01T00:00:00Z # never"),
      "mailer",
      ["mailer is being deleted and gets no new workers"],
    ],
  ])("%s", async (_, text, name, words) => {
    const cwd = await folderWith({
      "a.yaml": text,
      "good.yaml": group("good", 9),
      ".env": "NONCE=1\n",
    });
    const { stdout, stderr } = await expectExit(3, cwd, "restart", "good", name);
    expect(stdout).toBe("");
    for (const word of words) expect(stderr).toContain(word);
    expect(await read(cwd, "a.yaml")).toBe(text);
    expect(await read(cwd, "good.yaml")).toBe(group("good", 9));
  });

  it("the file is read-only, even to root", async () => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    await chmod(join(cwd, "a.yaml"), 0o444);
    const { stderr } = await expectExit(3, cwd, "restart", "mailer");
    expect(stderr).toContain("a.yaml is read-only");
    expect(await read(cwd, "a.yaml")).toBe(MAILER);
  });

  it("it came from standard input", async () => {
    const cwd = await folderWith({});
    const { code, stderr } = await runCli(["restart", "mailer", "-f", "-"], { cwd, input: MAILER });
    expect([code, stderr]).toEqual([3, expect.stringContaining("came from standard input")]);
  });

  it("no group is named", async () => {
    const { stderr } = await expectExit(3, await folderWith({ "a.yaml": MAILER }), "restart");
    expect(stderr).toContain("missing required argument 'groups'");
  });
});

it("an error in another file does not keep a group from being restarted", async () => {
  const broken = group("crawler", 2, "  suspend: perhaps\n");
  const cwd = await folderWith({ "a.yaml": MAILER, "b.yaml": broken });
  await expectExit(0, cwd, "restart", "mailer");
  expect(await read(cwd, "a.yaml")).toMatch(TIME);
  expect(await read(cwd, "b.yaml")).toBe(broken);
});

describe("delete", () => {
  const removed = (text: string) => text.replace(/(uid: .*\n)/, "$1  deletionTimestamp: TIME\n");

  it("adds one line, and says what comes of it", async () => {
    const cwd = await folderWith({ "a.yaml": BOTH });
    const { stdout } = await expectExit(0, cwd, "delete", "mailer");
    expect(stdout).toBe(`a.yaml
        name:   mailer
        uid: ${UID}1   # never changes
    +   deletionTimestamp: TIME
      spec:
        replicas:  3 # enough

mailer: the next apply drains and removes its workers; once they are gone, its manifest can be removed.
`);
    expect((await read(cwd, "a.yaml")).replace(TIME, "TIME")).toBe(
      `${removed(MAILER)}---\n${CRAWLER}`,
    );
  });

  it("says so where it is there already, and touches nothing", async () => {
    const text = removed(MAILER).replace("TIME", "2026-01-01T00:00:00Z");
    const cwd = await folderWith({ "a.yaml": text });
    const { ino, mtimeNs } = await stat(join(cwd, "a.yaml"), { bigint: true });
    const { stdout } = await expectExit(0, cwd, "delete", "mailer");
    expect(stdout).toBe("mailer: its deletionTimestamp is there already (TIME).\n");
    const after = await stat(join(cwd, "a.yaml"), { bigint: true });
    expect(after).toMatchObject({ ino, mtimeNs });
  });

  it.each([
    ["y\n", true],
    ["n\n", false],
    ["\n", false],
  ])("asks on a terminal; %j", async (keys, isWritten) => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    const { code, screen } = await runOnTerminal(["delete", "mailer"], keys, cwd);
    expect(code, screen).toBe(0);
    expect(screen).toContain("write this into the manifest? [y/N]");
    expect((await read(cwd, "a.yaml")).includes("deletionTimestamp")).toBe(isWritten);
    expect(screen.includes("Nothing was written.")).toBe(!isWritten);
  });

  it.each([["--yes"], ["--dry-run"]])("does not ask with %s", async (option) => {
    const cwd = await folderWith({ "a.yaml": MAILER });
    const { code, screen } = await runOnTerminal(["delete", "mailer", option], "n\n", cwd);
    expect(code, screen).toBe(0);
    expect(screen).not.toContain("[y/N]");
    expect((await read(cwd, "a.yaml")).includes("deletionTimestamp")).toBe(option === "--yes");
  });
});
