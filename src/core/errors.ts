// The one error class. A code is stable and decides; a text may change and only explains.

/**
 * What went wrong, as a machine reads it.
 *
 * `engine-*` come from the engine port, `lock-held` from the process lock, the others from input and guards.
 */
export type ErrorCode =
  | "bad-usage"
  | "invalid-input"
  | "refused"
  | "newer-version"
  | "lock-held"
  | "state-unusable"
  | "state-unwritable" // the disk is full, read-only or broken: it may be well again at the next try
  | "engine-unreachable" // no connection, or it broke before an answer began: the call may not have arrived
  | "engine-timeout" // the deadline passed: the call may or may not take effect
  | "engine-rejected" // 400: the request itself is wrong, trying again will not help
  | "engine-denied" // 401 or 403
  | "engine-not-found" // 404
  | "engine-conflict" // 409
  | "engine-failed" // 5xx, or an answer that cannot be understood
  | "aborted";

/** An expected failure: says what was wrong, what to do about it, and what lies underneath. */
export class WgctlError extends Error {
  override readonly name = "WgctlError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: { hint?: string; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}

/** True for a `WgctlError` with one of the given codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is WgctlError {
  return error instanceof WgctlError && codes.includes(error.code);
}
