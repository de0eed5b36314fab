import { afterEach, expect, it } from "vitest";
import { openDockerReader } from "../../../src/engine/docker/open.ts";
import type { EngineReader } from "../../../src/engine/engine.ts";
import { NOON } from "./builders.ts";
import { answerJson, type FakeEngine, startFakeEngine } from "./fake-engine.ts";

const never = new AbortController().signal;
let engine: FakeEngine;
let reader: EngineReader;

afterEach(async () => {
  await reader.close();
  await engine.close();
});

/** A reader of an engine whose history holds a kill of each of these containers. */
async function open(killed: readonly string[]): Promise<EngineReader> {
  engine = await startFakeEngine(({ path, query }, answer) => {
    if (path === "/info") return answerJson(answer, { SystemTime: "2026-11-29T12:00:07.25Z" });
    const asked: readonly string[] = JSON.parse(query.get("filters") ?? "").container;
    const lines = killed
      .filter((id) => asked.includes(id))
      .map((ID) => JSON.stringify({ Actor: { ID } }));
    answer.end(lines.map((line) => `${line}\n`).join(""));
  });
  reader = openDockerReader(engine.target, { environment: {} });
  return reader;
}

it("finds those that were sent a signal, each once, in the order asked", async () => {
  const opened = await open(["c", "a", "a"]);
  expect(await opened.findSignalled(["a", "b", "c"], NOON + 900, never)).toEqual(["a", "c"]);
});

it("asks from the given moment to this moment of the engine", async () => {
  await (await open([])).findSignalled(["a"], NOON + 900, never);
  const { query } = engine.seen.at(-1) ?? {};
  expect(query?.get("since")).toBe(`${NOON / 1000}.900`);
  expect(query?.get("until")).toBe(`${NOON / 1000 + 7}.250000000`);
  expect(JSON.parse(query?.get("filters") ?? "")).toMatchObject({ event: ["kill"] });
});

it("asks about many in several calls, and nothing about none", async () => {
  const ids = Array.from({ length: 1200 }, (_, index) => `c${index}`);
  const opened = await open(ids);
  expect(await opened.findSignalled(ids, NOON, never)).toEqual(ids);
  expect(engine.seen.filter(({ path }) => path === "/events")).toHaveLength(3);
  engine.seen.length = 0;
  expect(await opened.findSignalled([], NOON, never)).toEqual([]);
  expect(engine.seen).toEqual([]);
});
