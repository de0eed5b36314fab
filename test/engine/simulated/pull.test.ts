import { describe, expect, it } from "vitest";
import type { Offer } from "../../../src/engine/simulated/script.ts";
import { never, openBench, SECOND } from "./bench.ts";

describe("a pull", () => {
  const pull = async (offer: Offer | undefined, anything = false) => {
    const images = offer === undefined ? {} : { "mailer:2": offer };
    const { engine } = openBench({ registry: { anything, images } });
    const began = engine.ticks();
    const lines: string[] = [];
    const code = await engine
      .pullImage("mailer:2", (line) => lines.push(line), never)
      .then(
        () => "pulled",
        (error) => error.code,
      );
    const { "mailer:2": image } = await engine.resolveImages(["mailer:2"], never);
    return { code, id: image?.id ?? null, seconds: (engine.ticks() - began) / SECOND, lines };
  };

  it("takes its time and brings the image", async () => {
    const offer: Offer = { kind: "image", image: { id: "sha256:22" }, seconds: 95 };
    expect(await pull(offer)).toMatchObject({ code: "pulled", id: "sha256:22", seconds: 95 });
  });

  it.each<[string, Offer | undefined, string]>([
    ["what the registry does not know", undefined, "engine-not-found"],
    [
      "what it refuses",
      { kind: "refusal", code: "engine-denied", message: "denied" },
      "engine-denied",
    ],
    [
      "from one in trouble",
      { kind: "refusal", code: "engine-failed", message: "503" },
      "engine-failed",
    ],
    ["from one that is silent", { kind: "silence" }, "engine-timeout"],
  ])("of %s fails", async (_, offer, code) => {
    expect(await pull(offer)).toMatchObject({ code, id: null });
  });

  it("from a registry of everything brings an image that follows from its name", async () => {
    const first = await pull(undefined, true);
    expect(first).toMatchObject({ code: "pulled", lines: ["pulling", "pulled"] });
    expect(first.id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await pull(undefined, true)).toEqual(first);
  });

  it.each([
    ["mailer:1", "docker.io/library/mailer:1"],
    ["latest", "latest:latest"],
    ["ghcr.io:443/a/b", "ghcr.io:443/a/b:latest"],
  ])("knows %s also as %s", async (reference, whole) => {
    const { engine } = openBench({ registry: { anything: true } });
    await engine.pullImage(reference, () => undefined, never);
    const found = await engine.resolveImages([reference, whole], never);
    expect(found[whole]).toEqual(found[reference]);
    expect(found[whole]).not.toBeNull();
  });
});
