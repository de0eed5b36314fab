// Finds the engine and the state folder of a command, from options and environment.

import { findProject } from "../config/find-project.ts";
import { WgctlError } from "../core/errors.ts";
import type { Problem, Project } from "../core/model.ts";
import type { ResolvedEngine } from "../engine/docker/resolve.ts";
import { resolveEngine } from "../engine/docker/resolve.ts";
import { locateStateFolder } from "../store/state-folder.ts";
import type { EngineOptions } from "./options.ts";

/** Absolute; `bad-usage` where the folder was removed meanwhile. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new WgctlError("bad-usage", "the working folder does not exist any more", { cause });
  }
}

/** The project around a folder, where there is one that can be read, and what is wrong with it. */
export async function openProject(
  cwd: string,
): Promise<{ readonly project: Project | undefined; readonly problems: readonly Problem[] }> {
  const path = findProject(cwd);
  if (path === undefined) return { project: undefined, problems: [] };
  // Loaded here, because most runs read nothing anew.
  const { loadProject } = await import("../config/project.ts");
  return loadProject(path, cwd);
}

/** The engine to talk to, found the way the docker CLI finds it. */
export function findEngine(
  options: EngineOptions,
  project: Project | undefined,
): Promise<ResolvedEngine> {
  return resolveEngine(
    { host: options.host, context: options.context, projectContext: project?.context },
    process.env,
  );
}

/** The state folder of a project whatever its engine: what is kept there is about the manifests. */
export function homeFolder(stateDir: string | undefined, projectRoot: string | undefined): string {
  return locateStateFolder({
    flag: stateDir,
    environment: undefined, // commander has read it
    workingFolder: workingFolder(),
    projectRoot,
    context: undefined,
    projectContext: undefined,
  });
}

export function stateFolder(options: EngineOptions, project: Project | undefined): string {
  return locateStateFolder({
    flag: options.stateDir,
    environment: undefined, // commander has read it
    workingFolder: workingFolder(),
    projectRoot: project?.root,
    context: options.context,
    projectContext: project?.context,
  });
}
