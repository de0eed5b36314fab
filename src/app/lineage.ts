// How this run's checkout stands to those that made the workers. Asks Git only what a plan needs, and once.

import { type CommitRelation, relateCommits } from "../store/git.ts";

export class Lineage {
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  readonly #known = new Map<string, CommitRelation>();

  /** `folder` is where the manifests are; `warn` is told where Git cannot tell who is older. */
  constructor(folder: string, warn: (message: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** Those of the commits that ours is a proper ancestor of. */
  async newerThanOurs(commits: readonly string[]): Promise<readonly string[]> {
    const unasked = commits.filter((commit) => !this.#known.has(commit));
    if (unasked.length > 0) await this.#ask(unasked);
    return commits.filter((commit) => this.#known.get(commit) === "older");
  }

  async #ask(commits: readonly string[]): Promise<void> {
    const relations = await relateCommits(this.#folder, commits);
    for (const [commit, relation] of Object.entries(relations)) {
      this.#known.set(commit, relation);
      const doubt = DOUBTS[relation];
      if (doubt !== undefined) this.#warn(`workers were made from commit ${commit}, ${doubt}`);
    }
  }
}

/** Why nobody can say which of two commits is older. */
const DOUBTS: Readonly<Record<CommitRelation, string | undefined>> = {
  same: undefined,
  older: undefined,
  newer: undefined,
  diverged: "which is on another branch than this checkout: each may undo the other",
  unknown: "which Git does not know here: this checkout may be older (`git fetch` lets it tell)",
};
