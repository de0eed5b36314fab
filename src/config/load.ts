// Files -> desired groups, and every problem of all of them in one run. Reads files; decides nothing about workers.

import { homedir } from "node:os";
import { dirname } from "node:path";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { type ReadContext, readGroup } from "./document.ts";
import { findDuplicates, type LocatedGroup } from "./duplicates.ts";
import { findRequested, type ManifestFile, readSource } from "./files.ts";
import { isOurs, mentionsUs } from "./kinds.ts";
import { sortProblems } from "./problems.ts";
import { makeSource, type Source } from "./source.ts";
import {
  loadVariables,
  type UsedVariable,
  type VariableRequest,
  type Variables,
} from "./variables.ts";
import { parseYaml, type YamlDocument } from "./yaml.ts";

export type LoadRequest = {
  /** `-f` values: files, folders, `-`; empty: the project's manifests, without a project the working directory. */
  readonly files: readonly string[];
  readonly project: Project | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly readStdin: () => Promise<string>;
  /** Absent: only what `.env` beside the project sets. */
  readonly variables?: VariableRequest;
};

export type Loaded = {
  /** Sorted by namespace, then name, then UID. */
  readonly groups: readonly DesiredGroup[];
  /** Everything found, those of invalid groups included, sorted by file and place. */
  readonly problems: readonly Problem[];
  /** False: a file or an identity could not be read, so what is missing here means nothing. */
  readonly complete: boolean;
  /** The manifest files that were read, other people's YAML beside ours included; not the standard input. */
  readonly files: readonly ManifestFile[];
  /** Absolute paths of the files that variables came from, or would if they were there. */
  readonly variableFiles: readonly string[];
  /** Variables that values were taken from, sorted by name. */
  readonly variables: readonly UsedVariable[];
};

type FileReading = {
  readonly groups: readonly LocatedGroup[];
  readonly problems: readonly Problem[];
  readonly complete: boolean;
};

/** Loads manifests. Throws only `aborted`; whatever is wrong with the files is in `problems`. */
export async function load(request: LoadRequest, signal?: AbortSignal): Promise<Loaded> {
  const { cwd, files, project } = request;
  const found = findRequested(files, project, cwd);
  const variables = openVariables(request);
  const readings: FileReading[] = [];
  if (files.includes("-")) readings.push(readStdin(await request.readStdin(), cwd, variables));
  for (const file of found.files) {
    if (signal?.aborted) throw new WgctlError("aborted", "stopped while reading manifests");
    readings.push(readManifest(file, cwd, variables));
  }
  const groups = readings.flatMap((reading) => reading.groups);
  const fatal = [...found.problems, ...variables.problems, ...findDuplicates(groups)];
  return {
    groups: groups.map((located) => located.group).sort(compareGroups),
    problems: sortProblems([...fatal, ...readings.flatMap((reading) => reading.problems)]),
    complete: fatal.length === 0 && readings.every((reading) => reading.complete),
    files: found.files,
    variableFiles: variables.files(),
    variables: variables.used(),
  };
}

const noVariables: VariableRequest = { envFiles: [], shell: {}, names: [] };

function openVariables({ variables = noVariables, project, cwd }: LoadRequest): Variables {
  const names = [...variables.names, ...(project?.env ?? [])];
  return loadVariables({ ...variables, names }, project?.root ?? cwd, cwd);
}

function readStdin(text: string, cwd: string, variables: Variables): FileReading {
  const source = makeSource("<stdin>", text.replace(/^\uFEFF/, ""));
  return readText(source, "named", { folder: cwd, cwd, home: homeFolder(), variables });
}

function readManifest(file: ManifestFile, cwd: string, variables: Variables): FileReading {
  const source = readSource(file.path, cwd);
  if ("message" in source) return { groups: [], problems: [source], complete: false };
  const folder = dirname(file.path);
  return readText(source, file.how, { folder, cwd, home: homeFolder(), variables });
}

function readText(source: Source, how: ManifestFile["how"], context: ReadContext): FileReading {
  const documents = parseYaml(source);
  if (how === "found" && isForeign(documents, source.text))
    return { groups: [], problems: [], complete: true };
  const readings = documents.map((document) => readLocated(document, source, context));
  return {
    groups: readings.flatMap((reading) => reading.groups),
    problems: readings.flatMap((reading) => reading.problems),
    complete: readings.every((reading) => reading.groups.length > 0),
  };
}

/** What `~` means; a user without a home and without HOME has none, and then `~` is the root. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

/** Somebody else's YAML beside ours. What cannot be parsed may be anybody's, so it is no reason to believe in absence. */
function isForeign(documents: readonly YamlDocument[], text: string): boolean {
  const roots = documents.map(({ root }) => root);
  return roots.every((root) => root !== undefined && !isOurs(root)) && !mentionsUs(text);
}

function readLocated({ root, problems }: YamlDocument, source: Source, context: ReadContext) {
  if (root === undefined) return { groups: [], problems: problems.map(({ problem }) => problem) };
  const { group, places, ...reading } = readGroup(root, problems, source, context);
  return { groups: group === undefined ? [] : [{ group, source, places }], ...reading };
}

function compareGroups(a: DesiredGroup, b: DesiredGroup): number {
  const key = ({ identity }: DesiredGroup) =>
    [identity.namespace, identity.name, identity.uid].join("\0");
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
