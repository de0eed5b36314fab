// What the engine says no with: the same error class, codes and shape of message as the Docker adapter has.

import { type ErrorCode, WgctlError } from "../../core/errors.ts";
import { type Container, findContainer, type World } from "./world.ts";

/** An error in the engine's words; `what` completes "cannot ...". */
export function refusal(code: ErrorCode, what: string, words: string): WgctlError {
  return new WgctlError(code, `cannot ${what}: ${words}`);
}

/** The container a call is about; throws `engine-not-found`. */
export function requireContainer(world: World, id: string, what: string): Container {
  const container = findContainer(world, id);
  if (container !== undefined) return container;
  throw refusal("engine-not-found", what, `no such container: ${id}`);
}

/** The error of a call that the caller called off. */
export function aborted(): WgctlError {
  return new WgctlError("aborted", "the call to the engine was called off");
}
