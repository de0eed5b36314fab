// Which Git commit a folder is at. Asks git and changes nothing, not even its index.

import { execFile } from "node:child_process";

const DEADLINE_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * The commit hash of the folder's repository, with `-dirty` after it when anything in the folder differs from it.
 * Undefined without git, outside a repository, before the first commit, and when git takes longer than 5 s.
 */
export async function describeCommit(folder: string): Promise<string | undefined> {
  const [commit, changes] = await Promise.all([
    git(folder, "rev-parse", "--verify", "HEAD"),
    git(folder, "status", "--porcelain", "--", "."),
  ]);
  if (commit === undefined || changes === undefined) return undefined;
  return changes === "" ? commit : `${commit}-dirty`;
}

/** The trimmed output of a git command; undefined when it failed in any way. */
function git(folder: string, ...command: readonly string[]): Promise<string | undefined> {
  // Without optional locks `git status` does not refresh the index file.
  const words = ["--no-optional-locks", ...command];
  const options = {
    cwd: folder,
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: "utf8",
  } as const;
  return new Promise((resolve) => {
    execFile("git", words, options, (error, stdout) => {
      resolve(error === null ? stdout.trim() : undefined);
    });
  });
}
