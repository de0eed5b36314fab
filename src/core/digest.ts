// SHA-256, the one door from the pure core to a node module: it is a function of its input and nothing else.

import { createHash } from "node:crypto";

/** SHA-256 of a text's UTF-8 bytes, as 64 hex digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
