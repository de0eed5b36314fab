// Why a group is blocked whose revision failed, in words that stay the same until somebody acts.

import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import type { Block } from "./types.ts";

const ADVICE = "change the spec, or try again with --retry";

/** Rolled back once nothing of the failed revision is left but what is kept for inspection. */
export function failedBlock({ outlook, scene }: Draft): Block {
  const isGone = !scene.workers.some(
    (worker) => isCurrent(worker) && worker.phase?.kind !== "failed",
  );
  const failed = scene.workers.find(
    (worker) => isCurrent(worker) && worker.phase?.kind === "failed",
  );
  const why = outlook.refused === undefined ? "" : `: ${outlook.refused.message}`;
  const where = failed === undefined ? why : `; ${failed.labels.name} is kept for inspection`;
  return outlook.isRollingBack && isGone && failed !== undefined
    ? {
        code: "RolledBack",
        message: `the new revision failed and the old one serves${where}; ${ADVICE}`,
      }
    : { code: "RevisionFailed", message: `the new revision failed${where}; ${ADVICE}` };
}
