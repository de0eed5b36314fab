// What a lint finds. Each lint judges a spec that is valid, and knows neither texts nor places.

import type { Path } from "../tree.ts";

export type LintFinding = {
  /** Below the document, beginning with `spec`. */
  readonly path: Path;
  readonly message: string;
  readonly hint: string;
  /** Places whose texts the message repeats, where these may be sensitive. */
  readonly repeats?: readonly Path[];
};

/** Docker's own defaults, in seconds. */
export const DEFAULT_GRACE = 10;
export const DEFAULT_INTERVAL = 30;
export const DEFAULT_RETRIES = 3;
