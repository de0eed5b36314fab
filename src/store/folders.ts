// Makes folders. By hand, because Node's recursive mkdir never returns where a parent exists and takes no folders,
// as in /proc.

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./errno.ts";

/** Makes a folder and those above it that are missing. Throws the system's error. */
export async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o755 });
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || existsSync(dirname(folder))) throw error;
    await makeFolders(dirname(folder));
    await mkdir(folder, { mode: 0o755 });
  }
}
