import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectionFailure } from "../../../src/engine/docker/failure.ts";
import {
  afterPing,
  clientOf,
  failing,
  fake,
  GET,
  never,
  PONG,
  POST,
  rawServer,
} from "./clients.ts";
import { answerJson, type Handler, unixTarget } from "./fake-engine.ts";

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
    const target = await rawServer((socket) => {
      setTimeout(() => socket.write(PONG), 350); // twice that is too late, once is not
    });
    await expect(clientOf(target, 500).call(GET, never)).rejects.toThrow(
      failing("engine-timeout", ""),
    );
  });

  it("leaves the client usable", async () => {
    let hangs = true;
    const { target } = await fake((_, answer) => {
      if (!hangs) answerJson(answer, {});
    });
    const client = clientOf(target, 800);
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
