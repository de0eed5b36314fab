// Reads the journal whole, for people. Writes nothing; a run reads no more than its end.

import { readFile } from "node:fs/promises";
import { type HistoryEntry, historyOf, type JournalLine } from "../core/journal.ts";
import { errnoOf } from "./errno.ts";
import { journalPath } from "./journal.ts";
import { decodeLine } from "./journal-lines.ts";
import { stateError } from "./state-errors.ts";

export type History = {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** Lines that could not be read, as crashes and broken disks leave them. */
  readonly unreadable: number;
};

/** The actions that a state folder's journal tells of. One of a newer wgctl, or none that can be read: `state-unusable`. */
export async function readHistory(folder: string): Promise<History> {
  const path = journalPath(folder);
  const texts = (await readAll(path)).split("\n").filter((text) => text !== "");
  const lines = texts.map((text) => decodeLine(text, path));
  const readable = lines.filter((line): line is JournalLine => line !== undefined);
  return { entries: historyOf(readable), unreadable: lines.length - readable.length };
}

async function readAll(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return "";
    throw stateError(path, "read", error);
  }
}
