// How an apply ended, in a few lines for a person.

import type { ApplyResult } from "../app/apply-types.ts";
import type { GroupPlan } from "../core/plan/types.ts";
import type { Paint } from "./style.ts";
import { groupTitle, plural } from "./text.ts";

/** The result, ending in a newline: first what is not as declared and why, then one line that sums up. */
export function renderApplyResult(result: ApplyResult, paint: Paint): string {
  if (result.ending === "declined") return `${capital(ENDINGS.declined)}.\n`;
  const open = result.plan.groups.filter((group) => !group.converged);
  const lines = [...open.map((group) => openLine(group, paint)), summary(result, open, paint)];
  return `${lines.join("\n")}\n`;
}

function openLine(group: GroupPlan, paint: Paint): string {
  const { available, desired } = group.counts;
  const held = group.blocks.map((block) => block.message);
  const reasons = [...held, ...group.waitingFor, ...group.notices];
  const why = reasons.length === 0 ? "more is to be done" : reasons.join("; ");
  return `${paint("alert", "!")} ${groupTitle(group.identity)}: ${available} of ${desired} available; ${why}`;
}

const ENDINGS = {
  settled: "not converged, and nothing more can be done now",
  bounded: "not converged yet; run it again",
  "timed-out": "not converged in time",
  declined: "nothing was changed",
  "lease-lost": "not converged, and the lease was lost; run it again",
  interrupted: "interrupted; run it again to go on",
} as const satisfies Record<ApplyResult["ending"], string>;

function summary(result: ApplyResult, open: readonly GroupPlan[], paint: Paint): string {
  const work = `${plural(result.done, "action")} in ${plural(result.passes, "pass", "passes")}`;
  if (result.isUnstable)
    return paint("alert", `Not stable: planning again asks for more after ${work}.`);
  if (open.length > 0) return paint("alert", `${capital(ENDINGS[result.ending])} (${work}).`);
  const workers = result.plan.groups.reduce((sum, group) => sum + group.counts.desired, 0);
  const groups = plural(result.plan.groups.length, "group");
  const state = `${plural(workers, "worker")} in ${groups}`;
  return result.done === 0
    ? paint("good", `No changes. ${state} converged.`)
    : paint("good", `Converged: ${state}, ${work}.`);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
