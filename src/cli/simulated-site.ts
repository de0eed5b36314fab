// The simulated engine as a run's engine: a world in a file, read once the lock is held, in virtual time.

import { createHash, randomUUID } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { WgctlError } from "../core/errors.ts";
import type { Project } from "../core/model.ts";
import { openSimulatedEngine, openSimulatedReader } from "../engine/simulated/open.ts";
import { advance } from "../engine/simulated/time.ts";
import { claimWorld, loadWorld } from "../engine/simulated/world-file.ts";
import { prepareStateFolder } from "../store/status-file.ts";
import type { EngineSite, OpenEngine, OpenReader } from "./engine-site.ts";
import { stateFolder, workingFolder } from "./open.ts";
import type { EngineOptions } from "./options.ts";

type Place = {
  readonly file: string;
  /** Milliseconds of virtual time. */
  readonly requestTimeoutMs: number;
  readonly passFirstMs: number;
};

/** The simulated engine that the options mean. Throws `bad-usage` where they name a real one, too. */
export async function simulatedSite(
  options: EngineOptions,
  project: Project | undefined,
): Promise<EngineSite> {
  refuseOfDocker(options);
  const { world, requestTimeout: requestTimeoutMs, advance: passFirstMs = 0 } = options;
  const named = world === undefined ? undefined : await realFile(resolve(workingFolder(), world));
  const folder = stateFolder({ ...options, context: folderName(named) }, project);
  const file = named ?? (await realFile(join(folder, "world.json")));
  const place = { file, requestTimeoutMs, passFirstMs };
  return {
    endpoint: `simulated://${file}`,
    stateFolder: folder,
    lockedBy: "engine", // a world has one writer, whatever it works on
    openReader: () => openReader(place),
    openEngine: async () => {
      if (named === undefined) await prepareStateFolder(folder);
      return openEngine(place);
    },
  };
}

function refuseOfDocker({ host, context }: EngineOptions): void {
  const option = host !== undefined ? "--host" : context !== undefined ? "--context" : undefined;
  if (option === undefined) return;
  throw new WgctlError(
    "bad-usage",
    `${option} is of docker, and this run is on the simulated engine`,
    {
      hint: "leave it out, or take --engine docker",
    },
  );
}

/** Below the project's own state: each world has a folder to itself, as each engine has. */
function folderName(world: string | undefined): string {
  if (world === undefined) return "simulated";
  return `simulated-${createHash("sha256").update(world).digest("hex").slice(0, 8)}`;
}

/** One path for one file, whether it is there yet or not: the lock is keyed by it. */
async function realFile(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await realFile(dirname(path)), basename(path));
}

async function openReader({ file, requestTimeoutMs, passFirstMs }: Place): Promise<OpenReader> {
  const world = await loadWorld(file);
  advance(world, passFirstMs);
  const reader = openSimulatedReader({ world, file, requestTimeoutMs });
  return { reader, now: () => world.now };
}

async function openEngine({ file, requestTimeoutMs, passFirstMs }: Place): Promise<OpenEngine> {
  const world = await claimWorld(file, `simulated-${randomUUID()}`);
  const engine = openSimulatedEngine({ world, file, requestTimeoutMs });
  engine.advance(passFirstMs);
  const { ticks, startTimer } = engine;
  return { engine, clock: { ticks, now: ticks, startTimer } };
}
