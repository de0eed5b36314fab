// One HTTP exchange with a deadline and an abort. Knows nothing of Docker; statuses are judged by the caller.

import { setMaxListeners } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { WgctlError } from "../../core/errors.ts";
import { connectionFailure, errorCode, nonsense } from "./failure.ts";

/**
 * Runs work that ends at the latest after that time (ms) or when the outer signal fires.
 * The inner signal's reason is the error to throw: `late()` or an `aborted` one. `extend` begins the time anew.
 */
export async function withDeadline<T>(
  milliseconds: number,
  late: () => WgctlError,
  outer: AbortSignal,
  work: (inner: AbortSignal, extend: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(calledOff(outer));
  if (outer.aborted) throw calledOff(outer);
  // One signal serves every call of a run; Node would take more than ten of them for a leak.
  setMaxListeners(0, outer);
  outer.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => controller.abort(late()), milliseconds);
  try {
    return await work(controller.signal, () => timer.refresh());
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", abort);
  }
}

/** A deadline around several calls ends each of them with its own error. */
function calledOff({ reason }: AbortSignal): WgctlError {
  return reason instanceof WgctlError ? reason : aborted();
}

/** The error of a call that the caller called off. */
export function aborted(): WgctlError {
  return new WgctlError("aborted", "the call to the engine was called off");
}

/**
 * Sends a request and resolves when the answer begins.
 * A connection that breaks before that is `engine-unreachable`; the signal's reason is thrown as it is.
 */
export function send(
  request: ClientRequest,
  body: string | undefined,
  endpoint: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => request.destroy(reasonOf(signal));
    request.once("response", resolve);
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.on("error", (error) => reject(connectionFailure(endpoint, error)));
    signal.addEventListener("abort", abort, { once: true });
    request.end(body);
    if (signal.aborted) abort();
  });
}

/** True when a kept connection had gone stale: the engine closed it before it saw the request. */
export function wentStale(request: ClientRequest, error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return request.reusedSocket && ["ECONNRESET", "EPIPE"].includes(errorCode(cause));
}

/** Reads a whole answer as text. One that breaks off or is longer than `limit` bytes is `engine-failed`. */
export async function readText(
  answer: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<string> {
  const bytes = await readUpTo(answer, limit, signal);
  if (bytes.length > limit) throw nonsense(`it is longer than ${limit} bytes`);
  return bytes.toString("utf8");
}

/** Reads the beginning of an answer that explains a failure; what cannot be read is left out. */
export async function readBeginning(
  answer: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<string> {
  // The status is known and says what failed, so a broken explanation must not hide it.
  const bytes = await readUpTo(answer, limit, signal).catch(() => Buffer.alloc(0));
  return bytes.subarray(0, limit).toString("utf8");
}

// By events and not by iteration, which costs as much again as the rest of a small call.
function readUpTo(answer: IncomingMessage, limit: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isWhole = false;
    const finish = () => {
      isWhole = true;
      resolve(Buffer.concat(chunks));
    };
    answer.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= limit) return;
      finish();
      answer.destroy();
    });
    answer.once("end", finish);
    answer.once("error", (error) => reject(brokenOff(error, signal)));
    // It ends in any case, and an error takes its time to make even where nobody waits for it any more.
    answer.once("close", () => isWhole || reject(brokenOff(undefined, signal)));
  });
}

/** The pieces of a long answer as they come in; throws the signal's reason, or `engine-failed` where it breaks off. */
export async function* readChunks(
  answer: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of answer) yield chunk;
  } catch (error) {
    throw brokenOff(error, signal);
  }
  // An answer without a length just ends where its connection is cut.
  if (signal.aborted) throw brokenOff(undefined, signal);
}

function brokenOff(cause: unknown, signal: AbortSignal): Error {
  return signal.aborted ? reasonOf(signal) : nonsense("it broke off", cause);
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : aborted();
}
