// Groups that ask their registry for a newer image: field case 2 where nobody pulled, and registries in trouble.

import { describe, expect, it } from "vitest";
import { engineTime, type ListedContainer } from "../support/engine.ts";
import { containerEvents } from "./events.ts";
import {
  hasRegistry,
  loadAs,
  moveTag,
  openRegistry,
  publish,
  type Registry,
  untag,
} from "./registry.ts";
import { idsOf, openStage, type Stage } from "./stage.ts";

/** A digest or image id as plans show it. */
const short = (id: string) => id.slice(0, "sha256:".length + 12);

const always = (image: string, replicas = 2) => ({
  replicas,
  template: { image, pull_policy: "always" },
});

/** Pushes an image and has tag 1 mean it; answers with its id. */
async function release(stage: Stage, registry: Registry, version: string): Promise<string> {
  const id = await publish(stage, `${registry.address}/worker:${version}`, version);
  moveTag(registry, "worker", "1", version);
  return id;
}

async function expectQuiet(stage: Stage): Promise<void> {
  const since = await engineTime();
  const files = stage.files();
  await stage.expectExit(0, ["plan", "--detailed-exitcode"]);
  await stage.expectExit(0, ["apply"]);
  expect(await containerEvents(since, stage.label)).toEqual([]);
  expect(stage.files()).toEqual(files);
}

describe.runIf(hasRegistry())("field case 2: the tag moved in the registry", () => {
  it("and is asked for in every run: rolled once, both ids named, then nothing", async () => {
    const stage = openStage();
    const registry = await openRegistry();
    const image = `${registry.address}/worker:1`;
    const first = await release(stage, registry, "first");
    stage.claimImage(image);
    const before = await stage.converge(always(image));
    expect(before.map((worker) => worker.image)).toEqual([first, first]);
    await expectQuiet(stage);

    const second = await release(stage, registry, "second");
    await expectPullPlanned(stage, image);
    const { stdout } = await stage.expectExit(0, ["apply", "-o", "json"]);
    expect(stdout).toContain(`${short(first)} -> ${short(second)}`);
    await expectReplaced(stage, before, second);
    await expectQuiet(stage);
  });

  /** The plan names digests, retires nobody, and leaves everything as it is. */
  async function expectPullPlanned(stage: Stage, image: string): Promise<void> {
    const files = stage.files();
    const { actions, deferred } = await stage.plan();
    expect(deferred).toEqual([]);
    expect(actions).toMatchObject([{ kind: "pull-image", image, reason: "image-changed" }]);
    expect(actions[0]?.detail).toMatch(
      /^sha256:[0-9a-f]{12} -> sha256:[0-9a-f]{12} in its registry/,
    );
    expect(await stage.plan()).toMatchObject({ actions });
    expect(stage.files()).toEqual(files);
  }

  async function expectReplaced(
    stage: Stage,
    before: readonly ListedContainer[],
    image: string,
  ): Promise<void> {
    const after = await stage.workers();
    expect(after.map((worker) => worker.image)).toEqual([image, image]);
    expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  }

  it("and is asked for daily: not again today, but after the files are lost", async () => {
    const stage = openStage();
    const registry = await openRegistry();
    const image = `${registry.address}/worker:1`;
    await release(stage, registry, "first");
    stage.claimImage(image);
    const daily = { replicas: 1, template: { image, pull_policy: "daily" } };
    await stage.converge(daily);
    expect(stage.status().groups[0]?.imageCheckedAt).toMatch(/^\d{4}-/);
    await release(stage, registry, "second");
    await expectQuiet(stage);
    await stage.loseFiles();
    const [action] = (await stage.plan()).actions;
    expect(action).toMatchObject({ kind: "pull-image", reason: "image-changed" });
  });
});

describe.runIf(hasRegistry())("a registry in trouble, asked about an image that is here", () => {
  type Trouble = { readonly image: string; readonly words: RegExp };
  const down = async (): Promise<Trouble> => {
    const registry = await openRegistry();
    registry.close();
    return { image: `${registry.address}/worker:1`, words: /connection refused/ };
  };
  const closed = async (): Promise<Trouble> => ({
    image: `${(await openRegistry({ closed: true })).address}/worker:1`,
    words: /no basic auth credentials|unauthorized/,
  });
  const empty = async (): Promise<Trouble> => ({
    image: `${(await openRegistry()).address}/worker:1`,
    words: /manifest unknown/,
  });

  it.each([
    ["is down", down],
    ["lets nobody in", closed],
    ["does not have it", empty],
  ])("that %s costs no worker, and the image is used on", async (_, makeTrouble) => {
    const stage = openStage();
    const { image, words } = await makeTrouble();
    const local = await loadAs(stage, image, "local");
    const before = await stage.converge({ replicas: 1, template: { image } });
    await stage.declare(always(image));
    const { stdout } = await stage.expectExit(1, ["apply"]);
    expect(stdout).toMatch(words);
    const after = await stage.workers();
    expect(idsOf(after)).toEqual(expect.arrayContaining([...idsOf(before)]));
    expect(after.map((worker) => worker.image)).toEqual([local, local]);
    expect(stage.status().groups[0]?.conditions).toContainEqual(
      expect.objectContaining({
        ...{ type: "ReplicaFailure", status: "True", reason: "ImagePullFailed" },
        message: expect.stringMatching(words),
      }),
    );
    await expectSteady(stage);
    await untag(`wgctl-${stage.run}:local`);
  });

  /** While the trouble lasts every run says the same, in the same bytes. */
  async function expectSteady(stage: Stage): Promise<void> {
    const since = await engineTime();
    const files = stage.files();
    await stage.expectExit(1, ["apply"]);
    expect(await containerEvents(since, stage.label)).toEqual([]);
    expect(stage.files()).toEqual(files);
  }
});
