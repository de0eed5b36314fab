// A checked spec -> GroupSpec, with the defaults of the envelope. Decides nothing.

import { definedOnly, unlessEmpty } from "../core/defined.ts";
import type { DrainPolicy, ExitPolicy, GroupSpec, Quiet, RolloutPolicy } from "../core/model.ts";
import { normaliseTemplate, type TemplateParts } from "./normalise-template.ts";
import type { SpecDraft } from "./schema/spec-fields.ts";

/** How long a worker may take to be drained, where nothing is said. */
const DRAIN_SECONDS = 900;

/** `parts` are what the draft alone does not say of the template. */
export function normaliseSpec(draft: SpecDraft, parts: TemplateParts): GroupSpec {
  return definedOnly<GroupSpec>({
    replicas: draft.replicas,
    template: normaliseTemplate(draft.template, parts),
    pullPolicy: draft.template.pull_policy ?? "missing",
    rollout: normaliseRollout(draft.rollout ?? {}),
    drain: normaliseDrain(draft.drain ?? {}),
    onExit: unlessEmpty(definedOnly<ExitPolicy>({ ...draft.onExit })),
    onUnhealthy: draft.onUnhealthy ?? "Replace",
    restartNonce: draft.restartNonce ?? "",
    suspend: draft.suspend ?? false,
  });
}

function normaliseRollout(draft: NonNullable<SpecDraft["rollout"]>): RolloutPolicy {
  return {
    strategy: draft.strategy ?? "RollingUpdate",
    maxUnavailable: draft.maxUnavailable ?? { kind: "count", count: 1 },
    maxSurge: draft.maxSurge ?? { kind: "count", count: 0 },
    minReadySeconds: draft.minReadySeconds ?? 5,
    healthyDeadlineSeconds: draft.healthyDeadlineSeconds ?? 300,
    progressDeadlineSeconds: draft.progressDeadlineSeconds ?? 600,
    onFailure: draft.onFailure ?? "Pause",
    paused: draft.paused ?? false,
  };
}

function normaliseDrain(draft: NonNullable<SpecDraft["drain"]>): DrainPolicy | undefined {
  const { quiet, waitFor, idle } = draft;
  return unlessEmpty(
    definedOnly<DrainPolicy>({
      quiet: quiet && normaliseQuiet(quiet),
      waitFor: waitFor && {
        exec: waitFor.exec,
        timeoutSeconds: waitFor.timeoutSeconds ?? DRAIN_SECONDS,
      },
      idle: idle && { exec: idle.exec },
    }),
  );
}

type QuietDraft = NonNullable<NonNullable<SpecDraft["drain"]>["quiet"]>;

/** Exactly one of the two is set. */
function normaliseQuiet({ signal, exec }: QuietDraft): Quiet {
  return signal ? { kind: "signal", signal } : { kind: "exec", exec: exec ?? [] };
}
