// Files -> desired groups, and every problem of all of them in one run. Reads files; decides nothing about workers.

import { homedir } from "node:os";
import { dirname } from "node:path";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { readGroup } from "./document.ts";
import { findDuplicates, type LocatedGroup } from "./duplicates.ts";
import { findManifests, type ManifestFile, readSource } from "./files.ts";
import { isOurs, mentionsUs } from "./kinds.ts";
import type { Folders } from "./normalise.ts";
import { sortProblems } from "./problems.ts";
import { makeSource, type Source } from "./source.ts";
import { parseYaml, type YamlDocument } from "./yaml.ts";

export type LoadRequest = {
  /** `-f` values: files, folders, `-`; empty: the project's manifests, without a project the working directory. */
  readonly files: readonly string[];
  readonly project: Project | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly readStdin: () => Promise<string>;
};

export type Loaded = {
  /** Sorted by namespace, then name, then UID. */
  readonly groups: readonly DesiredGroup[];
  /** Everything found, those of invalid groups included, sorted by file and place. */
  readonly problems: readonly Problem[];
  /** False: a file or an identity could not be read, so what is missing here means nothing. */
  readonly complete: boolean;
  /** Absolute paths of the files that were read, `-` for the standard input. */
  readonly files: readonly string[];
};

type FileReading = {
  readonly groups: readonly LocatedGroup[];
  readonly problems: readonly Problem[];
  readonly complete: boolean;
};

/** Loads manifests. Throws only `aborted`; whatever is wrong with the files is in `problems`. */
export async function load(request: LoadRequest, signal?: AbortSignal): Promise<Loaded> {
  const { cwd, files, project } = request;
  const paths = files.length > 0 ? files : (project?.manifests ?? [cwd]);
  const found = findManifests(
    paths.filter((path) => path !== "-"),
    cwd,
  );
  const readings: FileReading[] = [];
  if (paths.includes("-")) readings.push(readStdin(await request.readStdin(), cwd));
  for (const file of found.files) {
    if (signal?.aborted) throw new WgctlError("aborted", "stopped while reading manifests");
    readings.push(readManifest(file, cwd));
  }
  const groups = readings.flatMap((reading) => reading.groups);
  const duplicates = findDuplicates(groups);
  return {
    groups: groups.map((located) => located.group).sort(compareGroups),
    problems: sortProblems([
      ...found.problems,
      ...readings.flatMap((reading) => reading.problems),
      ...duplicates,
    ]),
    complete:
      found.problems.length + duplicates.length === 0 &&
      readings.every((reading) => reading.complete),
    files: [...(paths.includes("-") ? ["-"] : []), ...found.files.map((file) => file.path)],
  };
}

function readStdin(text: string, cwd: string): FileReading {
  return readText(makeSource("<stdin>", text.replace(/^\uFEFF/, "")), "named", cwd);
}

function readManifest(file: ManifestFile, cwd: string): FileReading {
  const source = readSource(file.path, cwd);
  if ("message" in source) return { groups: [], problems: [source], complete: false };
  return readText(source, file.how, dirname(file.path));
}

function readText(source: Source, how: ManifestFile["how"], folder: string): FileReading {
  const documents = parseYaml(source);
  if (how === "found" && isForeign(documents, source.text))
    return { groups: [], problems: [], complete: true };
  const readings = documents.map((document) =>
    readLocated(document, source, { folder, home: homedir() }),
  );
  return {
    groups: readings.flatMap((reading) => reading.groups),
    problems: readings.flatMap((reading) => reading.problems),
    complete: readings.every((reading) => reading.groups.length > 0),
  };
}

function isForeign(documents: readonly YamlDocument[], text: string): boolean {
  return !documents.some(({ root }) => root !== undefined && isOurs(root)) && !mentionsUs(text);
}

function readLocated({ root, problems }: YamlDocument, source: Source, folders: Folders) {
  if (root === undefined) return { groups: [], problems: problems.map(({ problem }) => problem) };
  const { group, places, ...reading } = readGroup(root, problems, source, folders);
  return { groups: group === undefined ? [] : [{ group, source, places }], ...reading };
}

function compareGroups(a: DesiredGroup, b: DesiredGroup): number {
  const key = ({ identity }: DesiredGroup) =>
    [identity.namespace, identity.name, identity.uid].join("\0");
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}
