import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { hasCode } from "../../src/core/errors.ts";
import { acquireLock, type LockRequest, lockAddress } from "../../src/store/lock.ts";
import { holdOrAsk } from "../../src/store/socket-lock.ts";

let folder: string;
let script: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-lock-"));
  script = join(folder, "holder.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "lock-holder.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
  });
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Unique per test file run, so that nothing else on this host can hold it. */
const endpoint = `tcp://lock-test-${process.pid}:2375`;

type Holder = { readonly child: ChildProcess; next(): Promise<string> };

function startHolder(timeoutMs = 0, atEnd = "release", user: { uid?: number } = {}): Holder {
  const child = spawn(process.execPath, [script, endpoint, "-", String(timeoutMs), atEnd], {
    stdio: ["pipe", "pipe", "inherit"],
    ...user,
  });
  children.push(child);
  return { child, next: lineReader(createInterface({ input: child.stdout })) };
}

function lineReader(lines: Interface): () => Promise<string> {
  const iterator = lines[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await iterator.next();
    return done === true ? "(ended)" : String(value);
  };
}

function request(changes: Partial<LockRequest> = {}): LockRequest {
  return {
    endpoint,
    projectUid: undefined,
    facts: () => ({ pid: 1, user: "me", host: "here", command: "wgctl plan", startedAt: "now" }),
    timeoutMs: 0,
    onWait: () => {},
    ...changes,
  };
}

const never = new AbortController().signal;

async function messageOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
    return "(it was free)";
  } catch (error) {
    if (hasCode(error, "lock-held")) return error.message;
    throw error;
  }
}

test("one holder, and the next is told who it is", async () => {
  const holder = startHolder();
  expect(await holder.next()).toBe("held");
  expect(await messageOf(acquireLock(request(), never))).toBe(
    `the lock is held by pid ${holder.child.pid} (deploy@build-3, since 2026-11-29T12:00:00.000Z): wgctl apply`,
  );
});

test("of several started at once exactly one holds", async () => {
  const starters = Array.from({ length: 6 }, () => startHolder());
  const words = await Promise.all(starters.map((starter) => starter.next()));
  expect(words.filter((word) => word === "held")).toHaveLength(1);
  expect(words.filter((word) => word.startsWith("failed the lock is held by pid"))).toHaveLength(5);
});

test("a holder that was killed holds no more", async () => {
  const holder = startHolder();
  await holder.next();
  const ended = new Promise((resolve) => holder.child.once("exit", resolve));
  holder.child.kill("SIGKILL");
  await ended;
  const lock = await acquireLock(request(), never);
  await lock.release();
});

test("a stopped holder holds and does not answer", async () => {
  const holder = startHolder();
  await holder.next();
  holder.child.kill("SIGSTOP");
  expect(await messageOf(acquireLock(request(), never))).toBe(
    "the lock is held by a process that does not answer",
  );
});

test.runIf(process.getuid?.() === 0)("other users of the host share the lock", async () => {
  await chmod(folder, 0o755);
  const nobody = { uid: 65534 };
  const holder = startHolder(0, "release", nobody);
  expect(await holder.next()).toBe("held");
  expect(await messageOf(acquireLock(request(), never))).toMatch(
    new RegExp(`^the lock is held by pid ${holder.child.pid} \\(deploy@build-3`),
  );
  const third = startHolder(0, "release", { uid: 65533 });
  expect(await third.next()).toMatch(/^failed the lock is held by pid/);
});

