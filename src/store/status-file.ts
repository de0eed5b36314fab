// The status file: reads it, sets a damaged one aside, and writes it only when its bytes would differ.
// Reading never writes; whoever may write nothing (plan, status) calls nothing but `readStatus`.

import { readdir, rename, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { WgctlError } from "../core/errors.ts";
import type { StatusDocument } from "../core/status-types.ts";
import { readIfPresent, replaceFile } from "./atomic-file.ts";
import { makeFolders } from "./folders.ts";
import { stateError } from "./state-errors.ts";
import { STATE_FOLDER } from "./state-folder.ts";
import { decodeStatus, type StatusDecoding } from "./status-decode.ts";

const FILE = "status.json";

export type StatusRead = { readonly kind: "absent" } | StatusDecoding;

/**
 * Reads the status file of a state folder. A damaged file is a result, because it can be rebuilt from the
 * engine; one of a newer wgctl, or one that cannot be read at all, is `state-unusable`.
 */
export async function readStatus(folder: string): Promise<StatusRead> {
  const path = join(folder, FILE);
  const text = await orUnusable(path, "read", async () => readIfPresent(path));
  return text === undefined ? { kind: "absent" } : decodeStatus(text, path);
}

/** Moves a damaged status file to the first free `status.json.damaged-<n>` and answers with that path. */
export async function setAsideStatus(folder: string): Promise<string> {
  const path = join(folder, FILE);
  return await orUnusable(path, "set aside", async () => {
    const taken = new Set(await readdir(folder));
    let number = 1;
    while (taken.has(asideName(number))) number += 1;
    const aside = join(folder, asideName(number));
    await rename(path, aside);
    return aside;
  });
}

function asideName(number: number): string {
  return `${FILE}.damaged-${number}`;
}

/** Writes the status file; false when it held the same bytes, and then no file was touched. Throws as `stateError` does. */
export async function writeStatus(folder: string, document: StatusDocument): Promise<boolean> {
  const path = join(folder, FILE);
  return await orUnusable(path, "write", async () => {
    // Most runs change nothing, and then the comparison is all they need.
    if (readIfPresent(path) === layOut(document)) return false;
    const text = encodeStatus(document, path);
    await prepareFolder(folder);
    return await replaceFile(path, text);
  });
}

function layOut(document: StatusDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Decodes what is about to be written: what we could not read back is not written, and the key order is the decoder's. */
function encodeStatus(document: StatusDocument, path: string): string {
  const decoded = decodeStatus(JSON.stringify(document), path);
  if (decoded.kind === "damaged") {
    throw new WgctlError(
      "state-unusable",
      `a status that could not be read back: ${decoded.because}`,
    );
  }
  return layOut(decoded.document);
}

/** Makes a state folder for what else is to be kept there. Throws as `stateError` does. */
export function prepareStateFolder(folder: string): Promise<void> {
  return orUnusable(folder, "make", () => prepareFolder(folder));
}

/** Makes the folder and has Git ignore what is in it, so that it never makes a tree dirty. */
async function prepareFolder(folder: string): Promise<void> {
  await makeFolders(folder);
  const names = await readdir(folder);
  // A folder that a person chose and uses for other things is not ours to hide from Git.
  const isOurs = basename(folder) === STATE_FOLDER || names.length === 0;
  if (!isOurs || names.includes(".gitignore")) return;
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" });
}

/** Refuses a state folder that belongs to another engine than the one at hand: `state-unusable`. */
export function checkEngine(document: StatusDocument, engineId: string): void {
  const owner = document.engine;
  if (owner.id === engineId) return;
  throw new WgctlError(
    "state-unusable",
    `the state folder belongs to engine ${owner.id} (${owner.endpoint}), and this is engine ${engineId}`,
    {
      hint: "give each engine its own folder with --state-dir; if the old engine is gone, delete status.json (no worker is lost by that)",
    },
  );
}

async function orUnusable<T>(path: string, verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw stateError(path, verb, error);
  }
}
