// What the system says about a file of the state folder, in words that help, and told apart by who can help.

import { basename } from "node:path";
import { WgctlError } from "../core/errors.ts";
import { errnoOf } from "./errno.ts";

type Trouble = { readonly code: "state-unusable" | "state-unwritable"; readonly hint: string };

const OWNERSHIP = "make the folder yours, or choose another one with --state-dir";
const IN_THE_WAY = "a part of the path is a file: choose another folder with --state-dir";

/** A disk may be well again at the next try; a path or permission that is wrong stays so until somebody acts. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  ENOSPC: passing("the disk is full: free some space, or choose another folder with --state-dir"),
  EDQUOT: passing(
    "the disk quota is used up: free some space, or choose another folder with --state-dir",
  ),
  EROFS: passing("the file system is read-only: choose another folder with --state-dir"),
  EIO: passing("the disk has errors: look at the system's log"),
  EACCES: lasting(OWNERSHIP),
  EPERM: lasting(OWNERSHIP),
  ENOTDIR: lasting(IN_THE_WAY),
  EEXIST: lasting(IN_THE_WAY),
};

function passing(hint: string): Trouble {
  return { code: "state-unwritable", hint };
}

function lasting(hint: string): Trouble {
  return { code: "state-unusable", hint };
}

/**
 * The system's error as one of ours, with what was tried on which file: `state-unwritable` where the disk is full,
 * read-only or broken, else `state-unusable`. Anything that is no system error is answered as it is.
 */
export function stateError(path: string, verb: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const { code, hint } =
    TROUBLES[errno] ??
    lasting(`look at ${basename(path)} and its folder, or choose another with --state-dir`);
  return new WgctlError(code, `cannot ${verb} ${path}: ${errno}`, { hint, cause: error });
}
