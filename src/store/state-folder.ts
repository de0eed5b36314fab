// Where the state of a project lives. Only computes a path: makes and reads nothing.

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";

/** Its name where nobody chose another. */
export const STATE_FOLDER = ".wgctl";

export type StateFolderInputs = {
  /** `--state-dir`, as given. */
  readonly flag: string | undefined;
  /** `WGCTL_STATE_DIR`; an empty one counts as unset. */
  readonly environment: string | undefined;
  readonly workingFolder: string;
  readonly projectRoot: string | undefined;
  /** Docker context asked for by hand, and the project's own. */
  readonly context: string | undefined;
  readonly projectContext: string | undefined;
};

/**
 * The absolute path of the state folder: `--state-dir`, else `WGCTL_STATE_DIR`, else `.wgctl` in the project
 * (or the working folder), with a folder of its own for a context that is not the project's.
 */
export function locateStateFolder(inputs: StateFolderInputs): string {
  const given = inputs.flag ?? (inputs.environment || undefined);
  if (given !== undefined) return resolve(inputs.workingFolder, given);
  const home = join(inputs.projectRoot ?? inputs.workingFolder, STATE_FOLDER);
  const { context, projectContext } = inputs;
  if (context === undefined || context === projectContext) return home;
  return join(home, folderName(context));
}

/** A context as a folder name; one that had to be changed gets a digest, so that two never share a folder. */
function folderName(context: string): string {
  const safe = context.replace(/[^A-Za-z0-9_-]/g, "_");
  if (safe === context) return safe;
  return `${safe}-${createHash("sha256").update(context).digest("hex").slice(0, 8)}`;
}
