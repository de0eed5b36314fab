// Which files a run reads: -f values, the project's manifests or the working directory -> files in a fixed order.
// Reads synchronously: for many small files that takes a fifth of the time.

import {
  type Dirent,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Problem, Project } from "../core/model.ts";
import { problemOfFile } from "./problems.ts";
import { makeSource, type Source } from "./source.ts";

export const projectFile = "wgctl.yaml";

/** What stands for a file's name where the text came from the standard input. */
export const stdinName = "<stdin>";

/** A file to read; `found` ones came with their folder and may be somebody else's YAML. */
export type ManifestFile = { readonly path: string; readonly how: "named" | "found" };

export type FoundManifests = {
  readonly files: readonly ManifestFile[];
  readonly problems: readonly Problem[];
};

const largest = 16 * 1024 ** 2;

/** The path as a person names it: relative where it lies below the working directory. */
export function displayPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : below;
}

/** The files of a request: what -f names, else the project's manifests, without a project the working directory. */
export function findRequested(
  files: readonly string[],
  project: Project | undefined,
  cwd: string,
): FoundManifests {
  const paths = files.length > 0 ? files : (project?.manifests ?? [cwd]);
  // A folder that nobody named may be anything, even the root of the disk.
  const depth = files.length === 0 && project === undefined ? "flat" : "deep";
  return findManifests(
    paths.filter((path) => path !== "-"),
    cwd,
    depth,
  );
}

/**
 * The files behind paths to files and folders, each once, in the order given and sorted within a folder;
 * `flat` leaves out what lies in folders below those.
 */
export function findManifests(
  paths: readonly string[],
  cwd: string,
  depth: "flat" | "deep" = "deep",
): FoundManifests {
  const files: ManifestFile[] = [];
  const problems: Problem[] = [];
  const walk: Walk = { files, seen: new Set(), depth };
  for (const path of paths.map((one) => resolve(cwd, one))) {
    try {
      const real = realpathSync(path);
      if (statSync(real).isDirectory()) walkFolder(path, real, walk);
      else if (isNew(real, walk)) files.push({ path, how: "named" });
    } catch (error) {
      problems.push(problemOfFile(displayPath(path, cwd), explainRead(error)));
    }
  }
  return { files, problems };
}

/** What a walk found, and the real paths of what it has visited. */
type Walk = {
  readonly files: ManifestFile[];
  readonly seen: Set<string>;
  readonly depth: "flat" | "deep";
};

/** Everything below a folder, links followed; a folder or file reached twice counts once, so loops end. */
function walkFolder(folder: string, realFolder: string, walk: Walk): void {
  if (!isNew(realFolder, walk)) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const { kind, real } = follow(entry, path, join(realFolder, entry.name));
    if (entry.name.startsWith(".")) continue;
    const isBelow = kind === "folder" && entry.name !== "node_modules";
    if (isBelow && walk.depth === "deep") walkFolder(path, real, walk);
    if (kind === "file" && isManifestName(entry.name) && isNew(real, walk))
      walk.files.push({ path, how: "found" });
  }
}

function isManifestName(name: string): boolean {
  return /\.ya?ml$/.test(name) && name !== projectFile;
}

type Followed = { readonly kind: "file" | "folder" | "other"; readonly real: string };

function follow(entry: Dirent, path: string, real: string): Followed {
  if (!entry.isSymbolicLink()) return { kind: kindOf(entry), real };
  try {
    const target = realpathSync(path);
    return { kind: kindOf(statSync(target)), real: target };
  } catch {
    // A link that leads nowhere is nothing to read.
    return { kind: "other", real };
  }
}

function kindOf(thing: Dirent | Stats): Followed["kind"] {
  return thing.isFile() ? "file" : thing.isDirectory() ? "folder" : "other";
}

function isNew(real: string, { seen }: Walk): boolean {
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
}

/** A file's text, or why it cannot be read. A byte order mark is dropped. */
export function readSource(path: string, cwd: string): Source | Problem {
  const file = displayPath(path, cwd);
  try {
    const stats = statSync(path);
    // Some devices never end.
    if (stats.isCharacterDevice() && path !== "/dev/null")
      return problemOfFile(file, { message: "a device, not a file" });
    if (stats.size > largest)
      return problemOfFile(file, {
        message: "larger than 16 MiB",
        hint: "no manifest is; is it the right file?",
      });
    return decodeSource(file, readFileSync(path));
  } catch (error) {
    return problemOfFile(file, explainRead(error));
  }
}

/** What a file holds, byte by byte, or why it cannot be read. */
export function readBytes(path: string, cwd: string): Uint8Array | Problem {
  const file = displayPath(path, cwd);
  try {
    const stats = statSync(path);
    // A pipe may never end, and is empty the next time. A folder says so when it is read.
    if (!stats.isFile() && !stats.isDirectory())
      return problemOfFile(file, { message: "no regular file" });
    if (stats.size <= largest) return readFileSync(path);
    return problemOfFile(file, { message: "larger than 16 MiB" });
  } catch (error) {
    return problemOfFile(file, explainRead(error));
  }
}

function decodeSource(file: string, bytes: Uint8Array): Source | Problem {
  try {
    return makeSource(file, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return problemOfFile(file, { message: "not UTF-8 text", hint: "save it as UTF-8" });
  }
}

const explanations: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "reading it is not permitted",
  EISDIR: "a folder where a file is needed",
  ELOOP: "a symbolic link that leads back to itself",
};

function explainRead(error: unknown): { readonly message: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return { message: explanations[code] ?? `it cannot be read (${code})` };
}
