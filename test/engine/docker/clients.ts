// Clients of fake engines that a test makes and does not have to close.

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Call, DockerClient } from "../../../src/engine/docker/client.ts";
import type { EngineTarget } from "../../../src/engine/docker/target.ts";
import {
  type FakeEngine,
  type FakeOptions,
  type Handler,
  startFakeEngine,
  unixTarget,
} from "./fake-engine.ts";

export const never = new AbortController().signal;
export const GET: Call = { method: "GET", path: "/thing", what: "get the thing" };
export const POST: Call = {
  method: "POST",
  path: "/thing",
  body: { a: 1 },
  what: "make the thing",
};

/** A fake engine until the end of the test. */
export async function fake(handler: Handler, options?: FakeOptions): Promise<FakeEngine> {
  const engine = await startFakeEngine(handler, options);
  onTestFinished(() => engine.close());
  return engine;
}

/** A client until the end of the test. */
export function clientOf(target: EngineTarget, requestTimeoutMs = 5_000): DockerClient {
  const client = new DockerClient(target, { environment: {}, requestTimeoutMs });
  onTestFinished(() => client.close());
  return client;
}

export const failing = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

/** A server that does with a connection as it likes, HTTP or not. */
export async function rawServer(
  onData: (socket: Socket, data: string) => void,
): Promise<EngineTarget> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-raw-"));
  const path = join(folder, "s");
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => onData(socket, data.toString()));
  });
  await once(server.listen(path), "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return unixTarget(path);
}

export const PONG = "HTTP/1.1 200 OK\r\nApi-Version: 1.47\r\nContent-Length: 2\r\n\r\nOK";
/** Answers pings and leaves the rest to the test. */
export const afterPing = (then: (socket: Socket) => void) => (socket: Socket, data: string) =>
  data.includes("/_ping") ? socket.write(PONG) : then(socket);
