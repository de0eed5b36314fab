import { expect, it } from "vitest";
import { mapLimited } from "../../../src/engine/docker/limited.ts";

const NUMBERS = Array.from({ length: 20 }, (_, index) => index);
const tick = () => new Promise((resolve) => setImmediate(resolve));

it("maps in order, whatever is done first", async () => {
  const results = await mapLimited(NUMBERS, 4, async (number) => {
    for (let turn = number % 3; turn > 0; turn--) await tick();
    return number * 2;
  });
  expect(results).toEqual(NUMBERS.map((number) => number * 2));
});

it.each([1, 3, 50])(
  "has at most %i in flight, and as many where there is enough to do",
  async (limit) => {
    let inFlight = 0;
    let most = 0;
    await mapLimited(NUMBERS, limit, async () => {
      most = Math.max(most, ++inFlight);
      await tick();
      inFlight--;
    });
    expect(most).toBe(Math.min(limit, NUMBERS.length));
  },
);

it("begins nothing after a failure, also in the lanes that did not fail", async () => {
  const begun: number[] = [];
  const mapping = mapLimited(NUMBERS, 3, async (number) => {
    begun.push(number);
    await tick();
    if (number === 1) throw new Error("one");
    await tick();
  });
  await expect(mapping).rejects.toThrow("one");
  for (let turn = 0; turn < 10; turn++) await tick();
  expect(begun).toEqual([0, 1, 2]);
});

it("maps nothing to nothing", async () => {
  expect(await mapLimited([], 8, async () => 1)).toEqual([]);
});
