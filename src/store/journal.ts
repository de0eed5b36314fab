// The journal of a state folder, `journal.ndjson`: lines are only ever added, and an intent is on the disk before its
// call is made. Lines are written synchronously, so that nothing can come between. Knows nothing of plans.

import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { WgctlError } from "../core/errors.ts";
import { follow, type JournalLine, type Pending } from "../core/journal.ts";
import { replaceFile, syncFolder } from "./atomic-file.ts";
import { encodeLine } from "./journal-lines.ts";
import { type JournalTail, readTail } from "./journal-tail.ts";
import { stateError } from "./state-errors.ts";
import { prepareStateFolder } from "./status-file.ts";

const FILE = "journal.ndjson";

/** Bytes from which on the journal is cut, and what is left of it then: the newest lines. */
const MOST_BYTES = 1024 * 1024;
const KEPT_BYTES = MOST_BYTES / 2;

/** The journal as a run has it open. With the process lock held there is no other writer. */
export interface Journal {
  /** Names the run in every line that it adds. */
  readonly run: string;
  /** As the run knows it, even where the latest lines could not be written. */
  readonly pending: Pending;
  /** Nothing happened since the status file was written. */
  readonly isSettled: boolean;
  /** The file ends in the middle of a line, as a crash leaves it; the next line begins a new one. */
  readonly isTorn: boolean;
  /** Why it cannot be written; from then on it is not, and nothing may be done that needs an intent. */
  readonly trouble: WgctlError | undefined;
  /** Makes sure that lines can be added, and cuts a journal that has grown long; `time` is ISO 8601. Throws as `stateError` does. */
  prepare(time: string): Promise<void>;
  /** Adds a line that outlives a power cut once this returns. Throws as `stateError` does. */
  commit(line: JournalLine): void;
  /** Adds lines that outlive a kill of the process. Never throws: see `trouble`. */
  add(lines: readonly JournalLine[]): void;
  close(): void;
}

/** Reads what is pending and makes nothing. A journal of a newer wgctl, or none that can be read, is `state-unusable`. */
export function readPending(folder: string): Pending {
  return readTail(journalPath(folder)).pending;
}

/**
 * Opens the journal for a run, which is named when it has something to say; before that no file is made or opened for
 * writing. Throws as `readPending`.
 */
export function openJournal(folder: string, nameRun: () => string): Journal {
  const path = journalPath(folder);
  return new FileJournal(path, nameRun, readTail(path));
}

/** The path of a state folder's journal. */
export function journalPath(folder: string): string {
  return join(folder, FILE);
}

class FileJournal implements Journal {
  pending: Pending;
  isSettled: boolean;
  isTorn: boolean;
  trouble: WgctlError | undefined;
  readonly #path: string;
  readonly #nameRun: () => string;
  #run: string | undefined;
  #descriptor: number | undefined;

  constructor(path: string, nameRun: () => string, { pending, isSettled, isTorn }: JournalTail) {
    this.#path = path;
    this.#nameRun = nameRun;
    this.pending = pending;
    this.isSettled = isSettled;
    this.isTorn = isTorn;
  }

  get run(): string {
    this.#run ??= this.#nameRun();
    return this.#run;
  }

  async prepare(time: string): Promise<void> {
    try {
      await prepareStateFolder(dirname(this.#path));
      const { size } = fstatSync(this.#open());
      if (size === 0) await syncFolder(dirname(this.#path));
      if (size > MOST_BYTES) await this.#cut(time);
    } catch (error) {
      throw this.#giveUp(error);
    }
  }

  commit(line: JournalLine): void {
    this.#write([line], true);
    this.#follow(line);
  }

  add(lines: readonly JournalLine[]): void {
    for (const line of lines) this.#follow(line);
    try {
      this.#write(lines, false);
    } catch (error) {
      if (error !== this.trouble) throw error;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #follow(line: JournalLine): void {
    this.pending = follow(this.pending, line);
    this.isSettled = line.kind === "settled";
  }

  /** A line after one that is missing would tell a story that never was, so after a failure there are no more. */
  #write(lines: readonly JournalLine[], isDurable: boolean): void {
    if (this.trouble !== undefined) throw this.trouble;
    try {
      const before = this.#isRemoved() ? this.#beginAnew(lines) : this.isTorn ? "\n" : "";
      const descriptor = this.#open();
      appendFileSync(descriptor, before + lines.map(encodeLine).join(""));
      this.isTorn = false;
      if (isDurable) fdatasyncSync(descriptor);
    } catch (error) {
      throw this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): unknown {
    const told = stateError(this.#path, "write", error);
    if (told instanceof WgctlError) this.trouble ??= told;
    return told;
  }

  #open(): number {
    this.#descriptor ??= openSync(this.#path, "a", 0o644);
    return this.#descriptor;
  }

  /** What is written to a file that somebody has removed meanwhile goes nowhere. */
  #isRemoved(): boolean {
    return this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink === 0;
  }

  /** Makes way for a new file, and answers with its first line: what is pending. */
  #beginAnew(lines: readonly JournalLine[]): string {
    this.close();
    const folder = dirname(this.#path);
    if (!existsSync(folder)) mkdirSync(folder);
    return lines[0] === undefined ? "" : encodeLine(this.#settled(lines[0].time));
  }

  #settled(time: string): JournalLine {
    return { kind: "settled", time, run: this.run, ...this.pending };
  }

  /** Keeps the newest lines; what is pending is said once more behind them. */
  async #cut(time: string): Promise<void> {
    const text = await readFile(this.#path, "utf8");
    const from = text.indexOf("\n", text.length - KEPT_BYTES) + 1;
    const end = this.isTorn ? "\n" : "";
    await replaceFile(this.#path, text.slice(from) + end + encodeLine(this.#settled(time)));
    this.close();
    this.isTorn = false;
    this.isSettled = true;
  }
}
