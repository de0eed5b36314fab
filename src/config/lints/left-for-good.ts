// left-for-good: onExit leaves a worker that has ended, and nothing else starts it again, whatever it ended of.

import type { SpecDraft } from "../schema/spec-fields.ts";
import type { LintFinding } from "./lint.ts";

const ENDS = { success: "well", failure: "in failure" } as const;

/** Somebody who writes `restart: "no"` has thought of it. */
export function judgeLeftForGood({ template, onExit }: SpecDraft): readonly LintFinding[] {
  if ((template.restart ?? undefined) !== undefined) return [];
  return (["success", "failure"] as const)
    .filter((end) => onExit?.[end] === "Leave")
    .map((end) => ({
      path: ["spec", "onExit", end],
      message: `restart is not set, so the first time that a worker ends ${ENDS[end]} it stays down for good, and fills its slot`,
      hint: 'set restart: on-failure for the engine to try again first, or write restart: "no" if that is meant',
    }));
}
