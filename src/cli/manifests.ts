// What a command works on: the project and the groups, read from the manifests or taken from a reading that was kept.

import { dirname } from "node:path";
import { selectGroups, type Workspace } from "../app/workspace.ts";
import { findProject } from "../config/find-project.ts";
import type { UsedVariable } from "../config/variables.ts";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { keepReading, type ReadingPlace, readingRequest, recallReading } from "./kept-reading.ts";
import { homeFolder, openProject, workingFolder } from "./open.ts";
import type { EngineOptions, ManifestOptions } from "./options.ts";
import { readStdin } from "./streams.ts";

/** Manifests as far as they can be read, whatever engine they are for. */
export type Manifests = Omit<Workspace, "stateFolder"> & {
  /** Variables that manifests took values from, sorted by name. */
  readonly variables: readonly UsedVariable[];
  /** Keeps the reading for later runs, where it may be kept: for those who may write. */
  readonly keep: () => Promise<void>;
};

/** All that was read, before groups are chosen from it. */
type Reading = {
  readonly project: Project | undefined;
  readonly groups: readonly DesiredGroup[];
  readonly problems: readonly Problem[];
  readonly complete: boolean;
  readonly variables: readonly UsedVariable[];
  readonly keep: () => Promise<void>;
};

/**
 * Opens the manifests. A reading that an earlier run kept is taken while it still holds; it holds no advice, so that
 * who wants that has all read anew.
 */
export async function openManifests(
  options: ManifestOptions & Pick<EngineOptions, "stateDir">,
  wants: { readonly advice: boolean } = { advice: false },
): Promise<Manifests> {
  const cwd = workingFolder();
  const projectFile = findProject(cwd);
  const root = projectFile === undefined ? undefined : dirname(projectFile);
  const place = {
    folder: homeFolder(options.stateDir, root),
    request: readingRequest(options, cwd),
  };
  const kept = wants.advice ? undefined : recallReading(place);
  if (kept === undefined)
    return chooseFrom(await read(options, projectFile, place, wants), options, cwd);
  return chooseFrom({ ...kept, problems: [], complete: true, keep: nothing }, options, cwd);
}

async function nothing(): Promise<void> {}

async function read(
  options: ManifestOptions,
  projectFile: string | undefined,
  place: ReadingPlace,
  { advice }: { readonly advice: boolean },
): Promise<Reading> {
  const { cwd } = place.request;
  const startedAt = Date.now();
  const { project, problems } = await openProject(cwd);
  // Loaded here, because most runs read nothing anew.
  const { load } = await import("../config/load.ts");
  const isProjectBroken = project === undefined && problems.length > 0;
  const variables = { envFiles: options.envFile, shell: process.env, names: options.env };
  const loaded = await load({ files: options.file, project, cwd, readStdin, variables, advice });
  const isNothingMeant = options.file.length === 0 && project === undefined && !isProjectBroken;
  if (isNothingMeant && loaded.groups.length + loaded.problems.length === 0) throw nothingHere(cwd);
  const reading = { ...loaded, project, problems: [...problems, ...loaded.problems] };
  const { files: manifests, variableFiles, home } = loaded;
  const sources = { projectFile: projectFile ?? null, manifests, variableFiles, home };
  return {
    ...reading,
    complete: loaded.complete && !isProjectBroken,
    keep: () => keepReading(place, reading, sources, startedAt),
  };
}

/** A run in the wrong folder must not look like one with nothing to do. */
function nothingHere(cwd: string): WgctlError {
  return new WgctlError("bad-usage", `there is no manifest in ${cwd} and no wgctl.yaml above it`, {
    hint: "run it in the project's folder, name manifests with -f, or begin with `wgctl init`",
  });
}

function chooseFrom(reading: Reading, options: ManifestOptions, cwd: string): Manifests {
  const { project, groups, problems, complete, variables, keep } = reading;
  const { file, group, exclude } = options;
  return {
    project,
    groups: complete ? selectGroups(groups, group, exclude) : groups,
    declared: groups.map(({ identity }) => identity.uid),
    problems,
    complete,
    narrowed: file.length + group.length + exclude.length > 0,
    folder: project?.root ?? cwd,
    variables,
    keep,
  };
}
