// Calls of the Docker Engine API: version, deadlines, and failures as `WgctlError`. Knows no endpoint by itself.

import type { IncomingMessage } from "node:http";
import { WgctlError } from "../../core/errors.ts";
import type { Environment } from "./dockerconfig.ts";
import { readBeginning, readText, send, wentStale, withDeadline } from "./exchange.ts";
import { answerFailure, nonsense } from "./failure.ts";
import type { EngineTarget } from "./target.ts";
import { readDate } from "./time.ts";
import { openTransport, type Transport } from "./transport.ts";
import { parseJson, root, type Wire } from "./wire.ts";

/** One call of the API. */
export type Call = {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below the version: `/containers/json`. Whatever comes from outside is encoded in it. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Completes "cannot ..." in messages. */
  readonly what: string;
};

export type ClientOptions = {
  /** For the programs that are run: ssh and credential helpers; and where the docker config is. */
  readonly environment: Environment;
  /** Milliseconds from the start of a call to the end of its answer. */
  readonly requestTimeoutMs: number;
};

/** Minor numbers of API 1.x. */
const OLDEST_API = 41;
const NEWEST_API = 51;

const LONGEST_ANSWER = 256 * 1024 * 1024;
const LONGEST_FAILURE = 64 * 1024;

/** A client of one engine. Connects with its first call. */
export class DockerClient {
  readonly endpoint: string;
  readonly environment: Environment;
  readonly #target: EngineTarget;
  readonly #timeoutMs: number;
  #transport: Promise<Transport> | undefined;
  #version: Promise<number> | undefined;

  constructor(target: EngineTarget, options: ClientOptions) {
    this.endpoint = target.endpoint;
    this.environment = options.environment;
    this.#target = target;
    this.#timeoutMs = options.requestTimeoutMs;
  }

  /** Makes a call and reads its whole answer: its text, and the engine's clock in milliseconds. */
  async call(call: Call, signal: AbortSignal): Promise<{ text: string; date: () => number }> {
    return this.bounded(call.what, signal, async (inner) => {
      const answer = await this.#begin(call, "call", inner);
      const text = await readText(answer, LONGEST_ANSWER, inner);
      return { text, date: () => readDate(answer.headers.date) };
    });
  }

  /** Makes a call that answers with JSON. */
  async read(call: Call, signal: AbortSignal): Promise<{ wire: Wire; date: () => number }> {
    const { text, date } = await this.call(call, signal);
    return { wire: root(parseJson(text), call.path), date };
  }

  /** Makes a call whose answer goes on for long. No deadline but the signal's, whose reason is thrown. */
  async stream(call: Call, signal: AbortSignal): Promise<IncomingMessage> {
    return this.#begin(call, "stream", signal);
  }

  /** The minor number of the API version in use, of 1.x. */
  async version(signal: AbortSignal): Promise<number> {
    return this.bounded("ask for its version", signal, (inner) => this.#negotiated(inner));
  }

  async close(): Promise<void> {
    (await this.#transport)?.close();
  }

  /**
   * Runs work of several calls, and of streams, within the deadline of one call; `what` completes "cannot ...", and
   * `slow` says what took too long, where that is not the engine.
   */
  bounded<T>(
    what: string,
    signal: AbortSignal,
    work: (inner: AbortSignal) => Promise<T>,
    slow?: string,
  ): Promise<T> {
    return withDeadline(this.#timeoutMs, () => this.#late(what, slow), signal, work);
  }

  #late(what: string, slow: string | undefined): WgctlError {
    const seconds = this.#timeoutMs / 1000;
    if (slow !== undefined) {
      return new WgctlError("engine-timeout", `cannot ${what}: ${slow} within ${seconds} s`);
    }
    return new WgctlError(
      "engine-timeout",
      `cannot ${what}: the engine at ${this.endpoint} did not answer within ${seconds} s`,
      { hint: "the engine hangs or is overloaded: look at its log, or restart it" },
    );
  }

  async #begin(call: Call, use: "call" | "stream", signal: AbortSignal): Promise<IncomingMessage> {
    const version = await this.#negotiated(signal);
    return this.#exchange({ ...call, path: `/v1.${version}${call.path}` }, use, signal);
  }

  /** Calls that begin at once share one question; one that fails is asked again by the next call. */
  #negotiated(signal: AbortSignal): Promise<number> {
    this.#version ??= this.#negotiate(signal).catch((error: unknown) => {
      this.#version = undefined;
      throw error;
    });
    return this.#version;
  }

  async #negotiate(signal: AbortSignal): Promise<number> {
    const ping: Call = { method: "GET", path: "/_ping", what: "ask for its version" };
    const answer = await this.#exchange(ping, "call", signal);
    await readText(answer, LONGEST_FAILURE, signal);
    const spoken = minorOf(answer.headers["api-version"]);
    if (spoken < OLDEST_API) throw this.#tooOld(spoken);
    return Math.min(spoken, NEWEST_API);
  }

  #tooOld(spoken: number): WgctlError {
    return new WgctlError(
      "refused",
      `the engine at ${this.endpoint} speaks API 1.${spoken}, wgctl needs 1.${OLDEST_API} or newer`,
      { hint: "update it to Docker 20.10 or newer" },
    );
  }

  async #exchange(
    call: Call,
    use: "call" | "stream",
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    this.#transport ??= openTransport(this.#target.route, this.environment);
    const transport = await this.#transport;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const request = transport.request(requestOptions(call, body), use);
    try {
      const answer = await send(request, body, this.endpoint, signal);
      return await this.#judge(call, answer, signal);
    } catch (error) {
      if (call.method !== "GET" || !wentStale(request, error)) throw error;
      return this.#exchange(call, use, signal);
    }
  }

  async #judge(call: Call, answer: IncomingMessage, signal: AbortSignal): Promise<IncomingMessage> {
    const status = answer.statusCode ?? 0;
    if ((status >= 200 && status < 300) || status === 304) return answer;
    const words = await readBeginning(answer, LONGEST_FAILURE, signal);
    if (status >= 400) throw answerFailure(status, words, call.what);
    throw nonsense(`HTTP status ${status} to: ${call.what}`);
  }
}

function requestOptions(call: Call, body: string | undefined) {
  const query = new URLSearchParams(call.query).toString();
  return {
    method: call.method,
    path: query === "" ? call.path : `${call.path}?${query}`,
    headers: {
      ...call.headers,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
  };
}

function minorOf(version: unknown): number {
  const minor = typeof version === "string" ? /^1\.(\d+)$/.exec(version)?.[1] : undefined;
  if (minor === undefined)
    throw nonsense("its ping names no API version, so it is no Docker engine");
  return Number(minor);
}
