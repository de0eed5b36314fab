// The contract's part on claims: made once, never changed, and never missed by a listing.

import { expect } from "vitest";
import type { OpenFixture } from "./fixture.ts";
import { never, type Stage, testOn } from "./stage.ts";

export function claims(open: OpenFixture): void {
  const it = testOn(open);

  it("a claim is listed with its labels, and the engine's clock with it", async ({ stage }) => {
    const name = stage.newName();
    await make(stage, name, "one");
    const { now, claims: listed } = await stage.engine.listClaims(name, never);
    expect(listed).toMatchObject([{ name, labels: labelsOf(stage, "one") }]);
    expect(listed.length).toBe(1);
    expect(Math.abs(now - (await stage.engine.listWorkers(never)).now)).toBeLessThan(5_000);
  });

  it("only those are listed whose names begin so", async ({ stage }) => {
    const name = stage.newName();
    for (const each of [`${name}-1`, `${name}-2`, `x${name}-1`]) await make(stage, each, "one");
    expect(await names(stage, `${name}-`)).toEqual([`${name}-1`, `${name}-2`]);
    expect(await names(stage, stage.newName())).toEqual([]);
  });

  it("a second one of that name succeeds and changes nothing", async ({ stage }) => {
    const name = stage.newName();
    await make(stage, name, "one");
    await make(stage, name, "other");
    expect(await holders(stage, name)).toEqual(["one"]);
  });

  it("of many at once exactly one has its labels", async ({ stage }) => {
    const name = stage.newName();
    const who = Array.from({ length: 8 }, (_, index) => `writer-${index}`);
    await Promise.all(who.map((each) => make(stage, name, each)));
    const [winner, ...others] = await holders(stage, name);
    expect(who).toContain(winner);
    expect(others).toEqual([]);
  });

  it("once dropped its name is free, and a second drop is success", async ({ stage }) => {
    const name = stage.newName();
    await make(stage, name, "one");
    await stage.engine.dropClaim(name, never);
    await stage.engine.dropClaim(name, never);
    expect(await names(stage, name)).toEqual([]);
    await make(stage, name, "other");
    expect(await holders(stage, name)).toEqual(["other"]);
  });

  it("a listing never misses the highest while lower ones are dropped", async ({ stage }) => {
    const prefix = `${stage.newName()}-`;
    await make(stage, `${prefix}1`, "one");
    let highest = 1;
    const climb = async () => {
      for (let number = 2; number <= 20; number += 1) {
        await make(stage, `${prefix}${number}`, "one");
        highest = number;
        await stage.engine.dropClaim(`${prefix}${number - 1}`, never);
      }
    };
    const look = async () => {
      while (highest < 20) {
        const before = highest;
        const seen = (await names(stage, prefix)).map((name) => Number(name.slice(prefix.length)));
        expect(Math.max(0, ...seen)).toBeGreaterThanOrEqual(before);
      }
    };
    await Promise.all([climb(), look(), look()]);
  });
}

/** Carries the run's label, so that it goes with the run. */
function labelsOf(stage: Stage, holder: string): Readonly<Record<string, string>> {
  return { "dev.wgctl.uid": stage.run, holder };
}

function make(stage: Stage, name: string, holder: string): Promise<void> {
  return stage.engine.makeClaim({ name, labels: labelsOf(stage, holder) }, never);
}

async function names(stage: Stage, prefix: string): Promise<readonly string[]> {
  const { claims: listed } = await stage.engine.listClaims(prefix, never);
  return listed.map(({ name }) => name).sort();
}

async function holders(stage: Stage, prefix: string): Promise<readonly (string | undefined)[]> {
  const { claims: listed } = await stage.engine.listClaims(prefix, never);
  return listed.map(({ labels }) => labels["holder"]);
}
