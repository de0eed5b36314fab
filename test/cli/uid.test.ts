// `wgctl uid --write` on real files: exactly the promised lines are new, and everything else is the same to the byte.

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
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-uid-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  return folder;
}

const write = (cwd: string, ...files: readonly string[]): Promise<CliResult> =>
  runCli(["uid", "--write", ...files], { cwd });

const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

const GROUP = lines(
  "# A group with everything that writing anew would change.",
  "x-env: &env",
  "  UMASK: 0644    # octal to some",
  "  ACCOUNT: 12345678901234567890",
  "  VERSION: 1.10",
  "  COUNTRY: no",
  "",
  "apiVersion: wgctl.dev/v1",
  "kind: WorkerGroup",
  "metadata:",
  "  name:   mailer   # >uid",
  "spec:",
  "  replicas:   2",
  "  template:",
  "    image: 'busybox:1.36'",
  '    command: [ "sh", \'-c\',   "sleep 1" ]',
  "    environment:",
  "      <<: *env",
  "      TIME: 22:22",
  "    stop_grace_period:    45s",
);

const PROJECT = lines("apiVersion: wgctl.dev/v1", "kind: Project", "metadata: {name: post}");

/** Where the text says so, the line that is to come; the rest stays. */
const expected = (text: string, uid: string, newLine = "\n") =>
  text.replace("# >uid", `# >uid${newLine}  uid: ${uid}`);

describe("exactly one line is new", () => {
  const crlf = GROUP.replaceAll("\n", "\r\n");
  it.each([
    ["with comments, anchors, octal-looking and long numbers", GROUP, "\n"],
    ["with CRLF", crlf, "\r\n"],
    ["with a byte order mark", `\uFEFF${GROUP}`, "\n"],
    ["with CRLF and a byte order mark", `\uFEFF${crlf}`, "\r\n"],
    ["without a newline at its end", GROUP.trimEnd(), "\n"],
    ["with an end of document and blank lines", `---\n${GROUP}...\n\n\n`, "\n"],
  ])("in a file %s", async (_, text, newLine) => {
    const cwd = await folderWith({ "a.yaml": text });
    const { code, stdout, stderr } = await write(cwd, "a.yaml");
    expect(code, stderr).toBe(0);
    const [uid = ""] = stdout.match(UID) ?? [];
    const bytes = await readFile(join(cwd, "a.yaml"));
    expect(bytes).toEqual(Buffer.from(expected(text, uid, newLine)));
    const line =
      expected(text, uid, newLine)
        .split("\n")
        .findIndex((each) => each.includes(uid)) + 1;
    expect(stdout).toBe(`a.yaml:${line}: mailer is ${uid}\n`);
    expect(await runCli(["validate", "-f", "a.yaml"], { cwd })).toMatchObject({ code: 0 });
  });

  it("in each document that lacks one, and another one in each", async () => {
    const text = `${GROUP}---\n${PROJECT}---\n${GROUP.replace("mailer", "other")}`;
    const cwd = await folderWith({ "a.yaml": text });
    const { stdout } = await write(cwd, "a.yaml");
    const [mailer = "", post = "", other = ""] = stdout.match(UID) ?? [];
    expect(new Set([mailer, post, other]).size).toBe(3);
    const [one = "", two = "", three = ""] = text.split("---\n");
    expect(await readFile(join(cwd, "a.yaml"), "utf8")).toBe(
      [
        expected(one, mailer),
        two.replace("{name: post}", `{name: post, uid: ${post}}`),
        expected(three, other),
      ].join("---\n"),
    );
  });

  it("and none the next time", async () => {
    const cwd = await folderWith({ "a.yaml": GROUP });
    await write(cwd, "a.yaml");
    const text = await readFile(join(cwd, "a.yaml"), "utf8");
    const before = await stat(join(cwd, "a.yaml"), { bigint: true });
    const { code, stdout } = await write(cwd, "a.yaml");
    expect([code, stdout]).toEqual([0, "a.yaml: every document has its uid\n"]);
    expect(await readFile(join(cwd, "a.yaml"), "utf8")).toBe(text);
    expect(await stat(join(cwd, "a.yaml"), { bigint: true })).toMatchObject({
      ino: before.ino,
      mtimeNs: before.mtimeNs,
    });
  });
});

describe("the file itself", () => {
  it("keeps its mode, and a link to it stays a link", async () => {
    const cwd = await folderWith({ "real.yaml": GROUP });
    await chmod(join(cwd, "real.yaml"), 0o640);
    await symlink("real.yaml", join(cwd, "link.yaml"));
    expect((await write(cwd, "link.yaml")).code).toBe(0);
    expect((await lstat(join(cwd, "link.yaml"))).isSymbolicLink()).toBe(true);
    expect((await stat(join(cwd, "real.yaml"))).mode & 0o777).toBe(0o640);
    expect(await readFile(join(cwd, "real.yaml"), "utf8")).toMatch(UID);
  });

  const latin1 = Buffer.from(GROUP.replace("some", "s\u00f6me"), "latin1");
  it.each<[string, string | Uint8Array, string]>([
    ["is not UTF-8", latin1, "bad.yaml is not UTF-8"],
    ["cannot be parsed", `${GROUP}\tx: 1\n`, "bad.yaml:21:1: error: a tab in the indentation"],
    ["has an alias of nothing", `${GROUP}x-a: *none\n`, "bad.yaml:21:6: error:"],
    [
      "names no group",
      GROUP.replace("  name:   mailer", "  labels: {}"),
      "no place to write a uid to",
    ],
  ])("that %s is left as it is, and so is the good one beside it", async (_, content, words) => {
    const cwd = await folderWith({ "good.yaml": GROUP, "bad.yaml": content });
    const { code, stdout, stderr } = await write(cwd, "good.yaml", "bad.yaml");
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain(words);
    expect(await readFile(join(cwd, "bad.yaml"))).toEqual(Buffer.from(content));
    expect(await readFile(join(cwd, "good.yaml"), "utf8")).toBe(GROUP);
  });

  it("has to be one", async () => {
    const cwd = await folderWith({});
    await mkdir(join(cwd, "folder"));
    for (const [file, words] of [
      ["none.yaml", "cannot read none.yaml: ENOENT"],
      ["folder", "cannot read folder: EISDIR"],
    ] as const) {
      const { code, stderr } = await write(cwd, file);
      expect(code).toBe(3);
      expect(stderr).toContain(words);
    }
  });

  it("that is named twice gets one uid", async () => {
    const cwd = await folderWith({ "a.yaml": GROUP });
    const { stdout } = await write(cwd, "a.yaml", "./a.yaml");
    const written = (await readFile(join(cwd, "a.yaml"), "utf8")).match(UID);
    expect(written).toHaveLength(1);
    expect(stdout.match(UID)).toEqual(written);
  });
});

describe("wgctl uid", () => {
  it("prints a new one every time", async () => {
    const cwd = await folderWith({});
    const runs = await Promise.all([runCli(["uid"], { cwd }), runCli(["uid"], { cwd })]);
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^${UID.source}\n$`));
    }
    expect(runs[0]?.stdout).not.toBe(runs[1]?.stdout);
  });

  it.each([
    [["uid", "a.yaml"], "files are given without --write"],
    [["uid", "--write"], "--write names no file"],
  ])("%j says what is missing", async (args, words) => {
    const { code, stderr } = await runCli(args, { cwd: await folderWith({}) });
    expect(code).toBe(3);
    expect(stderr).toContain(words);
  });
});
