// What must hold of every plan, whatever is declared, whatever is there and whatever happens: a fixed number of random
// worlds of a fixed seed. `npm run test:soak` tries a million others; WGCTL_WORLDS_SEED looks elsewhere.

import { beforeAll, describe, expect, it } from "vitest";
import { type Tried, tryWorlds, wholeNumber } from "../../../scripts/lib/worlds.mjs";
import { PROMISES } from "./worlds/watch.ts";

const SEED = wholeNumber(process.env["WGCTL_WORLDS_SEED"], 20_261_129);
const WORLDS = wholeNumber(process.env["WGCTL_WORLDS"], 10_000);

/** A promise that hardly any world puts to the test is not tested. */
const LEAST_TRIED = WORLDS / 100;

describe(`every plan, in ${WORLDS} random worlds of seed ${SEED}`, () => {
  let found: Tried;

  beforeAll(async () => {
    found = await tryWorlds(WORLDS, SEED);
    const { plans, worst } = found;
    process.stdout.write(
      `planner: ${WORLDS} random worlds of seed ${SEED}, ${plans} plans; to rest with at most ${worst.calls} calls and ${worst.passes} passes for each worker and slot\n`,
    );
  }, 600_000);

  it("keeps every promise", () => {
    expect(found.broken).toBeUndefined();
  });

  it.each(Object.entries(PROMISES))("%s: %s", (key, promise) => {
    expect(found.broken ?? "").not.toContain(promise);
    expect(found.tried[key] ?? 0).toBeGreaterThanOrEqual(LEAST_TRIED);
  });
});
