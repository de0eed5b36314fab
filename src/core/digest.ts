// SHA-256, the one door from the pure core to a node module: it is a function of its input and nothing else.

import { createHash } from "node:crypto";

/** SHA-256 of all parts one after the other, of texts the UTF-8 bytes, as 64 hex digits. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
