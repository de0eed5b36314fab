// The system's own error codes, read from whatever was caught.

import { WgctlError } from "../core/errors.ts";

/** `ENOENT`, `EACCES` and the like; undefined for anything that is no system error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof WgctlError || !("code" in error))
    return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
