import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDockerReader } from "../../../src/engine/docker/open.ts";
import type { EngineReader } from "../../../src/engine/engine.ts";
import { waitFor } from "../../support/wait.ts";
import { NOON } from "./builders.ts";
import { answerError, answerJson, type FakeEngine, startFakeEngine } from "./fake-engine.ts";

const never = new AbortController().signal;
const LONG = 10_000;

let engine: FakeEngine;
let reader: EngineReader;
let streams: ServerResponse[];
let refuseEvents: boolean;

beforeEach(async () => {
  streams = [];
  refuseEvents = false;
  engine = await startFakeEngine(({ path }, answer) => {
    if (path === "/containers/json") return answerJson(answer, []);
    if (refuseEvents) return answerError(answer, 500, "no events today");
    streams.push(answer);
    answer.flushHeaders();
  });
  reader = openDockerReader(engine.target, { environment: {}, requestTimeoutMs: 10_000 });
});
afterEach(async () => {
  await reader.close();
  await engine.close();
});

const happen = (stream = streams.at(-1)) => stream?.write('{"Action":"die"}\n');
const subscribed = () =>
  waitFor("a subscription", () => streams.length > 0 && !streams.at(-1)?.destroyed);

async function milliseconds(work: Promise<void>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

describe("waitForChange", () => {
  it("wakes at an event", async () => {
    const waiting = reader.waitForChange(LONG, never);
    await subscribed();
    happen();
    expect(await milliseconds(waiting)).toBeLessThan(LONG / 2);
  });

  it("wakes after its time when nothing happens", async () => {
    const took = await milliseconds(reader.waitForChange(100, never));
    expect(took).toBeGreaterThan(90);
    expect(took).toBeLessThan(LONG / 2);
  });

  it("wakes when the signal fires, without an error, also if it had fired before", async () => {
    const controller = new AbortController();
    const waiting = reader.waitForChange(LONG, controller.signal);
    await subscribed();
    controller.abort();
    await waiting;
    await reader.waitForChange(LONG, controller.signal);
  });

  it("asks for our containers and for what matters only, from the last observation on", async () => {
    await reader.listWorkers(never);
    await reader.waitForChange(20, never);
    await subscribed();
    const { query } = engine.seen.at(-1) ?? {};
    const filters = JSON.parse(query?.get("filters") ?? "");
    expect(filters).toMatchObject({ type: ["container"], label: ["dev.wgctl.uid"] });
    expect(filters.event).toContain("health_status");
    expect(filters.event).not.toContain("exec_start");
    expect(query?.get("since")).toBe(String(NOON / 1000));
  });

  it("keeps one subscription, and loses nothing between two waits", async () => {
    await reader.waitForChange(50, never);
    await subscribed();
    happen();
    await waitFor("the event to be read", async () => {
      const took = await milliseconds(reader.waitForChange(300, never));
      return took < 100;
    });
    await reader.waitForChange(100, never);
    expect(streams).toHaveLength(1);
  });

  it("wakes once for one event", async () => {
    const waiting = reader.waitForChange(LONG, never);
    await subscribed();
    happen();
    await waiting;
    expect(await milliseconds(reader.waitForChange(150, never))).toBeGreaterThan(140);
  });

  it("does not wake for what an observation has seen", async () => {
    await reader.waitForChange(50, never);
    await subscribed();
    happen();
    await reader.listWorkers(never); // time for the event to come in
    await reader.listWorkers(never);
    expect(await milliseconds(reader.waitForChange(150, never))).toBeGreaterThan(140);
  });

  it("wakes for what happens during an observation", async () => {
    await reader.waitForChange(50, never);
    await subscribed();
    const listing = reader.listWorkers(never);
    happen();
    await listing;
    // The event travels beside the listing and may come in a moment after it.
    expect(await milliseconds(reader.waitForChange(LONG, never))).toBeLessThan(LONG / 2);
  });

  it("just waits where there are no events, and subscribes again when there are", async () => {
    refuseEvents = true;
    expect(await milliseconds(reader.waitForChange(100, never))).toBeGreaterThan(90);
    refuseEvents = false;
    const waiting = reader.waitForChange(LONG, never);
    await subscribed();
    happen();
    await waiting;
  });

  it("survives a subscription that breaks", async () => {
    const waiting = reader.waitForChange(200, never);
    await subscribed();
    streams.at(-1)?.destroy();
    await waiting;
    const next = reader.waitForChange(LONG, never);
    await waitFor("a second subscription", () => streams.length === 2);
    happen();
    await next;
  });

  it("is let go when the engine is closed", async () => {
    await reader.waitForChange(20, never);
    await subscribed();
    await reader.close();
    await waitFor("the subscription to end", () => streams.at(-1)?.destroyed);
  });

  it("only waits once the engine is closed", async () => {
    await reader.close();
    expect(await milliseconds(reader.waitForChange(200, never))).toBeGreaterThan(190);
    expect(streams).toEqual([]);
  });
});
