import type { Template } from "../../src/core/template.ts";
import {
  endByItself,
  pause,
  push,
  removeByForce,
  removeTag,
  setHealth,
  unpause,
} from "../../src/engine/simulated/hands.ts";
import { imageIdOf, tagImage } from "../../src/engine/simulated/image.ts";
import { perform } from "../../src/engine/simulated/in-flight.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import { restartEngine } from "../../src/engine/simulated/restart-engine.ts";
import { newWorld, type World } from "../../src/engine/simulated/world.ts";
import { contract } from "./contract.ts";
import type { Fixture, Hands } from "./fixture.ts";
import { livesOfKinds } from "./workers.ts";

const IMAGE = "wgctl-test-worker:1";

async function openFixture(): Promise<Fixture> {
  const world = newWorld({ tags: { [IMAGE]: imageIdOf(IMAGE) }, lives: livesOfKinds() });
  const engine = openSimulatedEngine({ world });
  return {
    engine,
    run: "test",
    image: IMAGE,
    hands: handsOn(world),
    clock: () => engine.ticks(),
    close: () => engine.close(),
  };
}

function handsOn(world: World): Hands {
  let variants = 0;
  return {
    runStranger: async (name, labels = {}) => runStranger(world, name, labels),
    removeByForce: async (id) => removeByForce(world, id),
    pause: async (id) => pause(world, id),
    unpause: async (id) => unpause(world, id),
    listens: async () => undefined,
    mend: async (id) => setHealth(world, id, true),
    crash: async (id) => endByItself(world, id, { code: 4 }),
    makeNetwork: async (name) => {
      world.networks.push(name);
    },
    moveTag: async (reference) => {
      variants += 1;
      const id = imageIdOf(`${reference}-${variants}`);
      tagImage(world, reference, { id });
      return id;
    },
    removeTag: async (reference) => removeTag(world, reference),
    openRegistry: async () => {
      const reference = "registry.test/worker:1";
      return {
        reference,
        push: async () => {
          variants += 1;
          const id = imageIdOf(`pushed-${variants}`);
          push(world, reference, { id });
          return id;
        },
        goDown: async () => {
          world.registry.down = "connection refused";
        },
      };
    },
    restartEngine: async () => restartEngine(world, "orderly"),
  };
}

function runStranger(world: World, name: string, labels: Readonly<Record<string, string>>): string {
  const template: Template = { image: IMAGE };
  const id = perform(world, { kind: "createWorker", request: { name, labels, template } });
  return perform(world, { kind: "startWorker", id });
}

contract("the simulated engine", openFixture, { canRestartEngine: true });
