// Where the project file is. Apart from reading it, so that a run which need not read it does not load what reads it.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { projectFile } from "./files.ts";

/** The path of the nearest wgctl.yaml in a folder or above it, or undefined. */
export function findProject(startDirectory: string): string | undefined {
  for (let folder = resolve(startDirectory); ; folder = dirname(folder)) {
    const path = join(folder, projectFile);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}
