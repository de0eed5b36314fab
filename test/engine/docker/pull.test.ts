import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { answerError, type FakeEngine, type Handler, startFakeEngine } from "./fake-engine.ts";

const never = new AbortController().signal;
const SILENCE_MS = 600;

let folder: string;
let fake: FakeEngine;
let engine: Engine;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-pull-"));
});
afterEach(async () => {
  await engine.close();
  await fake.close();
  await rm(folder, { recursive: true });
});

async function open(handler: Handler): Promise<Engine> {
  fake = await startFakeEngine(handler);
  const environment = { DOCKER_CONFIG: folder, PATH: process.env["PATH"] };
  // The deadline of calls is short, to show that a pull is not held to it.
  const options = { environment, requestTimeoutMs: 100, pullSilenceMs: SILENCE_MS };
  engine = openDockerEngine(fake.target, options);
  return engine;
}

/** Answers with these JSON lines. */
const saying =
  (...lines: readonly object[]): Handler =>
  (_, answer) =>
    answer.end(lines.map((line) => `${JSON.stringify(line)}\r\n`).join(""));

async function pull(reference: string, handler: Handler): Promise<readonly string[]> {
  const lines: string[] = [];
  await (await open(handler)).pullImage(reference, (line) => lines.push(line), never);
  return lines;
}

it("names image and tag, and tells each step once", async () => {
  const lines = await pull(
    "ghcr.io/acme/mailer:1",
    saying(
      { status: "Pulling from acme/mailer", id: "1" },
      { status: "Downloading", id: "aa", progress: "[=> ]" },
      { status: "Downloading", id: "bb", progress: "[=> ]" },
      { status: "Downloading", id: "aa", progress: "[==>]" },
      { status: "Pull complete", id: "aa" },
      { status: "Status: Downloaded newer image" },
    ),
  );
  expect(lines).toEqual([
    "1: Pulling from acme/mailer",
    "aa: Downloading",
    "bb: Downloading",
    "aa: Pull complete",
    "Status: Downloaded newer image",
  ]);
  const [seen] = fake.seen;
  expect(Object.fromEntries(seen?.query ?? [])).toEqual({
    fromImage: "ghcr.io/acme/mailer",
    tag: "1",
  });
  expect(seen?.headers).not.toHaveProperty("x-registry-auth");
});

it("asks for a platform where one is wanted", async () => {
  const opened = await open(saying({ status: "ok" }));
  await opened.pullImage("mailer", () => undefined, never, "linux/arm64");
  expect(fake.seen[0]?.query.get("platform")).toBe("linux/arm64");
});

it("asks for a digest as a tag", async () => {
  const digest = `sha256:${"a".repeat(64)}`;
  await pull(`mailer@${digest}`, saying({ status: "ok" }));
  expect(fake.seen[0]?.query.get("tag")).toBe(digest);
});

describe("credentials", () => {
  const headerOf = () => fake.seen[0]?.headers["x-registry-auth"];

  it("go into the header", async () => {
    const auth = Buffer.from("me:pw").toString("base64");
    await writeFile(join(folder, "config.json"), JSON.stringify({ auths: { "reg.io": { auth } } }));
    await pull("reg.io/mailer", saying({ status: "ok" }));
    expect(JSON.parse(Buffer.from(String(headerOf()), "base64url").toString())).toEqual({
      serveraddress: "reg.io",
      username: "me",
      password: "pw",
    });
  });

  it("that cannot be had are told of, and the pull goes on without", async () => {
    await writeFile(join(folder, "config.json"), '{"credsStore":"is-not-installed"}');
    const lines = await pull("reg.io/mailer", saying({ status: "ok" }));
    expect(lines[0]).toMatch(/docker-credential-is-not-installed failed.*pulling without/);
    expect(headerOf()).toBeUndefined();
  });
});

