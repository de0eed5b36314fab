// Which Git commit a folder is at, and how that stands to others. Asks git and changes nothing, not even its index.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";

const DEADLINE_MS = 5_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * How the folder's commit stands to another: `older` is a proper ancestor of it, `newer` a proper descendant.
 * `unknown`: git does not tell, because it lacks that commit or the history between the two.
 */
export type CommitRelation = "same" | "older" | "newer" | "diverged" | "unknown";

/**
 * The commit hash of the folder's repository, with `-dirty` after it when anything in the folder differs from it.
 * Undefined without git, outside a repository, before the first commit, and when git takes longer than 5 s.
 */
export async function describeCommit(folder: string): Promise<string | undefined> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const [commit, changes] = await Promise.all([
    headOf(folder, deadline),
    read(folder, deadline, "status", "--porcelain", "--", "."),
  ]);
  if (commit === undefined || changes === undefined) return undefined;
  return changes === "" ? commit : `${commit}-dirty`;
}

/**
 * How the folder's commit stands to each of these, written as `describeCommit` does; what was dirty counts as its
 * commit, because git cannot order what was never committed. What is not answered within 5 s in all is `unknown`.
 */
export async function relateCommits(
  folder: string,
  others: readonly string[],
): Promise<Readonly<Record<string, CommitRelation>>> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const own = await headOf(folder, deadline);
  const relations: Record<string, CommitRelation> = {};
  for (const other of others) {
    const hash = /^([0-9a-f]{40}|[0-9a-f]{64})(-dirty)?$/.exec(other)?.[1];
    const isAskable = own !== undefined && hash !== undefined;
    relations[other] = isAskable ? await relate(folder, own, hash, deadline) : "unknown";
  }
  return relations;
}

async function relate(
  folder: string,
  own: string,
  other: string,
  deadline: AbortSignal,
): Promise<CommitRelation> {
  if (own === other) return "same";
  const [isOlder, isNewer] = await Promise.all([
    isAncestor(folder, own, other, deadline),
    isAncestor(folder, other, own, deadline),
  ]);
  if (isOlder === true) return "older";
  if (isNewer === true) return "newer";
  if (isOlder === undefined || isNewer === undefined) return "unknown";
  // Where history is cut off, a way between the two may lie beyond the cut.
  const isShallow = await read(folder, deadline, "rev-parse", "--is-shallow-repository");
  return isShallow === "false" ? "diverged" : "unknown";
}

function headOf(folder: string, deadline: AbortSignal): Promise<string | undefined> {
  return read(folder, deadline, "rev-parse", "--verify", "HEAD");
}

/** Undefined: git lacks one of the two, or did not answer. */
async function isAncestor(
  folder: string,
  one: string,
  other: string,
  deadline: AbortSignal,
): Promise<boolean | undefined> {
  const { code } = await git(folder, deadline, "merge-base", "--is-ancestor", one, other);
  return code === 0 || code === 1 ? code === 0 : undefined;
}

/** The trimmed output of a git command; undefined when it failed in any way. */
async function read(
  folder: string,
  deadline: AbortSignal,
  ...command: readonly string[]
): Promise<string | undefined> {
  const { code, stdout } = await git(folder, deadline, ...command);
  return code === 0 ? stdout.trim() : undefined;
}

type GitAnswer = { readonly code: number | undefined; readonly stdout: string };

/** Runs git; its code is undefined when it did not run to its end. */
function git(
  folder: string,
  deadline: AbortSignal,
  ...command: readonly string[]
): Promise<GitAnswer> {
  // Starting a process only to hear that it cannot start there is slow.
  if (!existsSync(folder)) return Promise.resolve({ code: undefined, stdout: "" });
  // Without optional locks `git status` does not refresh the index file.
  const words = ["--no-optional-locks", ...command];
  const options = {
    cwd: folder,
    signal: deadline,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: "utf8",
  } as const;
  return new Promise((resolve) => {
    execFile("git", words, options, (error, stdout) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === "number" ? code : undefined, stdout });
    });
  });
}
