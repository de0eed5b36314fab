// A simulated engine with one image, and the shortest way to workers on it.

import type { Template } from "../../../src/core/template.ts";
import { imageIdOf } from "../../../src/engine/simulated/image.ts";
import { openSimulatedEngine } from "../../../src/engine/simulated/open.ts";
import { newWorld, type World, type WorldOptions } from "../../../src/engine/simulated/world.ts";

export const never = new AbortController().signal;
export const IMAGE = "mailer:1";
export const SECOND = 1000;

export function makeWorld(options: WorldOptions = {}): World {
  return newWorld({ ...options, tags: { [IMAGE]: imageIdOf(IMAGE), ...options.tags } });
}

/** An engine over a new world; `create` and `start` make workers of ours by name. */
export function openBench(options: WorldOptions = {}, world: World = makeWorld(options)) {
  const engine = openSimulatedEngine({ world });
  const create = (name = "mailer-1", wish: Partial<Template> = {}) => {
    const labels = { "dev.wgctl.uid": "u1", "dev.wgctl.name": name };
    return engine.createWorker({ name, labels, template: { image: IMAGE, ...wish } }, never);
  };
  const start = async (name?: string, wish?: Partial<Template>) => {
    const id = await create(name, wish);
    await engine.startWorker(id, never);
    return id;
  };
  const facts = async (idOrName: string) =>
    (await engine.inspectWorker(idOrName, never))?.facts ?? undefined;
  const run = async (idOrName: string) => (await facts(idOrName))?.run;
  return { world, engine, create, start, facts, run };
}

export type Bench = ReturnType<typeof openBench>;
