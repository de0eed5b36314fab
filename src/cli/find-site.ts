// Finds the engine that options and project mean. The simulated one is loaded only when it is asked for.

import { WgctlError } from "../core/errors.ts";
import type { Project } from "../core/model.ts";
import { openDockerEngine, openDockerReader } from "../engine/docker/open.ts";
import type { EngineSite } from "./engine-site.ts";
import { findEngine, stateFolder } from "./open.ts";
import type { EngineOptions } from "./options.ts";
import { ticks } from "./ticks.ts";

/** Finds the engine that the options and the project mean; opens nothing. Throws `bad-usage`. */
export async function findSite(
  options: EngineOptions,
  project: Project | undefined,
): Promise<EngineSite> {
  if (options.engine === "docker") return dockerSite(options, project);
  const { simulatedSite } = await import("./simulated-site.ts");
  return simulatedSite(options, project);
}

async function dockerSite(
  options: EngineOptions,
  project: Project | undefined,
): Promise<EngineSite> {
  refuseOfSimulated(options);
  const target = await findEngine(options, project);
  const settings = { environment: process.env, requestTimeoutMs: options.requestTimeout };
  return {
    endpoint: target.endpoint,
    stateFolder: stateFolder(options, project),
    lockedBy: "project",
    openReader: async () => ({ reader: openDockerReader(target, settings), now: Date.now }),
    openEngine: async () => ({
      engine: openDockerEngine(target, settings),
      clock: { ticks, now: Date.now },
    }),
  };
}

/** Who names a world does not mean containers that are real. */
function refuseOfSimulated({ world, advance }: EngineOptions): void {
  const option = world !== undefined ? "--world" : advance !== undefined ? "--advance" : undefined;
  if (option === undefined) return;
  throw new WgctlError(
    "bad-usage",
    `${option} is of the simulated engine, and this run is on docker`,
    {
      hint: "add --engine simulated, or leave it out",
    },
  );
}