test("waiting ends with the lock once its holder lets go", async () => {
  const holder = startHolder();
  await holder.next();
  const waiter = startHolder(20_000);
  expect(await waiter.next()).toMatch(/^waiting pid \d+ \(deploy@build-3, /);
  holder.child.stdin?.end();
  expect(await holder.next()).toBe("released");
  expect(await waiter.next()).toBe("held");
});

test("waiting ends without the lock once its time is over", async () => {
  const first = await acquireLock(request(), never);
  const told: string[] = [];
  const waiting = acquireLock(request({ timeoutMs: 500, onWait: (who) => told.push(who) }), never);
  expect(await messageOf(waiting)).toMatch(/^the lock is held by pid 1 .* \(waited 1s\)$/);
  expect(told).toHaveLength(1);
  await first.release();
});

test("an abort ends the waiting", async () => {
  const first = await acquireLock(request(), never);
  const abort = new AbortController();
  const waiting = acquireLock(
    request({ timeoutMs: 60_000, onWait: () => abort.abort() }),
    abort.signal,
  );
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  await first.release();
});

test.runIf(process.platform === "linux")(
  "its scope is told by everything that it excludes",
  async () => {
    const scopeOf = async (changes: Partial<LockRequest> = {}) => {
      const lock = await acquireLock(request(changes), never);
      await lock.release();
      return lock.scope();
    };
    const scope = await scopeOf();
    expect(scope).toMatch(/^[0-9a-f]{32}$/);
    expect(await scopeOf()).toBe(scope);
    const others = [
      await scopeOf({ projectUid: "p" }),
      await scopeOf({ endpoint: `${endpoint}0` }),
    ];
    expect(new Set([scope, ...others]).size).toBe(3);
  },
);

test("each project and each endpoint has a lock of its own", async () => {
  const locks = await Promise.all(
    [
      request(),
      request({ projectUid: "one" }),
      request({ projectUid: "two" }),
      request({ endpoint: `${endpoint}0` }),
    ].map((each) => acquireLock(each, never)),
  );
  expect(await messageOf(acquireLock(request({ projectUid: "two" }), never))).toMatch(/^the lock/);
  for (const lock of locks) await lock.release();
});

test("two paths to one unix socket share a lock", async () => {
  const path = join(folder, "engine.sock");
  await writeFile(path, "");
  await symlink(path, join(folder, "alias.sock"));
  const lock = await acquireLock(request({ endpoint: `unix://${path}` }), never);
  const alias = request({ endpoint: `unix://${join(folder, "alias.sock")}` });
  expect(await messageOf(acquireLock(alias, never))).toMatch(/^the lock is held by pid 1 /);
  await lock.release();
});

test("a released lock can be taken again, even with a client that never hangs up", async () => {
  const address = lockAddress(`idle-client-${process.pid}`, "linux");
  const outcome = await holdOrAsk(address, () => "{}");
  const idle = createConnection({ path: address, allowHalfOpen: true });
  await new Promise((resolve) => idle.once("connect", resolve));
  if (outcome.kind === "held") await outcome.socket.release();
  const again = await holdOrAsk(address, () => "{}");
  expect(again.kind).toBe("held");
  if (again.kind === "held") await again.socket.release();
  idle.destroy();
});

test("a held lock does not keep its process alive", async () => {
  const holder = startHolder(0, "keep");
  await holder.next();
  const ended = new Promise((resolve) => holder.child.once("exit", resolve));
  holder.child.stdin?.end();
  expect(await ended).toBe(0);
});

test("a holder's words cannot steer a terminal", async () => {
  const facts = () => ({ ...request().facts(), command: "wgctl \u001b[31mapply\u0007\nx" });
  const lock = await acquireLock(request({ facts }), never);
  expect(await messageOf(acquireLock(request(), never))).toMatch(/: wgctl \?\[31mapply\?\?x$/);
  await lock.release();
});

test("where sockets are files, one that a killed holder left behind is taken over", async () => {
  const address = join(folder, "left.sock");
  const first = await holdOrAsk(address, () => "first");
  expect(first.kind).toBe("held");
  expect(await holdOrAsk(address, () => "second")).toEqual({ kind: "taken", answer: "first" });
  if (first.kind === "held") await first.socket.release();

  const leftover = spawn(process.execPath, [
    "-e",
    `require("node:net").createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, "SIGKILL"))`,
  ]);
  await new Promise((resolve) => leftover.once("exit", resolve));
  const second = await holdOrAsk(address, () => "second");
  expect(second.kind).toBe("held");
  if (second.kind === "held") await second.socket.release();
});

test("the address on Linux says what is locked, or is a digest of that where it is too long", () => {
  expect(lockAddress("p@unix:///run/docker.sock", "linux")).toBe(
    "\0wgctl/p@unix:///run/docker.sock",
  );
  expect(lockAddress("k".repeat(100), "linux")).toBe(`\0wgctl/${"k".repeat(100)}`);
  const long = lockAddress("k".repeat(101), "linux");
  expect(long).toMatch(/^\0wgctl\/[0-9a-f]{32}$/);
  expect(lockAddress("é".repeat(51), "linux")).toMatch(/^\0wgctl\/[0-9a-f]{32}$/);
  expect(lockAddress("k".repeat(102), "linux")).not.toBe(long);
});

test("the address elsewhere is a file", () => {
  const address = lockAddress("p@unix:///run/docker.sock", "darwin");
  expect(address.startsWith(join(tmpdir(), "wgctl-"))).toBe(true);
  expect(address).toMatch(/wgctl-[0-9a-f]{16}\.sock$/);
});
