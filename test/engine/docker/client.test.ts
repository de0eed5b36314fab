import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Call, DockerClient } from "../../../src/engine/docker/client.ts";
import { connectionFailure } from "../../../src/engine/docker/failure.ts";
import type { EngineTarget } from "../../../src/engine/docker/target.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type FakeOptions,
  type Handler,
  startFakeEngine,
  unixTarget,
} from "./fake-engine.ts";

const never = new AbortController().signal;
const GET: Call = { method: "GET", path: "/thing", what: "get the thing" };
const POST: Call = { method: "POST", path: "/thing", body: { a: 1 }, what: "make the thing" };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function fake(handler: Handler, options?: FakeOptions): Promise<FakeEngine> {
  const engine = await startFakeEngine(handler, options);
  closing.push(() => engine.close());
  return engine;
}

function clientOf(target: EngineTarget, requestTimeoutMs = 5_000): DockerClient {
  const client = new DockerClient(target, { environment: {}, requestTimeoutMs });
  closing.push(() => client.close());
  return client;
}

const failing = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("version", () => {
  it.each([
    ["1.41", "1.41"],
    ["1.47", "1.47"],
    ["1.51", "1.51"],
    ["1.99", "1.51"],
  ])("of an engine at %s is %s", async (apiVersion, used) => {
    const engine = await fake((_, answer) => answerJson(answer, {}), { apiVersion });
    const client = clientOf(engine.target);
    await client.call(GET, never);
    await client.call(GET, never);
    expect(engine.seen.map(({ version }) => version)).toEqual([used, used]);
    expect(engine.pings()).toBe(1);
  });

  it.each(["1.40", "1.9"])("%s is refused", async (apiVersion) => {
    const { target, seen } = await fake(() => undefined, { apiVersion });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("refused", `speaks API ${apiVersion}, wgctl needs 1.41`),
    );
    expect(seen).toEqual([]);
  });

  it("of something that is no Docker engine is nonsense", async () => {
    const { target } = await fake(() => undefined, { apiVersion: "v3" });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "no Docker engine"),
    );
  });
});

describe("answers", () => {
  it.each([
    [400, "engine-rejected"],
    [401, "engine-denied"],
    [403, "engine-denied"],
    [404, "engine-not-found"],
    [409, "engine-conflict"],
    [500, "engine-failed"],
    [503, "engine-failed"],
  ])("of status %i are %s, in the engine's words", async (status, code) => {
    const { target } = await fake((_, answer) => answerError(answer, status, " no\n  such thing "));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      expect.objectContaining({ code, message: "cannot get the thing: no such thing" }),
    );
  });

  it.each([200, 201, 204, 304])("of status %i are success", async (status) => {
    const { target } = await fake((_, answer) => answer.writeHead(status).end());
    await expect(clientOf(target).call(GET, never)).resolves.toMatchObject({ text: "" });
  });

  it("that redirect are nonsense", async () => {
    const { target } = await fake((_, answer) => answer.writeHead(301).end());
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "301"),
    );
  });

  it.each([
    ["plain text", "page\nnot found", "cannot get the thing: page not found"],
    ["nothing", "", "cannot get the thing: HTTP status 500"],
    ["other JSON", "[1]", "cannot get the thing: [1]"],
  ])("fail with %s too", async (_, body, message) => {
    const { target } = await fake((__, answer) => answer.writeHead(500).end(body));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(message);
  });

  it("fail with endless words cut short", async () => {
    const { target } = await fake((_, answer) => {
      answer.writeHead(500);
      const more = () => {
        while (!answer.destroyed && answer.write("x".repeat(60_000)));
        answer.once("drain", more);
      };
      more();
    });
    const error = await clientOf(target).call(GET, never).catch(String);
    expect(error).toMatch(/^WgctlError: cannot get the thing: x{500}\.\.\.$/);
  });

  it.each([
    ["not JSON", "{"],
    ["empty", ""],
  ])("that are %s are nonsense to read", async (_, body) => {
    const { target } = await fake((__, answer) => answer.end(body));
    await expect(clientOf(target).read(GET, never)).rejects.toThrow(
      failing("engine-failed", "it is not JSON"),
    );
  });

  it("without a date are nonsense to whoever asks for the time", async () => {
    const { target } = await fake((_, answer) => {
      answer.removeHeader("Date");
      answer.sendDate = false;
      answerJson(answer, {});
    });
    const { date } = await clientOf(target).read(GET, never);
    expect(date).toThrow(failing("engine-failed", "date"));
  });

  it("carry the engine's clock", async () => {
    const { target } = await fake((_, answer) => answerJson(answer, {}));
    const { date } = await clientOf(target).read(GET, never);
    expect(date()).toBe(Date.UTC(2026, 10, 29, 12));
  });
});

