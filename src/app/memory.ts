// What the last run wrote. A damaged file is worth a warning and no more: the engine knows the rest.

import type { StatusDocument } from "../core/status-types.ts";
import { readStatus, setAsideStatus } from "../store/status-file.ts";
import type { Reporter } from "./reporter.ts";

/** Reads the status file; undefined where there is none that can be used. Writes nothing. */
export async function recall(
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

/** As `recall`, and moves a damaged file out of the way so that the next run starts clean. */
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
