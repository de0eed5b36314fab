// The manifests as an earlier run has read them, so that a run on unchanged files need not.

import {
  type JudgedReading,
  type ReadingRequest,
  type ReadingSources,
  type RememberedReading,
  remember,
  stillHolds,
} from "../config/remembered.ts";
import type { Json } from "../core/canonical.ts";
import { readReading, writeReading } from "../store/reading-file.ts";
import { BUILD_ID } from "./build-id.ts";
import type { ManifestOptions } from "./options.ts";

/** Where an earlier reading is kept, and what this one is asked for with. */
export type ReadingPlace = { readonly folder: string; readonly request: ReadingRequest };

export function readingRequest(options: ManifestOptions, cwd: string): ReadingRequest {
  const { file: files, envFile: envFiles, env: names } = options;
  return { build: BUILD_ID, files, envFiles, names, cwd };
}

/** The kept reading, if it is still what reading anew would give. */
export function recallReading({ folder, request }: ReadingPlace): RememberedReading | undefined {
  const kept = readReading(folder);
  return isKept(kept) && stillHolds(kept, request, process.env["HOME"]) ? kept : undefined;
}

/** Only a program of the same build reads further, and that wrote it in this form. */
function isKept(value: unknown): value is RememberedReading {
  const request = value instanceof Object && "request" in value ? value.request : undefined;
  return (
    request instanceof Object && "build" in request && request.build === BUILD_ID && BUILD_ID !== ""
  );
}

/** Keeps a reading that found nothing wrong, as far as it may be kept; `startedAt` (ms) is when it began. */
export async function keepReading(
  { folder, request }: ReadingPlace,
  reading: JudgedReading,
  sources: ReadingSources,
  startedAt: number,
): Promise<void> {
  const kept = remember(request, reading, sources, startedAt);
  if (kept !== undefined) await writeReading(folder, JSON.parse(JSON.stringify(kept)) as Json);
}
