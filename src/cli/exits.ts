// From an error to an exit code.

import { EXIT, type ExitCode } from "../app/verdict.ts";
import type { ErrorCode } from "../core/errors.ts";

/** What each kind of expected failure exits with; an interrupted run exits with its signal's code instead. */
export const ERROR_EXITS = {
  "bad-usage": EXIT.userMustAct,
  "invalid-input": EXIT.userMustAct,
  refused: EXIT.userMustAct,
  "state-unusable": EXIT.userMustAct,
  "state-unwritable": EXIT.retryable,
  "newer-version": EXIT.stale,
  "lock-held": EXIT.locked,
  "engine-unreachable": EXIT.retryable,
  "engine-timeout": EXIT.retryable,
  "engine-rejected": EXIT.retryable,
  "engine-denied": EXIT.retryable,
  "engine-not-found": EXIT.retryable,
  "engine-conflict": EXIT.retryable,
  "engine-failed": EXIT.retryable,
  aborted: EXIT.retryable,
} as const satisfies Record<ErrorCode, ExitCode>;