it("sends a body as JSON with its length, and a query", async () => {
  const engine = await fake((_, answer) => answerJson(answer, {}));
  await clientOf(engine.target).call({ ...POST, query: { name: "a b&c" } }, never);
  const [seen] = engine.seen;
  expect(seen).toMatchObject({ method: "POST", path: "/thing", body: '{"a":1}' });
  expect(seen?.query.get("name")).toBe("a b&c");
  expect(seen?.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": "7",
  });
});

describe("no connection", () => {
  it("is unreachable where there is no socket", async () => {
    await expect(clientOf(unixTarget("/nowhere/docker.sock")).call(GET, never)).rejects.toThrow(
      expect.objectContaining({
        code: "engine-unreachable",
        message: expect.stringContaining("unix:///nowhere/docker.sock"),
        hint: expect.stringContaining("is the engine running?"),
      }),
    );
  });

  it("is unreachable where nobody listens", async () => {
    const folder = await mkdtemp(join(tmpdir(), "wgctl-client-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "docker.sock");
    await writeFile(path, "");
    await expect(clientOf(unixTarget(path)).call(GET, never)).rejects.toThrow(
      failing("engine-unreachable", "ECONNREFUSED"),
    );
  });

  it.each([
    ["EACCES", "lacks permission"],
    ["EPERM", "lacks permission"],
    ["ENOTFOUND", "name of the engine's host"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificates"],
    ["ECONNREFUSED", "is the engine running?"],
  ])("by %s comes with a hint", (code, hint) => {
    const cause = Object.assign(new Error("connect failed"), { code });
    expect(connectionFailure("unix:///s", cause)).toMatchObject({
      code: "engine-unreachable",
      message: "cannot reach the engine at unix:///s: connect failed",
      hint: expect.stringContaining(hint),
      cause,
    });
  });

  it("by several addresses in vain still says why", () => {
    const cause = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    expect(connectionFailure("tcp://a", cause).message).toContain("ECONNREFUSED");
  });
});

/** A server that does with a connection as it likes, HTTP or not. */
async function rawServer(onData: (socket: Socket, data: string) => void): Promise<EngineTarget> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-raw-"));
  const path = join(folder, "s");
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => onData(socket, data.toString()));
  });
  await once(server.listen(path), "listening");
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return unixTarget(path);
}

const PONG = "HTTP/1.1 200 OK\r\nApi-Version: 1.47\r\nContent-Length: 2\r\n\r\nOK";
const afterPing = (then: (socket: Socket) => void) => (socket: Socket, data: string) =>
  data.includes("/_ping") ? socket.write(PONG) : then(socket);

describe("broken connections", () => {
  it("before an answer are unreachable", async () => {
    const { target } = await fake((_, answer) => answer.destroy());
    await expect(clientOf(target).call(POST, never)).rejects.toThrow(
      failing("engine-unreachable", "cannot reach the engine"),
    );
  });

  it("within the head of an answer are unreachable", async () => {
    const target = await rawServer(afterPing((socket) => socket.end("HTTP/1.1 200 OK\r\nDa")));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-unreachable", ""),
    );
  });

  it.each([
    ["of known length", { "Content-Length": "1000" }],
    ["in chunks", {}],
  ])("within an answer %s are a failure", async (_, headers) => {
    const { target } = await fake((__, answer) => {
      answer.writeHead(200, headers);
      answer.write('{"half":', () => answer.destroy());
    });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "broke off"),
    );
  });

  it("within the words of a failure do not hide the failure", async () => {
    const { target } = await fake((_, answer) => {
      answer.writeHead(409, { "Content-Length": "1000" });
      answer.write("half", () => answer.destroy());
    });
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-conflict", "HTTP status 409"),
    );
  });

  it("that do not speak HTTP are a failure", async () => {
    const target = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    await expect(clientOf(target).call(GET, never)).rejects.toThrow(
      failing("engine-failed", "does not speak HTTP"),
    );
  });
});

