// What earlier runs wrote. A damaged file is worth a warning and no more: the engine knows the rest.

import type { Pending } from "../core/journal.ts";
import type { StatusDocument } from "../core/status-types.ts";
import { readPending } from "../store/journal.ts";
import { readStatus, setAsideStatus } from "../store/status-file.ts";
import type { Reporter } from "./reporter.ts";

export type Memory = {
  /** Undefined: there is no file that can be used. */
  readonly status: StatusDocument | undefined;
  /** What the journal knows and the status file does not. */
  readonly pending: Pending;
};

/** Reads both files and writes nothing. */
export async function recall(folder: string, reporter: Reporter): Promise<Memory> {
  return { status: await recallStatus(folder, reporter), pending: readPending(folder) };
}

async function recallStatus(
  folder: string,
  reporter: Reporter,
): Promise<StatusDocument | undefined> {
  const read = await readStatus(folder);
  if (read.kind === "loaded") return read.document;
  if (read.kind === "damaged") {
    warn(reporter, `the status file is damaged (${read.because}); it is not used`);
  }
  return undefined;
}

/** Reads the status file, and moves a damaged one out of the way so that the next run starts clean. */
export async function recallForWriting(
  folder: string,
  reporter: Reporter,
): Promise<StatusDocument | undefined> {
  const read = await readStatus(folder);
  if (read.kind === "loaded") return read.document;
  if (read.kind === "damaged") {
    const aside = await setAsideStatus(folder);
    warn(
      reporter,
      `the status file was damaged (${read.because}); it is now ${aside} and a new one is made`,
    );
  }
  return undefined;
}

function warn(reporter: Reporter, message: string): void {
  reporter.notify({ kind: "notice", severity: "warning", message });
}
