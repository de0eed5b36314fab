// default-grace: nobody has thought of how long a worker may take to finish its job.

import type { SpecDraft } from "../schema/spec-fields.ts";
import { DEFAULT_GRACE, type LintFinding } from "./lint.ts";

/** A worker that is killed outright has no use for a grace. */
export function judgeDefaultGrace({ template }: SpecDraft): readonly LintFinding[] {
  const { stop_grace_period: grace, stop_signal: signal } = template;
  if ((grace ?? undefined) !== undefined || signal === "SIGKILL") return [];
  return [
    {
      path: ["spec", "template", "stop_grace_period"],
      message: `stop_grace_period is not set, so a job that takes longer than ${DEFAULT_GRACE}s is cut off`,
      hint: `give it the time that a job can take, or write ${DEFAULT_GRACE}s if that is enough`,
    },
  ];
}
