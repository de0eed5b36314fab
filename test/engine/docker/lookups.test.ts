import { afterEach, expect, it } from "vitest";
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
let engine: FakeEngine;
let reader: EngineReader;

afterEach(async () => {
  await reader.close();
  await engine.close();
});

async function open(handler: Handler): Promise<EngineReader> {
  engine = await startFakeEngine(handler);
  reader = openDockerReader(engine.target, { environment: {} });
  return reader;
}

it("identifies the engine", async () => {
  const info = { ID: "ABCD", ServerVersion: "28.5.2", NCPU: 4, MemTotal: 1024, Other: [] };
  const opened = await open((_, answer) => answerJson(answer, info));
  const expected = { id: "ABCD", version: "28.5.2", cpus: 4, memory: 1024 };
  expect(await opened.identify(never)).toEqual(expected);
});

const DIGESTS = [
  "ghcr.io/acme/mailer@sha256:22",
  "mirror:5000/acme/mailer@sha256:11",
  "mirror:5000/mailer@sha256:22",
];

it("resolves images, null where there is none, slashes and all", async () => {
  const opened = await open(({ path }, answer) => {
    if (path === "/images/ghcr.io/acme/mailer%3A1/json")
      return answerJson(answer, {
        ...{ Id: "sha256:aa", RepoDigests: DIGESTS },
        ...{ Os: "linux", Architecture: "arm64", Variant: "v8" },
      });
    if (path === "/images/local/json") return answerJson(answer, { Id: "sha256:bb" });
    answerError(answer, 404, "No such image");
  });
  const references = ["ghcr.io/acme/mailer:1", "local", "b"];
  expect(await opened.resolveImages(references, never)).toEqual({
    "ghcr.io/acme/mailer:1": {
      id: "sha256:aa",
      digests: ["sha256:11", "sha256:22"],
      platform: "linux/arm64/v8",
    },
    local: { id: "sha256:bb", digests: [] },
    b: null,
  });
});

it.each<[string, string | undefined]>([
  ["1.49", '{"os":"linux","architecture":"arm","variant":"v7"}'],
  ["1.48", undefined],
])("asks API %s for one platform of an image", async (apiVersion, expected) => {
  const handler: Handler = (_, answer) => answerJson(answer, { Id: "sha256:aa" });
  engine = await startFakeEngine(handler, { apiVersion });
  reader = openDockerReader(engine.target, { environment: {} });
  await reader.resolveImages(["a"], never, { a: "linux/arm/v7" });
  expect(engine.seen[0]?.query.get("platform") ?? undefined).toBe(expected);
});

it("throws when an image cannot be looked for", async () => {
  const opened = await open((_, answer) => answerError(answer, 500, "disk"));
  await expect(opened.resolveImages(["a"], never)).rejects.toThrow(
    "cannot look for the image a: disk",
  );
});

it("finds networks by their whole name, and asks nothing about none", async () => {
  const opened = await open((_, answer) =>
    answerJson(answer, [{ Name: "shop_default" }, { Name: "b" }]),
  );
  expect(await opened.findMissingNetworks(["shop", "b", "shop_default"], never)).toEqual(["shop"]);
  expect(await opened.findMissingNetworks([], never)).toEqual([]);
  expect(engine.seen).toHaveLength(1);
});
