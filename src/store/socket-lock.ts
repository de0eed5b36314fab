// Holds a local socket address as a lock: whoever listens on it has it, and the kernel takes it back when that
// process ends, however it ends. A server answers each connection with one line about its holder.

import { rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { WgctlError } from "../core/errors.ts";
import { errnoOf } from "./errno.ts";

const ANSWER_WITHIN_MS = 500;
const MAX_ANSWER_LENGTH = 4096;
/** How often an address may be taken and yet nobody be there, before we stop believing that it is changing hands. */
const TRIES = 10;

export type HeldSocket = {
  /** Frees the address. */
  release(): Promise<void>;
};

export type HoldOutcome =
  | { readonly kind: "held"; readonly socket: HeldSocket }
  /** `answer` is what the holder says; undefined: it does not answer. */
  | { readonly kind: "taken"; readonly answer: string | undefined };

/**
 * Takes the address, or asks whoever has it, once. An address that starts with a NUL is abstract (Linux); any
 * other is a file, which is removed when nobody listens on it. Two processes that find the same leftover file
 * in the same instant could both take it: only abstract addresses are free of that.
 */
export async function holdOrAsk(address: string, line: () => string): Promise<HoldOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const server = await listen(address, line);
    if (server !== undefined) return { kind: "held", socket: { release: () => close(server) } };
    const answer = await ask(address);
    if (answer.kind !== "gone") {
      return { kind: "taken", answer: answer.kind === "line" ? answer.line : undefined };
    }
    if (isFile(address)) await rm(address, { force: true });
    await delay(attempt);
  }
  return { kind: "taken", answer: undefined };
}

function isFile(address: string): boolean {
  return !address.startsWith("\0");
}

/** A listening server that keeps no process alive; undefined: the address is taken. */
function listen(address: string, line: () => string): Promise<Server | undefined> {
  const server = createServer((socket) => reply(socket, line));
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      if (errnoOf(error) === "EADDRINUSE") resolve(undefined);
      else reject(cannotHold(address, error));
    });
    // A file's permissions must let other users in to ask; an abstract address has none.
    const others = isFile(address) ? { readableAll: true, writableAll: true } : {};
    server.listen({ path: address, ...others }, () => {
      server.unref();
      resolve(server);
    });
  });
}

function reply(socket: Socket, line: () => string): void {
  socket.unref();
  socket.on("error", () => socket.destroy());
  socket.end(`${line()}\n`, () => socket.destroy());
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function cannotHold(address: string, cause: Error): WgctlError {
  const place = address.replace("\0", "@");
  return new WgctlError(
    "state-unusable",
    `cannot take the process lock ${place}: ${errnoOf(cause)}`,
    {
      cause,
    },
  );
}

type Answer =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "silent" }
  /** Nobody listens there any more. */
  | { readonly kind: "gone" };

function ask(address: string): Promise<Answer> {
  const socket = connect({ path: address });
  socket.setEncoding("utf8");
  return new Promise((resolve) => {
    let received = "";
    const settle = (answer: Answer) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => settle({ kind: "silent" }), ANSWER_WITHIN_MS);
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (received.includes("\n") || received.length > MAX_ANSWER_LENGTH)
        settle(answerOf(received));
    });
    socket.on("end", () => settle({ kind: "gone" }));
    socket.on("error", (error) => settle({ kind: isGone(error) ? "gone" : "silent" }));
  });
}

function answerOf(received: string): Answer {
  const end = received.indexOf("\n");
  return end < 0 ? { kind: "silent" } : { kind: "line", line: received.slice(0, end) };
}

function isGone(error: Error): boolean {
  return ["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE"].includes(errnoOf(error) ?? "");
}
