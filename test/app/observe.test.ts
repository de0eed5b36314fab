// What one look asks the engine: of whose stop signal, since when, and whether an image will do.

import { expect, it } from "vitest";
import { ImageWatch } from "../../src/app/image-watch.ts";
import { observe } from "../../src/app/observe.ts";
import { NOTHING_PENDING } from "../../src/core/journal.ts";
import { phaseName } from "../../src/core/names.ts";
import type { WorkerFacts } from "../../src/core/observed.ts";
import type { WorkerRecord } from "../../src/core/status-types.ts";
import { recordOf, remembering } from "../core/plan/table.ts";
import { buildAction } from "../support/build.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { ago, exited, group, MAILER, running, worker } from "../support/scene.ts";

const NEVER = new AbortController().signal;
const NOTHING_KNOWN = { status: undefined, pending: NOTHING_PENDING, probes: {} };
const own = worker(1).name;
const named = (phase: "draining" | "stopping" | "kept", seconds: number) =>
  phaseName(own, phase, ago(seconds));

/** The questions that one look asks about a worker, as seconds ago. */
async function questions(facts: WorkerFacts, records: readonly WorkerRecord[] = []) {
  const asked: number[] = [];
  const engine = Object.assign(new FakeEngine([facts]), {
    findSignalled: async (_: readonly string[], since: number) => {
      asked.push((ago(0) - since) / 1000);
      return [];
    },
  });
  const { memory: status } = remembering({ workers: records });
  const groups = [group()];
  const workspace = { groups, declared: [MAILER.uid], project: undefined };
  await observe(engine, workspace, { status, pending: NOTHING_PENDING, probes: {} }, NEVER);
  return asked;
}

it.each<[string, WorkerFacts, readonly number[]]>([
  ["nobody who stays", worker(1), []],
  ["who was named to stop: since then", worker(1, { name: named("stopping", 30) }), [30]],
  ["who drains: since then", worker(1, { name: named("draining", 30) }), [30]],
  [
    "who was kept and runs again: since it was started, for it was told to stop before",
    worker(1, { name: named("kept", 300), run: running(20) }),
    [20],
  ],
  ["nobody who has ended", worker(1, { name: named("kept", 300), run: exited(200) }), []],
])("asks about %s", async (_, facts, expected) => {
  expect(await questions(facts)).toEqual(expected);
});

it("does not ask about who was told under the name it has, and does where it has another", async () => {
  const stopping = worker(1, { name: named("stopping", 30) });
  const told = recordOf(stopping, { signalled: true });
  expect(await questions(stopping, [told])).toEqual([]);
  expect(await questions(stopping, [{ ...told, name: named("draining", 60) }])).toEqual([30]);
});

it.each<[string, string | undefined, readonly (string | undefined)[], boolean]>([
  ["of the platform that is wanted", "linux/arm64/v8", ["linux/arm64"], true],
  ["of another one", "linux/amd64", ["linux/arm64"], false],
  ["of any, where none is wanted", "linux/amd64", [undefined], true],
  ["of one that another group wants", "linux/amd64", ["linux/arm64", "linux/amd64"], true],
  ["of which the engine says nothing", undefined, ["linux/arm64"], true],
])("has an image %s: %s for %j: %s", async (_, platform, wanted, expected) => {
  const engine = new FakeEngine();
  if (platform !== undefined) engine.platforms = { "mailer:1": platform };
  const groups = wanted.map((each) =>
    group({ template: { image: "mailer:1", ...(each && { platform: each }) } }),
  );
  const workspace = { groups, declared: [MAILER.uid], project: undefined };
  const { images } = await observe(engine, workspace, NOTHING_KNOWN, NEVER);
  expect(images["mailer:1"] !== null).toBe(expected);
});

it("asks for the platform that all who want an image agree on", async () => {
  const asked: unknown[] = [];
  const engine = Object.assign(new FakeEngine(), {
    resolveImages: async (_: readonly string[], __: AbortSignal, platforms: object) => {
      asked.push(platforms);
      return {};
    },
  });
  const of = (image: string, platform?: string) =>
    group({ template: { image, ...(platform && { platform }) } });
  const arm = "linux/arm64";
  const groups = [
    of("a", arm),
    of("a", arm),
    of("b", arm),
    of("b"),
    of("c", arm),
    of("c", "linux"),
  ];
  const workspace = { groups, declared: [MAILER.uid], project: undefined };
  await observe(engine, workspace, NOTHING_KNOWN, NEVER);
  expect(asked).toEqual([{ a: arm }]);
});

it("takes an image of another platform once it was pulled in this run", async () => {
  const engine = new FakeEngine();
  engine.platforms = { "mailer:1": "linux/amd64" };
  const groups = [group({ template: { image: "mailer:1", platform: "linux/arm64" } })];
  const workspace = { groups, declared: [MAILER.uid], project: undefined };
  const watch = new ImageWatch(() => 0);
  const look = () => observe(engine, workspace, { ...NOTHING_KNOWN, watch }, NEVER);
  expect((await look()).images["mailer:1"]).toBeNull();
  const action = buildAction({ kind: "pull-image", image: "mailer:1" });
  watch.note([{ action, outcome: { kind: "done" } }]);
  expect((await look()).images["mailer:1"]).not.toBeNull();
});
