// Turns what went wrong on the wire into the one error class. Decides nothing about what to do next.

import { type ErrorCode, WgctlError } from "../../core/errors.ts";

const LONGEST_MESSAGE = 500;

/** The error for an answer of 400 or above; `what` names the call, `body` holds the engine's words. */
export function answerFailure(status: number, body: string, what: string): WgctlError {
  const words = engineWords(body) || `HTTP status ${status}`;
  return new WgctlError(codeOf(status), `cannot ${what}: ${words}`);
}

function codeOf(status: number): ErrorCode {
  // What this engine has no way to do.
  if (status === 501) return "engine-rejected";
  if (status >= 500) return "engine-failed";
  switch (status) {
    case 401:
    case 403:
      return "engine-denied";
    case 404:
      return "engine-not-found";
    case 409:
      return "engine-conflict";
    default:
      return "engine-rejected";
  }
}

/** The text of `{"message": "..."}`, or of the body itself, on one line and of bounded length. */
function engineWords(body: string): string {
  return oneLine(messageIn(body) ?? body);
}

function messageIn(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== "object" || parsed === null || !("message" in parsed)) return undefined;
    return typeof parsed.message === "string" ? parsed.message : undefined;
  } catch {
    return undefined;
  }
}

/** Joins lines and cuts what is too long to be read. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}...` : line;
}

/** The error for a connection that was not made or broke before an answer began. */
export function connectionFailure(endpoint: string, cause: unknown): WgctlError {
  if (cause instanceof WgctlError) return cause;
  const code = errorCode(cause);
  if (code.startsWith("HPE_")) return nonsense(`${endpoint} does not speak HTTP`, cause);
  return new WgctlError(
    "engine-unreachable",
    `cannot reach the engine at ${endpoint}: ${reasonOf(cause)}`,
    { hint: hintFor(code), cause },
  );
}

/** The error for an answer that cannot be understood. */
export function nonsense(what: string, cause?: unknown): WgctlError {
  return new WgctlError("engine-failed", `the engine's answer makes no sense: ${what}`, { cause });
}

/** Node's code of a system, TLS or parser error; empty where there is none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

// Several addresses tried in vain come as an AggregateError with an empty message; a child process (ssh)
// explains itself on its standard error.
function reasonOf(cause: unknown): string {
  if (cause instanceof Error && "stderr" in cause && typeof cause.stderr === "string") {
    const words = oneLine(cause.stderr);
    if (words !== "") return words;
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return oneLine(message || errorCode(cause) || "unknown reason");
}

function hintFor(code: string): string {
  if (code === "EACCES" || code === "EPERM") {
    return "this user lacks permission to the engine's socket: add the user to the group that owns it";
  }
  if (/CERT|SSL|TLS|SIGNATURE|SIGNED|EPROTO/.test(code)) {
    return "check that the endpoint speaks TLS and that its certificates are the ones it trusts";
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "check the name of the engine's host";
  return "is the engine running? name another one with --host or --context";
}
