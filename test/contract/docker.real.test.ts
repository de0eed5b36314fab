import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import { findPrivateEngine, restartPrivateEngine } from "../../scripts/lib/private-engine.mjs";
import { openDockerEngine } from "../../src/engine/docker/open.ts";
import { resolveEngine } from "../../src/engine/docker/resolve.ts";
import { hasRegistry, moveTag, pushImage, type Registry, startRegistry } from "../e2e/registry.ts";
import {
  cleanup,
  execIn,
  newRunId,
  RUN_LABEL,
  removeByHand,
  runContainer,
  testHost,
} from "../support/engine.ts";
import { loadVariant, TEST_IMAGE } from "../support/image.ts";
import { waitFor } from "../support/wait.ts";
import { contract } from "./contract.ts";
import type { Fixture, Hands, RegistryHands } from "./fixture.ts";

async function openFixture(): Promise<Fixture> {
  const run = newRunId();
  const target = await resolveEngine({ host: testHost() }, {});
  const engine = openDockerEngine(target, { environment: process.env });
  const loaded = new Set<string>();
  const registries: Registry[] = [];
  return {
    engine,
    run,
    image: TEST_IMAGE,
    hands: {
      ...handsOf(run, loaded),
      openRegistry: () => openRegistryHands(run, loaded, registries),
    },
    clock: () => performance.now(),
    close: async () => {
      await engine.close();
      await cleanup(`dev.wgctl.uid=${run}`);
      await cleanup(run);
      for (const registry of registries) registry.close();
      for (const image of loaded) await callApi(testHost(), "DELETE", `/images/${image}?force=1`);
    },
  };
}

async function openRegistryHands(
  run: string,
  loaded: Set<string>,
  registries: Registry[],
): Promise<RegistryHands | undefined> {
  if (!hasRegistry()) return undefined;
  const registry = await startRegistry();
  registries.push(registry);
  const repository = `${registry.address}/worker`;
  loaded.add(`${repository}:1`);
  let pushed = 0;
  return {
    reference: `${repository}:1`,
    push: async () => {
      pushed += 1;
      const version = `v${pushed}`;
      const local = `${run}-pushed:${version}`;
      const id = await loadVariant(local, local);
      const query = new URLSearchParams({ repo: repository, tag: version });
      await callJson(testHost(), "POST", `/images/${local}/tag?${query}`);
      await pushImage(repository, version);
      for (const tagged of [`${repository}:${version}`, local]) {
        await callJson(testHost(), "DELETE", `/images/${tagged}`);
      }
      moveTag(registry, "worker", "1", version);
      return id;
    },
    goDown: async () => registry.close(),
  };
}

function handsOf(run: string, loaded: Set<string>): Omit<Hands, "openRegistry"> {
  const post = (path: string) => callJson(testHost(), "POST", path);
  return {
    runStranger: (name, labels = {}) =>
      runContainer(name, { Image: TEST_IMAGE, Labels: { [RUN_LABEL]: run, ...labels } }),
    removeByForce: (id) => removeByHand(id),
    pause: async (id) => {
      // Under load runc now and then cannot freeze a process that has just started.
      const path = `/containers/${id}/pause`;
      await waitFor(
        "the pause",
        async () => (await callApi(testHost(), "POST", path)).status === 204,
      );
    },
    unpause: (id) => post(`/containers/${id}/unpause`),
    listens: async (id) => {
      // SIGTERM is bit 14 of the mask of caught signals.
      const catches = ["grep", "-qE", "SigCgt:.*[4-7c-f][0-9a-f]{3}$", "/proc/1/status"];
      await waitFor("its traps", async () => (await execIn(id, catches)) === 0);
    },
    mend: async (id) => {
      await execIn(id, ["touch", "/tmp/mended"]);
    },
    crash: async (id) => {
      await execIn(id, ["kill", "-USR1", "1"]);
    },
    makeNetwork: (name) =>
      callJson(testHost(), "POST", "/networks/create", {
        body: { Name: name, Labels: { [RUN_LABEL]: run } },
      }),
    moveTag: async (reference) => {
      const id = await loadVariant(reference, `${reference}-${loaded.size}`);
      loaded.add(id).add(reference);
      return id;
    },
    removeTag: async (reference) => {
      await callJson(testHost(), "DELETE", `/images/${reference}`);
    },
    restartEngine,
  };
}

/** The private engine that all tests share, by the name in its address. */
async function restartEngine(): Promise<void> {
  const name = /wgctl-engine-([^/]+)/.exec(testHost())?.[1] ?? "";
  const state = await findPrivateEngine(name);
  if (state === undefined) throw new Error(`${testHost()} is no private engine`);
  await restartPrivateEngine(state);
}

contract("Docker", openFixture, { canRestartEngine: process.getuid?.() === 0 });
