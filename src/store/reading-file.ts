// Keeps a reading of the manifests beside the status: a convenience that nothing depends on. Whatever is wrong with
// the file, there is none, and the manifests are read.

import { join } from "node:path";
import type { Json } from "../core/canonical.ts";
import { readIfPresent, replaceFile } from "./atomic-file.ts";
import { errnoOf } from "./errno.ts";

const FILE = "manifests.json";
/** What stands in manifests is their owner's business. */
const OWNER_ONLY = 0o600;

/** The document in a state folder's reading file; undefined where there is none that can be read. */
export function readReading(folder: string): unknown {
  try {
    const text = readIfPresent(join(folder, FILE));
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a document in a folder that is there; a disk that does not take it only costs the next run some time. */
export async function writeReading(folder: string, document: Json): Promise<void> {
  try {
    await replaceFile(join(folder, FILE), `${JSON.stringify(document)}\n`, OWNER_ONLY);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
