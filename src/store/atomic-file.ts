// Replaces a small file so that a reader, or a crash at any instruction, sees the old or the new content whole.
// Our own because write-file-atomic (7.0) leaves out the fsync of the directory, without which a power cut can
// undo the rename, and rewrites a file whose content is equal.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errnoOf } from "./errno.ts";

/** No write takes this long, so an older temporary file is what a crash left. */
const STALE_AFTER_MS = 60_000;

/**
 * A file's text, or undefined where there is none. Throws the system's error for anything else.
 * Synchronous: for one small file that is sooner done than the loading of what could do it otherwise.
 */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Makes `path` hold `text`; false when it already did, and then nothing was touched. Throws the system's error.
 * The new file has the given mode, and the old one's owner only if that is who runs this.
 */
export async function replaceFile(path: string, text: string, mode = 0o644): Promise<boolean> {
  if (readIfPresent(path) === text) return false;
  await removeStaleTemporaries(path);
  const temporary = `${temporaryPrefix(path)}${randomBytes(6).toString("hex")}`;
  try {
    await writeDurably(temporary, text, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  return true;
}

function temporaryPrefix(path: string): string {
  return `${path}.tmp-`;
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.chmod(mode); // whatever the umask
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeStaleTemporaries(path: string): Promise<void> {
  const prefix = basename(temporaryPrefix(path));
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const found = join(dirname(path), name);
    const { mtimeMs } = await stat(found);
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(found, { force: true });
  }
}

/** Makes what was made, renamed or removed in a folder outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder; the content is whole all the same.
    if (!["EINVAL", "ENOTSUP"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}
