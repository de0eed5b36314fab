// A reading of the manifests that a later run may take over, as long as nothing it came from has changed. Loads neither
// the YAML parser nor the schema: not to need them is its purpose.

import { statSync } from "node:fs";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { findRequested, type ManifestFile } from "./files.ts";
import { findProject } from "./find-project.ts";
import type { UsedVariable } from "./variables.ts";

export const READING_FORMAT_VERSION = 1;

/** What a reading is asked for with; equal requests on equal files give equal readings. */
export type ReadingRequest = {
  /** The program that reads: another build may read the same text otherwise. */
  readonly build: string;
  /** `-f` and `--env-file` values. */
  readonly files: readonly string[];
  readonly envFiles: readonly string[];
  /** `--env` values. */
  readonly names: readonly string[];
  /** Absolute. */
  readonly cwd: string;
};

/** What a reading found. */
export type FoundReading = {
  readonly project: Project | undefined;
  readonly groups: readonly DesiredGroup[];
  readonly variables: readonly UsedVariable[];
};

export type JudgedReading = FoundReading & { readonly problems: readonly Problem[] };

/** Where that came from. */
export type ReadingSources = {
  readonly projectFile: string | null;
  readonly manifests: readonly ManifestFile[];
  /** Absolute paths, missing files included. */
  readonly variableFiles: readonly string[];
  /** What `~` was taken for; null where none was written. */
  readonly home: string | null;
};

/** Plain data, to be kept in a file. */
export type RememberedReading = FoundReading & {
  readonly formatVersion: typeof READING_FORMAT_VERSION;
  readonly request: ReadingRequest;
  readonly sources: ReadingSources;
  /** By path; null: there was no such file. */
  readonly signatures: Readonly<Record<string, string | null>>;
};

/**
 * A file that changes twice within this time (ms) may look unchanged, by the grain of its file system's clock. One
 * that shows whole seconds may have counted no finer than two of them.
 */
const FINE_GRAIN_MS = 30;
const COARSE_GRAIN_MS = 2_000;

/**
 * The reading as it may be kept; undefined where it may not: it found problems, which are told each time; it holds
 * sensitive values; it may take some from the shell; or a file of it was changed shortly before `startedAt` (ms),
 * when the reading began, or since.
 */
export function remember(
  request: ReadingRequest,
  reading: JudgedReading,
  sources: ReadingSources,
  startedAt: number,
): RememberedReading | undefined {
  if (!mayBeKept(request, reading)) return undefined;
  const looks = pathsOf(sources).map((path) => [path, look(path)] as const);
  if (looks.some(([, seen]) => seen !== undefined && !hadSettled(seen.changedNs, startedAt)))
    return undefined;
  const signatures = looks.map(([path, seen]) => [path, seen?.signature ?? null]);
  return {
    formatVersion: READING_FORMAT_VERSION,
    request,
    sources,
    signatures: Object.fromEntries(signatures),
    project: reading.project,
    groups: reading.groups,
    variables: reading.variables,
  };
}

function mayBeKept(
  { build, files, names }: ReadingRequest,
  { groups, project, problems }: JudgedReading,
): boolean {
  const isOpen = groups.every((group) => group.kind === "valid" && group.secrets === undefined);
  const readsShell = names.length + (project?.env ?? []).length > 0;
  return build !== "" && problems.length === 0 && isOpen && !readsShell && !files.includes("-");
}

/** Whether a reading that began then (ms) came so long after a change that a further one could not look the same. */
export function hadSettled(changedNs: bigint, startedAt: number): boolean {
  const grain = changedNs % 1_000_000_000n === 0n ? COARSE_GRAIN_MS : FINE_GRAIN_MS;
  return startedAt - Number(changedNs / 1_000_000n) > grain;
}

/** True when reading anew would find the same; `home` is what `~` would mean then. */
export function stillHolds(
  kept: RememberedReading,
  request: ReadingRequest,
  home: string | undefined,
): boolean {
  return (
    kept.formatVersion === READING_FORMAT_VERSION &&
    isSame(kept.request, request) &&
    (kept.sources.home === null || kept.sources.home === home) &&
    kept.sources.projectFile === (findProject(request.cwd) ?? null) &&
    Object.entries(kept.signatures).every(
      ([path, signature]) => (look(path)?.signature ?? null) === signature,
    ) &&
    hasSameFiles(kept, request)
  );
}

/** Folders are walked anew: a file may have come or gone. */
function hasSameFiles({ sources, project }: RememberedReading, request: ReadingRequest): boolean {
  const { files, problems } = findRequested(request.files, project, request.cwd);
  return problems.length === 0 && isSame(files, sources.manifests);
}

function pathsOf({ projectFile, manifests, variableFiles }: ReadingSources): readonly string[] {
  const project = projectFile === null ? [] : [projectFile];
  return [...project, ...manifests.map(({ path }) => path), ...variableFiles];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Look = { readonly signature: string; readonly changedNs: bigint };

/**
 * What tells a file from its earlier self without reading it. The change time cannot be set by hand, unlike the time
 * of modification. Undefined: there is none.
 */
function look(path: string): Look | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const { dev, ino, size, mode, uid, mtimeNs, ctimeNs } = stats;
  const signature = [dev, ino, size, mode, uid, mtimeNs, ctimeNs].join(" ");
  return { signature, changedNs: ctimeNs };
}
