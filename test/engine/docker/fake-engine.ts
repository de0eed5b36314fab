// A server that answers as a test tells it, on a unix socket or over TLS, to show the adapter every kind of trouble.
// It answers pings by itself and writes down what it was asked.

import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { EngineTarget } from "../../../src/engine/docker/target.ts";

export type SeenRequest = {
  readonly method: string;
  /** Without the version. */
  readonly path: string;
  readonly version: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type Handler = (seen: SeenRequest, answer: ServerResponse) => void;

export type FakeEngine = {
  readonly target: EngineTarget;
  /** All requests but pings, in their order. */
  readonly seen: SeenRequest[];
  readonly pings: () => number;
  readonly connections: () => number;
  /** Closes the connections that are idle or busy, as an engine that restarts does. */
  cutConnections(): void;
  close(): Promise<void>;
};

/** The engine's clock in every answer. */
export const FAKE_DATE = "Sun, 29 Nov 2026 12:00:00 GMT";

export type FakeOptions = { readonly apiVersion?: string; readonly tls?: ServerOptions };

export async function startFakeEngine(
  handler: Handler,
  { apiVersion = "1.47", tls }: FakeOptions = {},
): Promise<FakeEngine> {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-fake-"));
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let pings = 0;
  let connections = 0;
  const listener: RequestListener = async (request, answer) => {
    answer.setHeader("Date", FAKE_DATE);
    answer.setHeader("Api-Version", apiVersion);
    if (request.url === "/_ping") {
      pings += 1;
      answer.end("OK");
      return;
    }
    const entry = await read(request);
    seen.push(entry);
    handler(entry, answer);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const path = join(folder, "docker.sock");
  await new Promise<void>((resolve) => {
    if (tls === undefined) server.listen(path, resolve);
    else server.listen(0, "127.0.0.1", resolve);
  });
  const cutConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    target: tls === undefined ? unixTarget(path) : tcpTarget(server.address()),
    seen,
    pings: () => pings,
    connections: () => connections,
    cutConnections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cutConnections();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function unixTarget(path: string): EngineTarget {
  return { endpoint: `unix://${path}`, route: { kind: "unix", path } };
}

function tcpTarget(address: AddressInfo | string | null): EngineTarget {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const { port } = address;
  return {
    endpoint: `tcp://127.0.0.1:${port}`,
    route: { kind: "tcp", host: "127.0.0.1", port, tls: undefined },
  };
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(request.url ?? "/", "http://engine");
  const [, version = "", path = url.pathname] = /^\/v([\d.]+)(\/.*)$/.exec(url.pathname) ?? [];
  return {
    method: request.method ?? "",
    path,
    version,
    query: url.searchParams,
    headers: request.headers,
    body: await text(request),
  };
}

/** Answers with JSON, or with the engine's form of an error. */
export function answerJson(answer: ServerResponse, body: unknown, status = 200): void {
  answer.writeHead(status, { "Content-Type": "application/json" });
  answer.end(JSON.stringify(body));
}

export function answerError(answer: ServerResponse, status: number, message: string): void {
  answerJson(answer, { message }, status);
}
