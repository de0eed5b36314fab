// Repeats apply as cron would, and holds all of it to what may exist, seen from outside.

import { expect } from "vitest";
import type { CliOptions } from "../support/cli.ts";
import { engineTime } from "../support/engine.ts";
import { type ObserverOptions, observe } from "../support/observer.ts";
import { containerEvents } from "./events.ts";
import type { Stage } from "./stage.ts";

export type Repeated = Partial<CliOptions> & {
  readonly args?: readonly string[];
  /** Runs at most. */
  readonly most?: number;
};

/**
 * Applies again and again until a run converges; answers with the number of runs. A run may fail in a way that trying
 * again can mend, and in no other.
 */
export async function applyUntilDone(stage: Stage, options: Repeated = {}): Promise<number> {
  const { args = [], most = 20, ...more } = options;
  const said: string[] = [];
  for (let runs = 1; runs <= most; runs += 1) {
    const { code, stdout, stderr } = await stage.wgctl(["apply", ...args], more);
    said.push(`${code}: ${stdout}${stderr}`);
    if (code === 0) return runs;
    expect(code, said.at(-1)).toBe(1);
  }
  throw new Error(`${most} runs of apply did not converge:\n${said.join("\n")}`);
}

/** The most containers of the stage that existed at once while the work was done, and what was killed with SIGKILL. */
export async function watched(
  stage: Stage,
  work: () => Promise<unknown>,
  options: ObserverOptions = {},
): Promise<{ readonly most: number; readonly killed: number }> {
  const since = await engineTime();
  const watching = observe(stage.label, options);
  await work();
  const samples = await watching.stop();
  const events = await containerEvents(since, stage.label);
  return {
    most: Math.max(...samples.map(({ existing }) => existing)),
    killed: events.filter(({ action, signal }) => action === "kill" && signal === 9).length,
  };
}

/** The group is as declared: one running worker in each slot, and planning again asks for nothing. */
export async function expectAsDeclared(stage: Stage, replicas: number): Promise<void> {
  const workers = await stage.workers();
  const slots = workers.map(({ labels, state }) => `${labels["dev.wgctl.slot"]} ${state}`);
  const wanted = Array.from({ length: replicas }, (_, index) => `${index + 1} running`);
  expect(slots).toEqual(wanted);
  await stage.expectNothingToDo();
}
