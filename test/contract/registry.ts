// The contract's part on registries: what they have is told without taking it, and pulled images are known by it.

import { expect } from "vitest";
import type { OpenFixture, RegistryHands } from "./fixture.ts";
import { never, type Stage, testOn } from "./stage.ts";

export function registry(open: OpenFixture): void {
  const it = testOn(open);

  const pull = ({ engine }: Stage, reference: string) =>
    engine.pullImage(reference, () => undefined, never);
  const here = async ({ engine }: Stage, reference: string) =>
    (await engine.resolveImages([reference], never))[reference];

  async function openIn({ hands }: Stage, skip: () => void): Promise<RegistryHands> {
    const opened = await hands.openRegistry();
    if (opened !== undefined) return opened;
    skip();
    throw new Error("there can be no registry here");
  }

  it("tells the digest that an image is known by once it is pulled", async ({ stage, skip }) => {
    const { reference, push } = await openIn(stage, skip);
    const id = await push();
    const digest = await stage.engine.findDigest(reference, never);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await here(stage, reference)).toBeNull();
    await pull(stage, reference);
    expect(await here(stage, reference)).toMatchObject({ id, digests: [digest] });
  });

  it("tells of a tag that moved, and the image here stays what it is", async ({ stage, skip }) => {
    const { reference, push } = await openIn(stage, skip);
    await push();
    await pull(stage, reference);
    const before = await here(stage, reference);
    const next = await push();
    const digest = await stage.engine.findDigest(reference, never);
    expect(before?.digests).not.toContain(digest);
    expect(await here(stage, reference)).toEqual(before);
    await pull(stage, reference);
    expect(await here(stage, reference)).toMatchObject({ id: next, digests: [digest] });
  });

  it("does not know what was never pushed, and is in trouble while it is down", async ({
    stage,
    skip,
  }) => {
    const { reference, goDown } = await openIn(stage, skip);
    const { engine } = stage;
    await expect(engine.findDigest(`${reference}-never`, never)).rejects.toMatchObject({
      code: "engine-not-found",
    });
    await goDown();
    for (const call of [engine.findDigest(reference, never), pull(stage, reference)]) {
      await expect(call).rejects.toMatchObject({
        code: "engine-failed",
        message: expect.stringContaining("connection refused"),
      });
    }
  });

  it("has given no digest to an image that was made here", async ({ stage }) => {
    const image = `${stage.run}-made:1`;
    const id = await stage.hands.moveTag(image);
    expect(await here(stage, image)).toMatchObject({ id, digests: [] });
  });
}
