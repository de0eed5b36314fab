// An engine that freezes, dies and comes back, seen through one client that outlives it all.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type EngineState,
  haltPrivateEngine,
  pausePrivateEngine,
  restartPrivateEngine,
  resumePrivateEngine,
  startPrivateEngine,
  stopPrivateEngine,
} from "../../../scripts/lib/private-engine.mjs";
import { loadWorkerImage } from "../../../scripts/lib/worker-image.mjs";
import { openDockerEngine } from "../../../src/engine/docker/open.ts";
import { parseHost } from "../../../src/engine/docker/target.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { TEST_IMAGE } from "../../support/image.ts";

const never = new AbortController().signal;

describe.runIf(process.getuid?.() === 0)("an engine", () => {
  let state: EngineState;
  let engine: Engine;

  beforeEach(async () => {
    state = await startPrivateEngine();
    await loadWorkerImage(state.host, TEST_IMAGE);
    const target = parseHost(state.host, undefined, "the test");
    engine = openDockerEngine(target, { environment: {}, requestTimeoutMs: 2000 });
    const request = {
      name: "worker-1",
      labels: { "dev.wgctl.uid": "u" },
      template: { image: TEST_IMAGE },
    };
    await engine.createWorker(request, never);
  });
  afterEach(async () => {
    await engine.close();
    await stopPrivateEngine(state);
  });

  const names = async () => (await engine.listWorkers(never)).workers.map(({ name }) => name);

  it("that is frozen costs the deadline and no more, and is there again afterwards", async () => {
    await pausePrivateEngine(state);
    const began = performance.now();
    await expect(names()).rejects.toMatchObject({ code: "engine-timeout" });
    await engine.waitForChange(200, never);
    expect(performance.now() - began).toBeLessThan(5500);
    resumePrivateEngine(state);
    expect(await names()).toEqual(["worker-1"]);
  });

  it("that is down is unreachable at once, wakes nobody wrongly, and is found after its restart", async () => {
    expect(await names()).toEqual(["worker-1"]);
    await haltPrivateEngine(state);
    await expect(names()).rejects.toMatchObject({
      code: "engine-unreachable",
      message: expect.stringContaining(state.host),
    });
    const began = performance.now();
    await engine.waitForChange(300, never);
    expect(performance.now() - began).toBeGreaterThan(290);
    state = await restartPrivateEngine(state);
    expect(await names()).toEqual(["worker-1"]);
  });
});