describe("stale connections", () => {
  /** Answers the first request on each connection and drops the connection at the second. */
  const onceOnly = () => {
    const used = new Set<unknown>();
    return rawServer((socket, data) => {
      if (data.includes("/_ping") || !used.has(socket)) {
        if (!data.includes("/_ping")) used.add(socket);
        socket.write(PONG);
      } else socket.destroy();
    });
  };

  it("are replaced for a read", async () => {
    const client = clientOf(await onceOnly());
    await client.call(GET, never);
    await expect(client.call(GET, never)).resolves.toMatchObject({ text: "OK" });
  });

  it("are not used twice for a write, which may have arrived", async () => {
    const client = clientOf(await onceOnly());
    await client.call(GET, never);
    await expect(client.call(POST, never)).rejects.toThrow(failing("engine-unreachable", ""));
  });
});

describe("time", () => {
  const hang: Handler = () => undefined;

  it.each<[string, Handler]>([
    ["hangs", hang],
    ["begins its answer and hangs", (_, answer) => answer.writeHead(200).write("{")],
    ["drips", (_, answer) => void drip(answer)],
  ])("runs out when the engine %s", async (_, handler) => {
    const { target } = await fake(handler);
    await expect(clientOf(target, 150).call(GET, never)).rejects.toThrow(
      expect.objectContaining({
        code: "engine-timeout",
        message: expect.stringMatching(/cannot get the thing: .* did not answer within 0.15 s/),
      }),
    );
  });

  function drip(answer: { write(text: string): boolean; readonly destroyed: boolean }): void {
    if (answer.destroyed) return;
    answer.write(" ");
    setTimeout(() => drip(answer), 10);
  }

  it("runs out when it does not even answer a ping", async () => {
    const target = await rawServer(() => undefined);
    await expect(clientOf(target, 100).call(GET, never)).rejects.toThrow(
      failing("engine-timeout", "did not answer within 0.1 s"),
    );
  });

  it("covers the ping and the call together", async () => {
    const target = await rawServer((socket, data) => {
      if (data.includes("/_ping")) setTimeout(() => socket.write(PONG), 120);
    });
    const started = performance.now();
    await expect(clientOf(target, 200).call(GET, never)).rejects.toThrow(
      failing("engine-timeout", ""),
    );
    expect(performance.now() - started).toBeLessThan(300);
  });

  it("leaves the client usable", async () => {
    let hangs = true;
    const { target } = await fake((_, answer) => {
      if (!hangs) answerJson(answer, {});
    });
    const client = clientOf(target, 100);
    await expect(client.call(GET, never)).rejects.toThrow(failing("engine-timeout", ""));
    hangs = false;
    await expect(client.call(GET, never)).resolves.toMatchObject({ text: "{}" });
  });
});

describe("abort", () => {
  it("before the call makes none", async () => {
    const engine = await fake((_, answer) => answerJson(answer, {}));
    await expect(clientOf(engine.target).call(GET, AbortSignal.abort())).rejects.toThrow(
      failing("aborted", ""),
    );
    expect(engine.connections()).toBe(0);
  });

  it.each<[string, (abort: () => void) => Handler]>([
    ["while waiting", (abort) => () => abort()],
    [
      "within an answer",
      (abort) => (_, answer) => {
        answer.write("{", () => setTimeout(abort, 20));
      },
    ],
  ])("%s ends the call", async (_, handler) => {
    const controller = new AbortController();
    const { target } = await fake(handler(() => controller.abort(new Error("ctrl-c"))));
    await expect(clientOf(target).call(GET, controller.signal)).rejects.toThrow(
      failing("aborted", "called off"),
    );
  });
});

it("serves many calls under one signal without a warning, and keeps their connections", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warned.mockRestore());
  const engine = await fake((_, answer) => answerJson(answer, {}));
  const client = clientOf(engine.target);
  const { signal } = new AbortController();
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 20 }, () => client.call(GET, signal)));
  }
  expect(warned).not.toHaveBeenCalled();
  expect(engine.seen).toHaveLength(80);
  expect(engine.connections()).toBeLessThanOrEqual(20);
});

it("finds the engine again after its restart", async () => {
  const engine = await fake((_, answer) => answerJson(answer, {}));
  const client = clientOf(engine.target);
  await client.call(GET, never);
  engine.cutConnections();
  await expect(client.call(GET, never)).resolves.toMatchObject({ text: "{}" });
});
