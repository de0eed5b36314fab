// Asking registries: which images, how often, what is said of each, and how long one in trouble is left in peace.

import { describe, expect, it } from "vitest";
import type { Ended } from "../../src/app/execute.ts";
import { ImageWatch, type Question } from "../../src/app/image-watch.ts";
import type { ActionOutcome } from "../../src/app/reporter.ts";
import { WgctlError } from "../../src/core/errors.ts";
import type { GroupSpec } from "../../src/core/model.ts";
import { specDigest } from "../../src/core/revision.ts";
import { toIso } from "../../src/core/time.ts";
import { buildAction, buildDesired, buildGroupStatus, buildStatus } from "../support/build.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { NOW } from "../support/scene.ts";

const never = new AbortController().signal;
const IMAGE = "mailer:1";
const HERE = ["sha256:here"];
const DAILY = { kind: "every", seconds: 86_400 } as const;

function openWatch() {
  const engine = new FakeEngine();
  engine.registry = { [IMAGE]: "sha256:here", other: "sha256:other" };
  const clock = { ticks: 0 };
  const watch = new ImageWatch(() => clock.ticks);
  const look = (changes: Partial<Question> = {}) =>
    watch.look(engine, { ...question(), ...changes }, never);
  return { engine, clock, watch, look };
}

function question(spec: Partial<GroupSpec> = { pullPolicy: "always" }): Question {
  return {
    groups: [buildDesired(spec)],
    memory: undefined,
    images: { [IMAGE]: { id: "sha256:id", digests: HERE } },
    now: NOW,
  };
}

function pulled(outcome: ActionOutcome): readonly Ended[] {
  return [{ action: buildAction({ kind: "pull-image", image: IMAGE }), outcome }];
}

const down = new WgctlError("engine-failed", "connection refused");
const denied = new WgctlError("engine-denied", "unauthorized");

describe("a registry", () => {
  it.each<[string, Partial<GroupSpec>, boolean]>([
    ["always", { pullPolicy: "always" }, true],
    ["now and then, and never was", { pullPolicy: DAILY }, true],
    ["where the image is missing", { pullPolicy: "missing" }, false],
    ["never", { pullPolicy: "never" }, false],
    ["for no workers", { pullPolicy: "always", replicas: 0 }, false],
    ["while suspended", { pullPolicy: "always", suspend: true }, false],
  ])("that is to be asked %s", async (_, spec, isAsked) => {
    const { engine, look } = openWatch();
    await look(question(spec));
    expect(engine.asked).toEqual(isAsked ? [IMAGE] : []);
  });

  it("is not asked about a group that is being deleted", async () => {
    const { engine, look } = openWatch();
    const [group] = question().groups;
    if (group === undefined) throw new Error("no group");
    await look({ groups: [{ ...group, deletionTimestamp: "2026-11-29T12:00:00Z" }] });
    expect(engine.asked).toEqual([]);
  });

  it.each([`mailer@sha256:${"a".repeat(64)}`, `sha256:${"a".repeat(64)}`])(
    "is not asked about %s, which cannot move",
    async (image) => {
      const { engine, look } = openWatch();
      const asking = question({ pullPolicy: "always", template: { image } });
      await look({ ...asking, images: { [image]: { id: "i", digests: [] } } });
      expect(engine.asked).toEqual([]);
    },
  );

  it("is not asked about an image that has to be pulled anyway", async () => {
    const { engine, look } = openWatch();
    expect(await look({ images: { [IMAGE]: null } })).toEqual({});
    expect(engine.asked).toEqual([]);
  });

  it("is asked once in a run, whoever wants the image", async () => {
    const { engine, look } = openWatch();
    const groups = [...question().groups, ...question({ pullPolicy: DAILY }).groups];
    expect([await look({ groups }), await look({ groups })]).toEqual([{}, {}]);
    expect(engine.asked).toEqual([IMAGE]);
  });

  it("that has another image says so in every look until that is here", async () => {
    const { engine, look } = openWatch();
    engine.registry = { [IMAGE]: "sha256:there" };
    const moved = { [IMAGE]: { kind: "moved", from: HERE, to: "sha256:there" } };
    expect([await look(), await look()]).toEqual([moved, moved]);
    const images = { [IMAGE]: { id: "new", digests: ["sha256:there"] } };
    expect(await look({ images })).toEqual({});
  });

  it("has nothing newer after a pull, even where digests do not show it", async () => {
    const { engine, watch, look } = openWatch();
    engine.registry = { [IMAGE]: "sha256:there" };
    await look();
    watch.note(pulled({ kind: "done" }));
    expect(await look()).toEqual({});
    expect(watch.settled).toEqual({ [IMAGE]: NOW });
  });

  it("need not be asked about an image that was just pulled because it was missing", async () => {
    const { engine, watch, look } = openWatch();
    await look({ images: { [IMAGE]: null } });
    watch.note(pulled({ kind: "done" }));
    await look();
    expect(engine.asked).toEqual([]);
    expect(watch.settled).toEqual({ [IMAGE]: NOW });
  });
});

