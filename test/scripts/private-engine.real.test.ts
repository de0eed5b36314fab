import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callJson, isReachable } from "../../scripts/lib/docker-api.mjs";
import {
  type EngineState,
  haltPrivateEngine,
  pausePrivateEngine,
  restartPrivateEngine,
  resumePrivateEngine,
  startPrivateEngine,
  stopPrivateEngine,
} from "../../scripts/lib/private-engine.mjs";
import { isAlive, ROOT } from "../../scripts/lib/process.mjs";
import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { listContainers, runContainer, testHost } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { waitFor } from "../support/wait.ts";

describe.runIf(process.getuid?.() === 0)("a private engine", () => {
  let engine: EngineState;

  beforeEach(async () => {
    engine = await startPrivateEngine();
    await loadWorkerImage(engine.host, TEST_IMAGE);
  });
  afterEach(() => stopPrivateEngine(engine));

  const startWorker = (name: string) =>
    runContainer(
      name,
      { Image: TEST_IMAGE, Labels: { a: "b" }, HostConfig: { RestartPolicy: { Name: "always" } } },
      engine.host,
    );

  const pidOf = async (id: string): Promise<number> =>
    (await callJson(engine.host, "GET", `/containers/${id}/json`)).State.Pid;

  it("is another engine than the one beside it, with containers of its own", async () => {
    await startWorker("alone");
    const ids = await Promise.all(
      [engine.host, testHost()].map(async (host) => (await callJson(host, "GET", "/info")).ID),
    );
    expect(new Set(ids).size).toBe(2);
    expect((await listContainers("a=b", testHost())).map(({ name }) => name)).not.toContain(
      "alone",
    );
  });

  it("answers nothing while paused and goes on afterwards", async () => {
    await pausePrivateEngine(engine);
    expect(await isReachable(engine.host, 300)).toBe(false);
    resumePrivateEngine(engine);
    expect(await isReachable(engine.host)).toBe(true);
  });

  it("keeps its containers over a restart", async () => {
    const id = await startWorker("stays");
    await haltPrivateEngine(engine);
    expect(await isReachable(engine.host, 300)).toBe(false);
    engine = await restartPrivateEngine(engine);
    const revived = await waitFor("the container to run again", async () => {
      const [found] = await listContainers("a=b", engine.host);
      return found?.state === "running" && found;
    });
    expect(revived.id).toBe(id);
  });

  it("leaves no process, folder or cgroup behind, even when stopped while paused", async () => {
    await pidOf(await startWorker("ends"));
    await pausePrivateEngine(engine);
    await stopPrivateEngine(engine);
    expect([engine.holder, engine.init, engine.launcher, engine.daemon].filter(isAlive)).toEqual(
      [],
    );
    expect(existsSync(engine.folder)).toBe(false);
  });
});

it.runIf(process.getuid?.() === 0)("dies with the process that started it", async () => {
  const library = join(ROOT, "scripts/lib/private-engine.mjs");
  const code = `
    const { startPrivateEngine } = await import(${JSON.stringify(library)});
    process.stdout.write(JSON.stringify(await startPrivateEngine()));
    setInterval(() => undefined, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  owner.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const orphan: EngineState = await waitFor(
    "the engine",
    () => output.endsWith("}") && JSON.parse(output),
  );
  owner.kill("SIGKILL");
  await waitFor("the engine to die", () => ![orphan.init, orphan.daemon].some(isAlive));
  await stopPrivateEngine(await startPrivateEngine());
  expect(existsSync(orphan.folder)).toBe(false);
});
