// Everything a new worker is made of: the template with placeholders filled in, our labels, our environment.

import { canonicalJson } from "../core/canonical.ts";
import { encodeLabels, TEMPLATE_VERSION } from "../core/labels.ts";
import type { GroupSpec, Quiet } from "../core/model.ts";
import { expandTemplate } from "../core/placeholders.ts";
import type { GroupPlan, NewWorker, Reason } from "../core/plan/types.ts";
import { templateLabel } from "../core/revision.ts";
import { revealTemplate } from "../core/seal.ts";
import type { CreateRequest } from "../engine/engine.ts";

/** What a run knows and a plan does not. */
export type Provenance = {
  readonly projectUid: string | undefined;
  readonly commit: string | undefined;
  /** Unique per container ever made. */
  readonly taskId: string;
};

export function createRequest(
  group: GroupPlan,
  spec: GroupSpec,
  worker: NewWorker,
  reason: Reason,
  { projectUid, commit, taskId }: Provenance,
): CreateRequest {
  const { identity } = group;
  const secrets = group.desired?.kind === "valid" ? group.desired.secrets : undefined;
  const template = expandTemplate(revealTemplate(spec.template, secrets), {
    slot: worker.slot,
    group: identity.name,
    uid: identity.uid,
    taskId,
    workerName: worker.name,
  });
  const labels = encodeLabels({
    project: projectUid,
    group: identity,
    slot: worker.slot,
    attempt: worker.attempt,
    taskId,
    generation: group.generation,
    spec: group.spec ?? "",
    revision: worker.revision,
    template: templateLabel(spec.template),
    templateVersion: TEMPLATE_VERSION,
    nonce: spec.restartNonce,
    name: worker.name,
    commit,
    drain: drainLabel(spec),
    reason,
  });
  const environment = {
    ...template.environment,
    WGCTL_GROUP: identity.name,
    WGCTL_SLOT: String(worker.slot),
    WGCTL_TASK_ID: taskId,
  };
  return {
    name: worker.name,
    labels: { ...template.labels, ...labels },
    template: { ...template, environment },
  };
}

/** How to stop it once no manifest tells, in a manifest's form; the container's own stop settings say the rest. */
function drainLabel({ template, drain }: GroupSpec): string {
  const { quiet, waitFor } = drain ?? {};
  return canonicalJson({
    signal: template.stop_signal,
    graceSeconds: template.stop_grace_period,
    quiet: quiet && quietForm(quiet),
    waitFor,
  });
}

function quietForm(quiet: Quiet) {
  return quiet.kind === "signal" ? { signal: quiet.signal } : { exec: quiet.exec };
}
