// Stands between wgctl and the engine under test, to answer in its place, to do something first, or to spoil its answer.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { parseHost } from "../../scripts/lib/docker-api.mjs";
import { testHost } from "../support/engine.ts";

/** What wgctl gets instead of the engine's answer. `cut` breaks the connection in the middle of the body. */
export type FalseAnswer = { readonly status: number; readonly body: string; readonly cut?: true };

/**
 * What becomes of the answer to a call that the engine has carried out: the connection breaks before it or in the
 * middle of it, nothing more is heard, or it tells another time (milliseconds later).
 */
export type Mishap = "lost" | "cut" | "unheard" | { readonly later: number };

/** Sees each call by method and path and says what comes of it; `undefined` lets the engine answer. */
export type Meddle = (call: string) => Promise<FalseAnswer | Mishap | undefined>;

/** The calls of the Engine API that wgctl makes about containers. */
export const CALLS = {
  list: /^GET \S*\/containers\/json\?/,
  inspect: /^GET \S*\/containers\/[^/]+\/json/,
  create: /^POST \S*\/containers\/create\?/,
  start: /^POST \S*\/containers\/[^/]+\/start/,
  update: /^POST \S*\/containers\/[^/]+\/update/,
  rename: /^POST \S*\/containers\/[^/]+\/rename\?/,
  signal: /^POST \S*\/containers\/[^/]+\/kill\?/,
  remove: /^DELETE \S*\/containers\//,
} as const satisfies Readonly<Record<string, RegExp>>;

export type CallKind = keyof typeof CALLS;

/** True for the call that lists the workers. */
export const isListing = (call: string) => CALLS.list.test(call);

/** Opens the middleman for one test and answers with its `DOCKER_HOST`. */
export async function standBetween(meddle: Meddle): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-between-"));
  const socket = join(folder, "docker.sock");
  const server = createServer(async (asked, answer) => {
    // Read before anything else, so that a call is whole even when its caller has gone by then.
    const body = await buffer(asked).catch(() => undefined);
    const instead = await meddle(`${asked.method} ${asked.url}`);
    if (body === undefined) answer.destroy();
    else if (typeof instead === "object" && "status" in instead) answerFalsely(answer, instead);
    else passOn(asked, body, answer, instead);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return `unix://${socket}`;
}

function passOn(
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  mishap: Mishap | undefined,
): void {
  const onward = request({ ...parseHost(testHost()), method, path, headers }, (answered) => {
    if (mishap === undefined) pass(answered, answer, 0);
    else if (typeof mishap === "object") pass(answered, answer, mishap.later);
    else spoil(answered, answer, mishap);
  });
  onward.on("error", () => answer.destroy());
  // What is to be spoilt is carried out, whoever has stopped waiting for it.
  if (mishap === undefined) answer.on("close", () => onward.destroy());
  onward.end(body);
}

function pass(answered: IncomingMessage, answer: ServerResponse, later: number): void {
  const { date = "" } = answered.headers;
  const told = later === 0 ? {} : { date: new Date(Date.parse(date) + later).toUTCString() };
  answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...told });
  answered.pipe(answer);
}

/** By then the engine has done what it was asked for. */
async function spoil(
  answered: IncomingMessage,
  answer: ServerResponse,
  mishap: "lost" | "cut" | "unheard",
): Promise<void> {
  const whole = await buffer(answered);
  if (mishap === "unheard") return;
  if (mishap === "lost" || whole.length === 0) answer.destroy();
  else {
    const half = whole.subarray(0, whole.length / 2).toString();
    answerFalsely(answer, { status: answered.statusCode ?? 502, body: half, cut: true });
  }
}

function answerFalsely(answer: ServerResponse, { status, body, cut }: FalseAnswer): void {
  answer.setHeader("Content-Type", "application/json");
  if (cut === undefined) {
    answer.writeHead(status).end(body);
    return;
  }
  answer.writeHead(status, { "Content-Length": String(Buffer.byteLength(body) + 1000) });
  answer.write(body, () => answer.destroy());
}
