// Finds what a command works on: project, manifests, engine and state folder, from options and environment.

import { selectGroups, type Workspace } from "../app/workspace.ts";
import { findProject } from "../config/find-project.ts";
import { load } from "../config/load.ts";
import { loadProject } from "../config/project.ts";
import type { UsedVariable } from "../config/variables.ts";
import { WgctlError } from "../core/errors.ts";
import type { Problem, Project } from "../core/model.ts";
import type { ResolvedEngine } from "../engine/docker/resolve.ts";
import { resolveEngine } from "../engine/docker/resolve.ts";
import { locateStateFolder } from "../store/state-folder.ts";
import type { EngineOptions, ManifestOptions } from "./options.ts";
import { readStdin } from "./streams.ts";

/** Manifests as far as they can be read, whatever engine they are for. */
export type Manifests = Omit<Workspace, "stateFolder"> & {
  /** Variables that manifests took values from, sorted by name. */
  readonly variables: readonly UsedVariable[];
};

export async function openManifests(options: ManifestOptions): Promise<Manifests> {
  const cwd = workingFolder();
  const { project, problems } = await openProject(cwd);
  const isProjectBroken = project === undefined && problems.length > 0;
  const variables = { envFiles: options.envFile, shell: process.env, names: options.env };
  const loaded = await load({ files: options.file, project, cwd, readStdin, variables });
  const isNothingMeant = options.file.length === 0 && project === undefined && !isProjectBroken;
  if (isNothingMeant && loaded.groups.length + loaded.problems.length === 0) throw nothingHere(cwd);
  return {
    project,
    groups: loaded.complete
      ? selectGroups(loaded.groups, options.group, options.exclude)
      : loaded.groups,
    declared: loaded.groups.map(({ identity }) => identity.uid),
    problems: [...problems, ...loaded.problems],
    complete: loaded.complete && !isProjectBroken,
    narrowed: options.file.length + options.group.length + options.exclude.length > 0,
    folder: project?.root ?? cwd,
    variables: loaded.variables,
  };
}

/** A run in the wrong folder must not look like one with nothing to do. */
function nothingHere(cwd: string): WgctlError {
  return new WgctlError("bad-usage", `there is no manifest in ${cwd} and no wgctl.yaml above it`, {
    hint: "run it in the project's folder, name manifests with -f, or begin with `wgctl init`",
  });
}

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
  return path === undefined ? { project: undefined, problems: [] } : loadProject(path, cwd);
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
