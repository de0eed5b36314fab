// Brings running workers to their declared limits and restart policy without a restart.

import { isAdopted } from "../adoption.ts";
import type { Json } from "../canonical.ts";
import type { ResourceLimits } from "../observed.ts";
import { parseTemplate } from "../revision.ts";
import type { Worker } from "../worker.ts";
import { arm, setLimits } from "./arrive.ts";
import type { Draft } from "./draft.ts";
import { isCurrent } from "./rank.ts";
import { because } from "./why.ts";

const UNARMED = "no";

export function adjust(draft: Draft): void {
  for (const worker of draft.staying()) {
    if (worker.facts.run.kind !== "running") continue;
    armAsDeclared(draft, worker);
    if (worker.limitsToSet !== undefined && isCurrent(worker)) {
      setLimits(
        draft,
        worker,
        worker.limitsToSet,
        because("drift", limitWords(worker.limitsToSet)),
      );
    }
  }
}

/** One of an old revision only gets back what a retirement that was called off took from it. */
function armAsDeclared(draft: Draft, worker: Worker): void {
  const live = worker.facts.restartPolicy;
  const { spec } = draft.scene;
  if (isCurrent(worker)) {
    const declared = spec?.template.restart ?? UNARMED;
    if (live !== declared) arm(draft, worker, declared, policyWords(live, declared));
  } else if (live === UNARMED && isToStay(draft, worker)) {
    const own = isAdopted(worker) ? policyOfAdopted(draft, worker) : ownRestartPolicy(worker);
    if (own !== UNARMED) arm(draft, worker, own, policyWords(live, own));
  }
}

/** One that keeps ending is about to go: given back its policy it would be restarted before it can be signalled. */
function isToStay({ blocks, outlook }: Draft, { facts }: Worker): boolean {
  return facts.restartCount === 0 || outlook.isBlocked || blocks.length > 0;
}

/** What it had is not known once that was taken from it: one that serves instead of the new revision has the group's. */
function policyOfAdopted({ outlook, scene }: Draft, { facts }: Worker): string {
  const isNeeded = outlook.isBlocked && facts.autoRemove !== true;
  return (isNeeded ? scene.spec?.template.restart : undefined) ?? UNARMED;
}

function policyWords(live: string, declared: string) {
  return because("drift", `restart policy is ${live}, declared ${declared}`);
}

function limitWords({ cpus, memory, swap, pids }: ResourceLimits): string {
  return [
    ...(cpus === undefined ? [] : [`cpus ${cpus}`]),
    ...(memory === undefined ? [] : [`memory ${memory} bytes`]),
    ...(swap === undefined
      ? []
      : [`memory and swap ${swap === -1 ? "without limit" : `${swap} bytes`}`]),
    ...(pids === undefined ? [] : [`pids ${pids}`]),
  ].join(", ");
}

function ownRestartPolicy(worker: Worker): string {
  const template = parseTemplate(worker.labels.template);
  const policy: Json = isRecord(template) ? template["restart"] : undefined;
  return typeof policy === "string" ? policy : UNARMED;
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
