import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive } from "../../../scripts/lib/process.mjs";
import { DockerClient } from "../../../src/engine/docker/client.ts";
import { sshArguments } from "../../../src/engine/docker/ssh.ts";
import { parseHost } from "../../../src/engine/docker/target.ts";
import { waitFor } from "../../support/wait.ts";
import { answerJson, type FakeEngine, type Handler, startFakeEngine } from "./fake-engine.ts";

const never = new AbortController().signal;
const GET = { method: "GET", path: "/thing", what: "get the thing" } as const;

let folder: string;
let engine: FakeEngine;
let client: DockerClient;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wgctl-ssh-"));
});
afterEach(async () => {
  await client.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** A client through an `ssh` on the PATH that notes its pid and arguments, then runs `script`. */
async function open(handler: Handler, script = 'exec "$NODE" "$BRIDGE"', timeoutMs = 10_000) {
  engine = await startFakeEngine(handler);
  const noted = `#!/bin/sh\necho "$$ $*" >> "${join(folder, "calls")}"\n${script}\n`;
  writeFileSync(join(folder, "ssh"), noted, { mode: 0o755 });
  const environment = {
    PATH: `${folder}:${process.env["PATH"]}`,
    NODE: process.execPath,
    BRIDGE: join(import.meta.dirname, "ssh-bridge.mjs"),
    SSH_BRIDGE_SOCKET: engine.target.endpoint.slice("unix://".length),
  };
  const target = parseHost("ssh://me@build:2222", undefined, "--host");
  client = new DockerClient(target, { environment, requestTimeoutMs: timeoutMs });
  return client;
}

const calls = () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");
const pids = () => calls().map((line) => Number(line.split(" ")[0]));
const allEnded = () => waitFor("the ssh processes to end", () => !pids().some(isAlive));

it("speaks HTTP through one process for call after call", async () => {
  await open((_, answer) => answerJson(answer, { text: "ä".repeat(200_000) }));
  for (let turn = 0; turn < 5; turn++) {
    const { text } = await client.call(GET, never);
    expect(text).toHaveLength(200_011);
  }
  expect(calls()).toHaveLength(1);
  expect(calls()[0]).toMatch(/ -l me -p 2222 -- build docker system dial-stdio$/);
  await client.close();
  await allEnded();
});

it("takes large bodies", async () => {
  await open(({ body }, answer) => answerJson(answer, body.length));
  const body = "x".repeat(2_000_000);
  const { text } = await client.call({ ...GET, method: "POST", body }, never);
  expect(text).toBe(String(body.length + 2));
});

it("makes four processes at most, however many calls there are at a time", async () => {
  await open((_, answer) => answerJson(answer, {}));
  await Promise.all(Array.from({ length: 30 }, () => client.call(GET, never)));
  expect(calls().length).toBeLessThanOrEqual(4);
  expect(engine.seen).toHaveLength(30);
});

it("gives a stream a process of its own, which ends with it", async () => {
  await open((_, answer) => answer.write("{"));
  const controller = new AbortController();
  const answer = await client.stream(GET, controller.signal);
  answer.on("error", () => undefined);
  expect(calls()).toHaveLength(2); // the ping has the other one
  controller.abort();
  await waitFor("the stream's process to end", () => pids().filter(isAlive).length === 1);
});

it.each([
  [
    "what ssh says",
    "echo 'me@build: Permission denied (publickey).' >&2; exit 255",
    "ssh://me@build:2222: me@build: Permission denied (publickey).",
  ],
  [
    "that docker is missing there",
    "echo 'sh: docker: not found' >&2; exit 127",
    "ssh://me@build:2222: sh: docker: not found",
  ],
  ["that it ended without a word", "exit 0", "cannot reach the engine at ssh://me@build:2222"],
])("tells %s", async (_, script, message) => {
  await open(() => undefined, script);
  await expect(client.call(GET, never)).rejects.toMatchObject({
    code: "engine-unreachable",
    message: expect.stringContaining(message),
  });
});

it("tells that there is no ssh", async () => {
  await open(() => undefined);
  rmSync(join(folder, "ssh"));
  await client.close();
  const target = parseHost("ssh://build", undefined, "--host");
  client = new DockerClient(target, { environment: { PATH: folder }, requestTimeoutMs: 5000 });
  await expect(client.call(GET, never)).rejects.toMatchObject({
    code: "engine-unreachable",
    message: expect.stringContaining("ENOENT"),
  });
});

it("runs out of time when ssh hangs, and ends it", async () => {
  await open(() => undefined, "exec sleep 60", 300);
  await expect(client.call(GET, never)).rejects.toMatchObject({ code: "engine-timeout" });
  await allEnded();
});

it("asks for a socket that the host names, and never asks a person", () => {
  const { route } = parseHost("ssh://build/run/user/1000/docker.sock", undefined, "--host");
  if (route.kind !== "ssh") throw new Error("no ssh");
  expect(sshArguments(route.destination).join(" ")).toBe(
    "-o BatchMode=yes -o ConnectTimeout=30 -T -- build docker --host unix:///run/user/1000/docker.sock system dial-stdio",
  );
});
