// Runs on other machines that share one engine. A network namespace of its own hides the process lock from a run and
// leaves it the engine's socket, as another host with a tunnel to the engine would have it. Root only.

import { callJson } from "../../scripts/lib/docker-api.mjs";
import type { CliOptions, CliResult } from "../support/cli.ts";
import { testHost } from "../support/engine.ts";
import { waitFor } from "../support/wait.ts";
import { HEALTH_CHECK, type Spec, type Stage } from "./stage.ts";

/** Starts, and is never ready: an apply of it goes on until somebody ends it. */
export const ENDLESS: Spec = {
  replicas: 2,
  template: {
    environment: { HEALTH: "never" },
    healthcheck: { ...HEALTH_CHECK, start_period: "1h" },
  },
};

export const isRoot = process.getuid?.() === 0;

export type StartedRun = {
  readonly ended: Promise<CliResult>;
  kill(signal: NodeJS.Signals): Promise<CliResult>;
};

/** Starts a run that shares nothing with others but the engine and the files. */
export function elsewhere(
  stage: Stage,
  args: readonly string[],
  options: Partial<CliOptions> = {},
): StartedRun {
  return start(stage, args, { ...options, through: ["unshare", "-n"] });
}

function start(stage: Stage, args: readonly string[], options: Partial<CliOptions>): StartedRun {
  let onStart = (_: number): void => undefined;
  const pid = new Promise<number>((resolve) => {
    onStart = resolve;
  });
  const ended = stage.wgctl(args, { ...options, onStart });
  const kill = async (signal: NodeJS.Signals) => {
    process.kill(await pid, signal);
    return ended;
  };
  return { ended, kill };
}

/** An apply elsewhere that has started all its workers, and holds the lease while it waits for them. */
export async function holdElsewhere(
  stage: Stage,
  args: readonly string[] = [],
): Promise<StartedRun> {
  await stage.declare(ENDLESS);
  return untilItWaits(stage, elsewhere(stage, ["apply", ...args]));
}

/** As `holdElsewhere`, with the process lock of this host. */
export async function holdHere(stage: Stage): Promise<StartedRun> {
  await stage.declare(ENDLESS);
  return untilItWaits(stage, start(stage, ["apply"], {}));
}

async function untilItWaits(stage: Stage, run: StartedRun): Promise<StartedRun> {
  await waitFor("both workers to run", async () => {
    const workers = await stage.workers();
    return workers.length === 2 && workers.every(({ state }) => state === "running");
  });
  return run;
}

export type LeaseVolume = {
  readonly name: string;
  readonly number: number;
  readonly labels: Readonly<Record<string, string>>;
};

/** The volumes of the stage's lease, ascending. */
export async function leaseVolumes(stage: Stage): Promise<readonly LeaseVolume[]> {
  const label = [`dev.wgctl.lease.project=${stage.projectUid}`];
  const filters = encodeURIComponent(JSON.stringify({ label }));
  const { Volumes: found }: { Volumes: { Name: string; Labels: Record<string, string> }[] | null } =
    await callJson(testHost(), "GET", `/volumes?filters=${filters}`);
  return (found ?? [])
    .map(({ Name: name, Labels: labels }) => ({
      name,
      number: Number(name.slice(name.lastIndexOf("-") + 1)),
      labels,
    }))
    .sort((one, other) => one.number - other.number);
}

/** Whether the highest says that somebody has the lease. */
export async function isLeaseHeld(stage: Stage): Promise<boolean> {
  return (await leaseVolumes(stage)).at(-1)?.labels["dev.wgctl.lease.token"] !== undefined;
}
