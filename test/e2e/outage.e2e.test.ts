// An engine that dies, comes back and freezes while wgctl works on it: what it had begun is found, what it revives is
// stopped again, and never more exists than was declared.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type EngineState,
  pausePrivateEngine,
  restartPrivateEngine,
  resumePrivateEngine,
  startPrivateEngine,
  stopPrivateEngine,
} from "../../scripts/lib/private-engine.mjs";
import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { TEST_IMAGE } from "../support/image.ts";
import { waitFor } from "../support/wait.ts";
import { CALLS, standBetween } from "./middleman.ts";
import { openStage, type Spec, type Stage } from "./stage.ts";
import { applyUntilDone, expectAsDeclared, watched } from "./until-done.ts";

const spec = (queue: string, more: Partial<Spec> = {}): Spec => ({
  replicas: 3,
  ...more,
  template: { restart: "always", environment: { QUEUE: queue, TERM_SECONDS: "2" } },
});

/** The engine is away for a while. */
const OUTAGE = { mayMiss: true } as const;

describe.runIf(process.getuid?.() === 0)("an engine of its own", () => {
  let state: EngineState;

  beforeEach(async () => {
    state = await startPrivateEngine();
    vi.stubEnv("WGCTL_TEST_HOST", state.host);
    await loadWorkerImage(state.host, TEST_IMAGE);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await stopPrivateEngine(state);
  });

  // An engine that stops while it makes the lease's next volume can leave that without labels: it counts for a minute.
  const patience = { args: ["--lock-timeout", "90s"] };

  it("restarted in the middle of an apply: the next runs end as declared", {
    timeout: 240_000,
  }, async () => {
    const stage = openStage();
    await stage.converge(spec("mail"));
    await stage.declare(spec("post"));
    const { most } = await watched(
      stage,
      async () => {
        const run = stage.wgctl(["apply"]);
        await waitFor("a worker to leave", () => isLeaving(stage));
        state = await restartPrivateEngine(state);
        await run;
        await applyUntilDone(stage, patience);
      },
      OUTAGE,
    );
    expect(most).toBe(3);
    await expectAsDeclared(stage, 3);
  });

  it("that never heard of a disarm revives what was stopped: it is stopped again", async () => {
    const stage = openStage();
    await stage.converge(spec("mail"));
    await stage.declare(spec("mail", { replicas: 2 }));
    let isDeaf = true;
    const host = await standBetween(async (call) =>
      isDeaf && CALLS.update.test(call) ? { status: 200, body: "{}" } : undefined,
    );
    const env = { DOCKER_HOST: host };
    const { most } = await watched(
      stage,
      async () => {
        await killWhen(stage, env, () => isLeaving(stage));
        state = await restartPrivateEngine(state);
        const revived = await stage.workers();
        expect(revived.map((each) => each.state)).toEqual(["running", "running", "running"]);
        expect(await isLeaving(stage)).toBe(true);
        isDeaf = false;
        await applyUntilDone(stage, { env });
      },
      OUTAGE,
    );
    expect(most).toBe(3);
    await expectAsDeclared(stage, 2);
  });

  it("frozen in the middle of a create makes it when it wakes: never one too many", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 3 });
    let creates = 0;
    const host = await standBetween(async (call) => {
      if (!CALLS.create.test(call)) return undefined;
      creates += 1;
      if (creates === 2) await pausePrivateEngine(state);
      return creates === 2 ? "unheard" : undefined;
    });
    const env = { DOCKER_HOST: host };
    const { most } = await watched(
      stage,
      async () => {
        await stage.expectExit(1, ["apply", "--request-timeout", "2s"], { env });
        resumePrivateEngine(state);
        await applyUntilDone(stage, { env });
      },
      OUTAGE,
    );
    expect(most).toBe(3);
    await expectAsDeclared(stage, 3);
  });
});

/** An apply that is killed as soon as it has come that far. */
async function killWhen(
  stage: Stage,
  env: Readonly<Record<string, string>>,
  isThere: () => Promise<boolean>,
): Promise<void> {
  let pid = 0;
  const onStart = (started: number) => {
    pid = started;
  };
  const ended = stage.wgctl(["apply"], { env, onStart });
  await waitFor("the moment to kill it", async () => pid > 0 && (await isThere()));
  process.kill(pid, "SIGKILL");
  expect((await ended).code).toBe(137);
}

async function isLeaving(stage: Stage): Promise<boolean> {
  return (await stage.workers()).some(({ name }) => /\.(stopping|kept)-\d+$/.test(name));
}
