import { afterEach, expect, it } from "vitest";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import {
  answerError,
  answerJson,
  type FakeEngine,
  type Handler,
  startFakeEngine,
} from "./fake-engine.ts";

const never = new AbortController().signal;
let fake: FakeEngine;
let engine: Engine;

afterEach(async () => {
  await engine.close();
  await fake.close();
});

async function open(handler: Handler): Promise<Engine> {
  fake = await startFakeEngine(handler);
  engine = openDockerEngine(fake.target, { environment: {} });
  return engine;
}

it("lists volumes by name, with no labels where the engine says null and no time where it tells none", async () => {
  const volumes = [
    { Name: "lease-1", Labels: { a: "b" }, CreatedAt: "2027-01-15T09:00:00+01:00" },
    { Name: "lease-2", Labels: null },
    { Name: "my-lease-3", Labels: {} },
  ];
  const opened = await open((_, answer) => answerJson(answer, { Volumes: volumes }));
  const { claims, now } = await opened.listClaims("lease-", never);
  expect(claims).toEqual([
    { name: "lease-1", labels: { a: "b" }, createdAt: Date.parse("2027-01-15T08:00:00Z") },
    { name: "lease-2", labels: {} },
  ]);
  expect(now % 1000).toBe(0);
  expect(fake.seen.at(-1)?.query.get("filters")).toBe('{"name":["lease-"]}');
});

it("finds none where the engine has no list", async () => {
  const opened = await open((_, answer) => answerJson(answer, { Volumes: null, Warnings: null }));
  expect((await opened.listClaims("lease-", never)).claims).toEqual([]);
});

it("makes a volume with the labels", async () => {
  const opened = await open((_, answer) => answerJson(answer, {}, 201));
  await opened.makeClaim({ name: "lease-1", labels: { a: "b" } }, never);
  expect(fake.seen.at(-1)).toMatchObject({ method: "POST", path: "/volumes/create" });
  expect(JSON.parse(fake.seen.at(-1)?.body ?? "")).toEqual({ Name: "lease-1", Labels: { a: "b" } });
});

it.each([
  [404, undefined],
  [409, "engine-conflict"],
  [500, "engine-failed"],
])("a drop that is answered with %i comes to %s", async (status, code) => {
  const opened = await open((_, answer) => answerError(answer, status, "no"));
  const drop = opened.dropClaim("lease-1", never);
  if (code === undefined) await expect(drop).resolves.toBeUndefined();
  else await expect(drop).rejects.toMatchObject({ code });
});
