// Reads the end of the journal: as much as tells what is pending, which is one line after a run that ended well.
// Synchronous, because every run does it and mostly for nothing. Writes nothing.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { follow, type JournalLine, NOTHING_PENDING, type Pending } from "../core/journal.ts";
import { errnoOf } from "./errno.ts";
import { decodeLine } from "./journal-lines.ts";
import { stateError } from "./state-errors.ts";

const FIRST_READ_BYTES = 16 * 1024;
const GROWTH = 8;

export type JournalTail = {
  readonly pending: Pending;
  /** Nothing happened since the status file was written. */
  readonly isSettled: boolean;
  /** The last line is not whole: a write was cut off. */
  readonly isTorn: boolean;
};

const EMPTY: JournalTail = { pending: NOTHING_PENDING, isSettled: true, isTorn: false };

/** What the journal's end says; lines that cannot be read are passed over. Throws `state-unusable`. */
export function readTail(path: string): JournalTail {
  try {
    const descriptor = openSync(path, "r");
    try {
      return readFrom(descriptor, path);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return EMPTY;
    throw stateError(path, "read", error);
  }
}

function readFrom(descriptor: number, path: string): JournalTail {
  const { size } = fstatSync(descriptor);
  if (size === 0) return EMPTY;
  for (let length = FIRST_READ_BYTES; ; length *= GROWTH) {
    const start = Math.max(0, size - length);
    const bytes = read(descriptor, start, size - start);
    const lines = sinceSettled(wholeLines(bytes, start === 0), path);
    if (lines.hasEnd || start === 0) return judge(lines.found, bytes);
  }
}

function read(descriptor: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
}

/** The lines of a piece of the file; where it is not the beginning, its first may be half a line. */
function wholeLines(bytes: Buffer, isBeginning: boolean): readonly string[] {
  const lines = bytes.toString("utf8").split("\n");
  return isBeginning ? lines : lines.slice(1);
}

/** The latest lines in their order, back to one that says that all before it is settled. */
function sinceSettled(
  texts: readonly string[],
  path: string,
): { readonly found: readonly JournalLine[]; readonly hasEnd: boolean } {
  const found: JournalLine[] = [];
  for (const text of texts.toReversed()) {
    const line = text === "" ? undefined : decodeLine(text, path);
    if (line !== undefined) found.push(line);
    if (line?.kind === "settled") break;
  }
  return { found: found.reverse(), hasEnd: found[0]?.kind === "settled" };
}

function judge(lines: readonly JournalLine[], bytes: Buffer): JournalTail {
  return {
    pending: lines.reduce(follow, NOTHING_PENDING),
    isSettled: lines.length === 0 || lines.at(-1)?.kind === "settled",
    isTorn: bytes.at(-1) !== NEWLINE,
  };
}

const NEWLINE = 0x0a;
