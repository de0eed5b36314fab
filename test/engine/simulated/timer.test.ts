// Timers of virtual time: they go off where waiting brings time to them, and move none by themselves.

import { expect, it } from "vitest";
import { never, openBench, SECOND } from "./bench.ts";

it("goes off at its moment, while somebody waits for longer", async () => {
  const { engine } = openBench();
  const began = engine.ticks();
  let after: number | undefined;
  engine.startTimer(5 * SECOND, () => {
    after = engine.ticks() - began;
  });
  await engine.waitForChange(4 * SECOND, never);
  expect(after).toBeUndefined();
  await engine.waitForChange(60 * SECOND, never);
  expect(after).toBe(5 * SECOND);
  expect(engine.ticks() - began).toBe(64 * SECOND);
});

it("can end the wait that brought it about", async () => {
  const { engine } = openBench();
  const began = engine.ticks();
  const stop = new AbortController();
  engine.startTimer(5 * SECOND, () => stop.abort());
  await engine.waitForChange(60 * SECOND, stop.signal);
  expect(engine.ticks() - began).toBe(5 * SECOND);
});

it("does not go off once it is called off", async () => {
  const { engine } = openBench();
  const gone: string[] = [];
  const cancel = engine.startTimer(5 * SECOND, () => gone.push("first"));
  engine.startTimer(5 * SECOND, () => gone.push("second"));
  cancel();
  await engine.waitForChange(60 * SECOND, never);
  expect(gone).toEqual(["second"]);
});