describe("now and then", () => {
  const spec = buildDesired({ pullPolicy: DAILY });
  const digest = spec.kind === "valid" ? specDigest(spec.spec) : "";
  it.each<[string, number, string, boolean]>([
    ["a day ago", 86_400, digest, true],
    ["less than a day ago", 86_399, digest, false],
    ["in the future, by a clock that was wrong", -60, digest, true],
    ["for another spec", 10, "another", true],
  ])("means: asked again when it was asked %s", async (_, seconds, of, isAsked) => {
    const { engine, look } = openWatch();
    const imageCheckedAt = toIso(NOW - seconds * 1000);
    const memory = buildStatus({ groups: [buildGroupStatus({ spec: of, imageCheckedAt })] });
    await look({ ...question({ pullPolicy: DAILY }), memory });
    expect(engine.asked).toEqual(isAsked ? [IMAGE] : []);
  });

  it("is remembered once the image here is the registry's", async () => {
    const { engine, watch, look } = openWatch();
    engine.registry = { [IMAGE]: "sha256:there" };
    await look();
    expect(watch.settled).toEqual({});
    await look({ images: { [IMAGE]: { id: "new", digests: ["sha256:there"] } } });
    expect(watch.settled).toEqual({ [IMAGE]: NOW });
  });
});

describe("trouble with a registry", () => {
  const failed = (message: string) => ({ [IMAGE]: { kind: "failed", message } });

  it("is said, and the registry left in peace for a while that grows", async () => {
    const { engine, clock, watch, look } = openWatch();
    engine.fail("digest", down, "before", 2);
    expect(await look()).toEqual(failed("connection refused"));
    for (const [ticks, asked] of [
      [999, 1],
      [1_000, 2],
      [2_999, 2],
      [3_000, 3],
    ] as const) {
      clock.ticks = ticks;
      await look();
      expect(engine.asked).toHaveLength(asked);
      expect(watch.willTryAgain(IMAGE)).toBe(ticks < 3_000);
    }
    expect(await look()).toEqual({});
  });

  it("three times in a row is enough for a run", async () => {
    const { engine, clock, watch, look } = openWatch();
    engine.fail("digest", down, "before", 9);
    for (const ticks of [0, 1_000, 3_000, 1e12]) {
      clock.ticks = ticks;
      expect(await look()).toEqual(failed("connection refused"));
    }
    expect(engine.asked).toHaveLength(3);
    expect(watch.willTryAgain(IMAGE)).toBe(false);
  });

  it.each([
    denied,
    new WgctlError("engine-not-found", "manifest unknown"),
    new WgctlError("engine-timeout", "nothing was heard"),
  ])(
    "that is an answer, or takes a whole deadline ($code), is not asked for twice",
    async (error) => {
      const { engine, clock, watch, look } = openWatch();
      engine.fail("digest", error, "before", 9);
      await look();
      clock.ticks = 1e12;
      expect(await look()).toEqual(failed(error.message));
      expect(engine.asked).toHaveLength(1);
      expect(watch.willTryAgain(IMAGE)).toBe(false);
    },
  );

  it.each<[string, string, boolean]>([
    ["a registry that says no", "engine-denied", false],
    ["an image that nobody has", "engine-not-found", false],
    ["a registry that is down", "engine-failed", true],
  ])("in a pull counts for the image: %s", async (_, code, isTriedAgain) => {
    const { watch, look } = openWatch();
    watch.note(pulled({ kind: "failed", code, message: "no" }));
    expect(await look({ images: { [IMAGE]: null } })).toEqual(failed("no"));
    expect(watch.willTryAgain(IMAGE)).toBe(isTriedAgain);
  });

  it("is forgotten after a pull that works; what was skipped says nothing", async () => {
    const { watch, look } = openWatch();
    watch.note(pulled({ kind: "failed", code: "engine-failed", message: "no" }));
    watch.note(pulled({ kind: "skipped", because: "" }));
    expect(await look()).toEqual(failed("no"));
    watch.note(pulled({ kind: "done" }));
    expect(await look()).toEqual({});
  });

  it("is none of an engine that is not there", async () => {
    const { engine, look } = openWatch();
    engine.fail("digest", new WgctlError("engine-unreachable", "gone"));
    await expect(look()).rejects.toMatchObject({ code: "engine-unreachable" });
  });
});
