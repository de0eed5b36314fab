// Stands between wgctl and the engine under test, to answer in its place or to do something first.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseHost } from "../../scripts/lib/docker-api.mjs";
import { testHost } from "../support/engine.ts";

/** What wgctl gets instead of the engine's answer. `cut` breaks the connection in the middle of the body. */
export type FalseAnswer = { readonly status: number; readonly body: string; readonly cut?: true };

/** Sees each call by method and path; what it answers with goes to wgctl, `undefined` lets the engine answer. */
export type Meddle = (call: string) => Promise<FalseAnswer | undefined>;

/** True for the call that lists the workers. */
export const isListing = (call: string) => /^GET \S*\/containers\/json\?/.test(call);

/** Opens the middleman for one test and answers with its `DOCKER_HOST`. */
export async function standBetween(meddle: Meddle): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wgctl-between-"));
  const socket = join(folder, "docker.sock");
  const server = createServer(async (asked, answer) => {
    const instead = await meddle(`${asked.method} ${asked.url}`);
    if (instead === undefined) passOn(asked, answer);
    else answerFalsely(answer, instead);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return `unix://${socket}`;
}

function passOn(asked: IncomingMessage, answer: ServerResponse): void {
  const { method, url: path, headers } = asked;
  const onward = request({ ...parseHost(testHost()), method, path, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
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