describe("refusals", () => {
  const inStream = (error: string): Handler =>
    saying({ status: "Pulling" }, { error, errorDetail: {} });
  const asStatus =
    (status: number, message: string): Handler =>
    (_, answer) =>
      answerError(answer, status, message);

  it.each<[string, Handler, string, string | undefined]>([
    [
      "denied in the stream",
      inStream("unauthorized: authentication required"),
      "engine-denied",
      "docker login reg.io",
    ],
    [
      "denied by status 500",
      asStatus(500, "Head https://reg.io: no basic auth credentials"),
      "engine-denied",
      "docker login reg.io",
    ],
    [
      "denied by status 404",
      asStatus(
        404,
        "pull access denied for mailer, repository does not exist or may require 'docker login'",
      ),
      "engine-denied",
      "docker login reg.io",
    ],
    [
      "unknown in the stream",
      inStream("manifest for reg.io/mailer:1 not found: manifest unknown"),
      "engine-not-found",
      "name and tag",
    ],
    ["unknown by status", asStatus(404, "manifest unknown"), "engine-not-found", "name and tag"],
    [
      "registry down",
      asStatus(500, "received unexpected HTTP status: 503"),
      "engine-failed",
      undefined,
    ],
    ["disk full", inStream("write /layer: no space left on device"), "engine-failed", undefined],
    ["bad reference", asStatus(400, "invalid reference format"), "engine-rejected", undefined],
  ])("%s", async (_, handler, code, hint) => {
    await expect(pull("reg.io/mailer:1", handler)).rejects.toMatchObject({
      code,
      message: expect.stringContaining("cannot pull reg.io/mailer:1: "),
      hint: hint === undefined ? undefined : expect.stringContaining(hint),
    });
  });

  it("that break off are a failure", async () => {
    const half: Handler = (_, answer) => {
      answer.write('{"status":"Pul', () => answer.destroy());
    };
    await expect(pull("mailer", half)).rejects.toMatchObject({ code: "engine-failed" });
  });

  it("that are not JSON are a failure", async () => {
    await expect(pull("mailer", (_, answer) => answer.end("<html>\n"))).rejects.toMatchObject({
      code: "engine-failed",
    });
  });
});

describe("time", () => {
  it.each<[string, Handler]>([
    ["from the start", () => undefined],
    ["after a while", (_, answer) => void answer.write('{"status":"Pulling"}\n')],
  ])("runs out on silence %s", async (_, handler) => {
    await expect(pull("mailer", handler)).rejects.toMatchObject({
      code: "engine-timeout",
      message: "cannot pull mailer: nothing was heard for 0.6 s",
    });
  });

  it("does not run out while there is something to hear", async () => {
    const started = performance.now();
    await pull("mailer", (_, answer) => talk(answer, 14));
    expect(performance.now() - started).toBeGreaterThan(SILENCE_MS * 2);
  });

  function talk(answer: ServerResponse, times: number): void {
    if (times === 0) return void answer.end();
    answer.write(`{"status":"Downloading","id":"${times}"}\n`);
    setTimeout(() => talk(answer, times - 1), SILENCE_MS / 6);
  }

  it("ends when it is called off, and the engine sees it", async () => {
    const controller = new AbortController();
    let gone = false;
    const opened = await open((_, answer) => {
      answer.on("close", () => {
        gone = true;
      });
      answer.write('{"status":"Pulling"}\n');
    });
    const pulling = opened.pullImage("mailer", () => controller.abort(), controller.signal);
    await expect(pulling).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(() => gone).toBe(true);
  });
});

it("understands characters and lines that come in pieces", async () => {
  const bytes = Buffer.from('{"status":"größer"}\n{"status":"b"}');
  const lines = await pull("mailer", (_, answer) => {
    const dribble = (at: number) => {
      if (at >= bytes.length) return void answer.end();
      answer.write(bytes.subarray(at, at + 1), () => setImmediate(() => dribble(at + 1)));
    };
    dribble(0);
  });
  expect(lines).toEqual(["größer", "b"]);
});
