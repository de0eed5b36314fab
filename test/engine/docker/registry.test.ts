// Asking a registry through the engine: the call, its credentials, and what the registry's no is taken for.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDockerReader } from "../../../src/engine/docker/open.ts";
import type { EngineReader } from "../../../src/engine/engine.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type Handler,
  startFakeEngine,
} from "./fake-engine.ts";

const never = new AbortController().signal;
const DIGEST = `sha256:${"d".repeat(64)}`;
const IMAGE = "ghcr.io/acme/mailer:1.2";

let folder: string;
let engine: FakeEngine;
let reader: EngineReader;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wgctl-registry-"));
});
afterEach(async () => {
  await reader.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(handler: Handler, auths: object = {}): Promise<EngineReader> {
  await writeFile(join(folder, "config.json"), JSON.stringify({ auths }));
  engine = await startFakeEngine(handler);
  reader = openDockerReader(engine.target, { environment: { DOCKER_CONFIG: folder } });
  return reader;
}

const tellDigest: Handler = (_, answer) => answerJson(answer, { Descriptor: { digest: DIGEST } });

it("reads the digest, by a call that writes nothing", async () => {
  const opened = await open(tellDigest);
  expect(await opened.findDigest(IMAGE, never)).toBe(DIGEST);
  expect(engine.seen).toMatchObject([
    { method: "GET", path: "/distribution/ghcr.io/acme/mailer%3A1.2/json" },
  ]);
  expect(engine.seen[0]?.headers).not.toHaveProperty("x-registry-auth");
});

it("shows the credentials that docker login left", async () => {
  const auth = Buffer.from("me:s3cret").toString("base64");
  const opened = await open(tellDigest, { "ghcr.io": { auth } });
  await opened.findDigest(IMAGE, never);
  const shown = String(engine.seen[0]?.headers["x-registry-auth"]);
  expect(JSON.parse(Buffer.from(shown, "base64").toString())).toEqual({
    ...{ serveraddress: "ghcr.io", username: "me", password: "s3cret" },
  });
});

it.each([
  [404, "manifest unknown: manifest unknown", "engine-not-found"],
  [500, 'Head "http://r/v2/": no basic auth credentials', "engine-denied"],
  [401, "unauthorized: authentication required", "engine-denied"],
  [403, "denied: requested access to the resource is denied", "engine-denied"],
  [500, "dial tcp 127.0.0.1:1: connect: connection refused", "engine-failed"],
  [503, "toomanyrequests: rate exceeded", "engine-failed"],
])("takes %i '%s' for %s", async (status, words, code) => {
  const opened = await open((_, answer) => answerError(answer, status, words));
  await expect(opened.findDigest(IMAGE, never)).rejects.toMatchObject({
    code,
    message: `cannot ask the registry for ${IMAGE}: ${words}`,
  });
});
