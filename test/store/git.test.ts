import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeCommit } from "../../src/store/git.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wgctl-git-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

function git(...words: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  return execFileSync("git", [...identity, ...words], { cwd: root, encoding: "utf8" }).trim();
}

async function commitAll(): Promise<string> {
  git("init", "-q");
  await mkdir(join(root, "groups"));
  await writeFile(join(root, "groups/mailer.yaml"), "a: 1\n");
  await writeFile(join(root, "README.md"), "");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  return git("rev-parse", "HEAD");
}

test("outside a repository there is no commit", async () => {
  expect(await describeCommit(root)).toBeUndefined();
});

test("before the first commit there is none", async () => {
  git("init", "-q");
  expect(await describeCommit(root)).toBeUndefined();
});

test("in a folder that is not there is none", async () => {
  expect(await describeCommit(join(root, "nowhere"))).toBeUndefined();
});

test("a clean tree is its commit", async () => {
  const commit = await commitAll();
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(await describeCommit(join(root, "groups"))).toBe(commit);
});

test.each(["groups/mailer.yaml", "groups/new.yaml"])("a change of %s is dirty", async (path) => {
  const commit = await commitAll();
  await writeFile(join(root, path), "a: 2\n");
  expect(await describeCommit(join(root, "groups"))).toBe(`${commit}-dirty`);
});

test("a change elsewhere in the repository does not count", async () => {
  const commit = await commitAll();
  await writeFile(join(root, "README.md"), "changed");
  expect(await describeCommit(join(root, "groups"))).toBe(commit);
});

test("asking does not touch the index", async () => {
  await commitAll();
  // A new mtime with the same content makes an ordinary `git status` refresh the index.
  const past = new Date("2020-01-01T00:00:00Z");
  await utimes(join(root, "groups/mailer.yaml"), past, past);
  const before = await stat(join(root, ".git/index"));
  await describeCommit(root);
  expect((await stat(join(root, ".git/index"))).mtimeMs).toBe(before.mtimeMs);
});
