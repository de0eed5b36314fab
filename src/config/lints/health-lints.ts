// late-health-check and blind-health-check: tests too far apart for the times in which wgctl judges a worker.

import type { Healthcheck } from "../../core/template.ts";
import type { SpecDraft } from "../schema/spec-fields.ts";
import { DEFAULT_INTERVAL, DEFAULT_RETRIES, type LintFinding } from "./lint.ts";

const checkPath = ["spec", "template", "healthcheck"];
/** As in normalise.ts. */
const DEFAULT_DEADLINE = 300;

/** The first test comes one interval after the start; newer engines test more often during a start period. */
export function judgeLateCheck({ template, rollout }: SpecDraft): readonly LintFinding[] {
  const check = testedBy(template.healthcheck);
  const deadline = rollout?.healthyDeadlineSeconds ?? DEFAULT_DEADLINE;
  const interval = check?.interval ?? DEFAULT_INTERVAL;
  if (check === undefined || (check.start_period ?? 0) > 0 || interval < deadline) return [];
  return [
    {
      path: [...checkPath, "interval"],
      message: `the first test comes ${interval}s after the start, and a worker must be healthy within ${deadline}s (healthyDeadlineSeconds)`,
      hint: "make the interval shorter, or healthyDeadlineSeconds longer",
    },
  ];
}

/** Only where somebody chose minReadySeconds: the default is there for crashes, which need no test. */
export function judgeBlindCheck({ template, rollout }: SpecDraft): readonly LintFinding[] {
  const check = testedBy(template.healthcheck);
  const ready = rollout?.minReadySeconds ?? 0;
  const [interval, retries] = [
    check?.interval ?? DEFAULT_INTERVAL,
    check?.retries ?? DEFAULT_RETRIES,
  ];
  if (check === undefined || ready === 0 || ready >= interval * retries) return [];
  return [
    {
      path: ["spec", "rollout", "minReadySeconds"],
      message: `minReadySeconds is over before a healthy worker can be found unhealthy, which takes ${interval * retries}s (interval x retries)`,
      hint: `set it to ${Math.ceil(interval * retries)}, or test more often`,
    },
  ];
}

type Draft = Healthcheck | null | undefined;

function testedBy(check: Draft): Healthcheck | undefined {
  return check && check.test?.[0] !== "NONE" ? check : undefined;
}
