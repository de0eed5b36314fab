// The guards of prune: when absence of a manifest may be believed.

import { WgctlError } from "./errors.ts";

export type PruneFacts = {
  /** Every file was read and every identity in it understood. */
  readonly complete: boolean;
  /** The run was narrowed by -f, --group, --exclude or standard input, so absence means nothing. */
  readonly narrowed: boolean;
  readonly hasProject: boolean;
  /** Groups that manifests declare. */
  readonly declared: number;
  /** Groups that would go. */
  readonly orphans: number;
  readonly allowMassDelete: boolean;
};

/** Throws `refused` or `bad-usage` where pruning could remove what somebody still wants. */
export function guardPrune(facts: PruneFacts): void {
  if (!facts.hasProject) {
    throw new WgctlError(
      "bad-usage",
      "prune needs a project: without wgctl.yaml nobody owns what left the files",
      {
        hint: "run `wgctl init`, or leave out --prune",
      },
    );
  }
  if (facts.narrowed) {
    throw new WgctlError(
      "bad-usage",
      "prune cannot be combined with -f, --group, --exclude or standard input",
      {
        hint: "there a missing group means nothing; run it over the whole project, or add --no-prune",
      },
    );
  }
  if (facts.orphans === 0) return;
  if (!facts.complete) {
    throw new WgctlError("refused", "prune is refused because a file could not be read", {
      hint: "mend the problems shown, then prune",
    });
  }
  if (facts.allowMassDelete) return;
  if (facts.declared === 0) {
    throw new WgctlError(
      "refused",
      `prune is refused: no manifest declares a group, so every group would go (${facts.orphans})`,
      {
        hint: "if that is meant, add --allow-mass-delete",
      },
    );
  }
  if (facts.orphans * 2 > facts.declared + facts.orphans) {
    throw new WgctlError(
      "refused",
      `prune is refused: ${facts.orphans} of ${facts.declared + facts.orphans} groups of the project would go`,
      {
        hint: "if that is meant, add --allow-mass-delete",
      },
    );
  }
}
