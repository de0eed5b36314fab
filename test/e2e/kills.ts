// Kills runs of apply with SIGKILL, each a little later in its life than the one before, and looks at what they leave.

import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Spec, Stage } from "./stage.ts";

export type Ordeal = {
  readonly kills: number;
  /** When the first run is killed, and how much later each next one: milliseconds of its life. */
  readonly firstMs: number;
  readonly stepMs: number;
  /** What is declared before each run. */
  readonly specOf: (round: number) => Spec;
  /** Of the runs. */
  readonly env?: Readonly<Record<string, string>>;
  /** What befalls the state folder when a run is dead. */
  readonly strike?: (stage: Stage, round: number) => Promise<void>;
};

/** Kills so many runs; answers with the number of those that had not ended by then. */
export async function killAtGrowingMoments(stage: Stage, ordeal: Ordeal): Promise<number> {
  const { kills, firstMs, stepMs, specOf, strike, env = {} } = ordeal;
  let killed = 0;
  for (let round = 0; round < kills; round += 1) {
    await stage.declare(specOf(round));
    if (await killAfter(stage, firstMs + round * stepMs, env)) killed += 1;
    if (strike === undefined) await expectValidFiles(stage);
    else await strike(stage, round);
  }
  return killed;
}

/** True: the run was killed; false: it had ended by itself, and well. */
async function killAfter(
  stage: Stage,
  milliseconds: number,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const over = new AbortController();
  const onStart = (pid: number) => {
    void delay(milliseconds, undefined, { signal: over.signal }).then(
      () => process.kill(pid, "SIGKILL"),
      () => undefined,
    );
  };
  const { code, stderr } = await stage.wgctl(["apply"], { onStart, env });
  over.abort();
  expect([0, 137], stderr).toContain(code);
  return code === 137;
}

/** The state files can be read whole, whatever the run was doing when it died. */
export async function expectValidFiles(stage: Stage): Promise<void> {
  const status = await stage.expectExit(0, ["status", "-o", "json"]);
  const history = await stage.expectExit(0, ["history", "-o", "json"]);
  for (const { stdout, stderr } of [status, history]) {
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1 });
    expect(stderr).not.toMatch(/damaged|cannot be read/);
  }
}
