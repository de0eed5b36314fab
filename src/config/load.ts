// Files -> desired groups, and every problem of all of them in one run. Reads files; decides nothing about workers.

import { homedir } from "node:os";
import { dirname } from "node:path";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { type ReadContext, readGroup } from "./document.ts";
import { findDuplicates, findSharedAdoptions, type LocatedGroup } from "./duplicates.ts";
import { findRequested, type ManifestFile, readSource, stdinName } from "./files.ts";
import { isOurs, mentionsUs } from "./kinds.ts";
import { isAdvice } from "./lints/lint-group.ts";
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
  /** True: also the lints that only advise, where nothing is wrong. */
  readonly advice?: boolean;
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
  /** What `~` was taken for; null where none was written. */
  readonly home: string | null;
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
  const around = { cwd, home: new Home(), variables, advice: request.advice ?? false };
  const readings: FileReading[] = [];
  if (files.includes("-")) readings.push(readStdin(await request.readStdin(), around));
  for (const file of found.files) {
    if (signal?.aborted) throw new WgctlError("aborted", "stopped while reading manifests");
    readings.push(readManifest(file, around));
  }
  const groups = readings.flatMap((reading) => reading.groups);
  const shared = [...findDuplicates(groups), ...findSharedAdoptions(groups)];
  const fatal = [...found.problems, ...variables.problems, ...shared];
  return {
    groups: groups.map((located) => located.group).sort(compareGroups),
    problems: tell([...fatal, ...readings.flatMap((reading) => reading.problems)]),
    complete: fatal.length === 0 && readings.every((reading) => reading.complete),
    files: found.files,
    variableFiles: variables.files(),
    home: around.home.asked,
    variables: variables.used(),
  };
}

/** While something is wrong, advice would only be in the way. */
function tell(problems: readonly Problem[]): readonly Problem[] {
  const isWrong = problems.some(({ severity }) => severity === "error");
  return sortProblems(isWrong ? problems.filter((problem) => !isAdvice(problem)) : problems);
}

const noVariables: VariableRequest = { envFiles: [], shell: {}, names: [] };

function openVariables({ variables = noVariables, project, cwd }: LoadRequest): Variables {
  const names = [...variables.names, ...(project?.env ?? [])];
  return loadVariables({ ...variables, names }, project?.root ?? cwd, cwd);
}

/** What all files of a run are read with. */
type Surroundings = {
  readonly cwd: string;
  readonly home: Home;
  readonly variables: Variables;
  readonly advice: boolean;
};

function readStdin(text: string, around: Surroundings): FileReading {
  const source = makeSource(stdinName, text.replace(/^\uFEFF/, ""));
  return readText(source, "named", contextIn(around.cwd, around));
}

function contextIn(folder: string, { home, ...same }: Surroundings): ReadContext {
  return { ...same, folder, home: () => home.ask() };
}

function readManifest(file: ManifestFile, around: Surroundings): FileReading {
  const source = readSource(file.path, around.cwd);
  if ("message" in source) return { groups: [], problems: [source], complete: false };
  return readText(source, file.how, contextIn(dirname(file.path), around));
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

/** What `~` means, and whether anybody wanted to know. */
class Home {
  asked: string | null = null;

  /** A user without a home and without HOME has none, and then `~` is the root. */
  ask(): string {
    try {
      this.asked ??= homedir();
    } catch {
      this.asked = "/";
    }
    return this.asked;
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
