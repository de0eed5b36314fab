// The contract's part on waiting for a change: what wakes, and what does not.

import { expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, type Stage, testOn } from "./stage.ts";

const HOUR = 3_600_000;

export function waiting(open: OpenFixture): void {
  const it = testOn(open);

  it.for<[string, (id: string, on: Stage) => Promise<unknown>]>([
    ["a start", (id, { engine }) => engine.startWorker(id, never)],
    [
      "a rename",
      (id, { engine, newName }) =>
        engine.renameWorker(id, `${id.slice(0, 9)}${newName.length}`, never),
    ],
    ["a removal", (id, { engine }) => engine.removeWorker(id, never)],
    ["another create", (_, on) => on.create()],
  ])("ends with %s by anybody", async ([, change], { stage }) => {
    const id = await stage.create();
    await stage.settle();
    const woken = stage.wait(HOUR);
    await change(id, stage);
    expect(await woken).toBeLessThan(HOUR / 2);
  });

  it.for<[string, (id: string, on: Stage) => Promise<unknown>]>([
    ["a signal", (id, { engine }) => engine.signalWorker(id, "SIGUSR2", never)],
    ["a pause", (id, { hands }) => hands.pause(id)],
    ["the end of a process", (id, { hands }) => hands.crash(id)],
  ])("ends with %s", async ([, change], { stage }) => {
    const id = await stage.start("crashable");
    await stage.settle();
    const woken = stage.wait(HOUR);
    await change(id, stage);
    expect(await woken).toBeLessThan(HOUR / 2);
  });

  it("ends with what happened since the last look, even before the wait", async ({ stage }) => {
    const id = await stage.create();
    await stage.settle();
    await stage.engine.startWorker(id, never);
    await stage.untilRun(id, "running");
    expect(await stage.wait(HOUR)).toBeLessThan(HOUR / 2);
  });

  it("ends with a verdict on health, and not with each probe", async ({ stage }) => {
    const id = await stage.create("healthy");
    await stage.settle();
    await stage.engine.startWorker(id, never);
    await stage.until("the verdict", async () => {
      expect(await stage.wait(HOUR)).toBeLessThan(HOUR / 2);
      const { run } = await stage.facts(id);
      return run.kind === "running" && run.health?.status === "healthy";
    });
    await stage.settle();
    expect(await stage.wait(1200)).toBeGreaterThan(1100);
  });

  it("is not ended by somebody else's container", async ({ stage }) => {
    await stage.settle();
    const calm = stage.wait(1000);
    await stage.hands.runStranger(stage.newName());
    expect(await calm).toBeGreaterThan(900);
  });

  it("ends when it is called off, and does not throw", async ({ stage }) => {
    await stage.settle();
    const controller = new AbortController();
    const called = stage.wait(HOUR, controller.signal);
    controller.abort();
    expect(await called).toBeLessThan(HOUR / 2);
    expect(await stage.wait(HOUR, controller.signal)).toBeLessThan(HOUR / 2);
  });
}
