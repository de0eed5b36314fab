// What makes a worker of the desired revision. Equality decides; the hash only gives it a name.

import { canonicalJson, differingPaths, type Json } from "./canonical.ts";
import { sha256 } from "./digest.ts";
import type { WorkerLabels } from "./labels.ts";
import type { GroupIdentity, GroupSpec, Template } from "./model.ts";
import type { WorkerFacts } from "./observed.ts";
import type { Difference } from "./worker.ts";

const REVISION_DIGITS = 16;

/** The desired side of the comparison. `imageId` is undefined until the image is on the engine. */
export type DesiredRevision = {
  readonly template: Template;
  readonly nonce: string;
  readonly imageId: string | undefined;
};

/** Digest of a group's canonical spec: a change of it makes a new generation. */
export function specDigest(spec: GroupSpec): string {
  return sha256(canonicalJson(spec));
}

/** Canonical JSON of a template, as the `template` label keeps it. */
export function templateLabel(template: Template): string {
  return canonicalJson(template);
}

/** The hex revision that names the workers of this identity, template, nonce and image. */
export function revisionOf(
  group: GroupIdentity,
  desired: DesiredRevision & { readonly imageId: string },
): string {
  const parts = {
    uid: group.uid,
    namespace: group.namespace,
    name: group.name,
    template: desired.template,
    nonce: desired.nonce,
    imageId: desired.imageId,
  };
  return sha256(canonicalJson(parts)).slice(0, REVISION_DIGITS);
}

/**
 * How a worker differs from the desired revision; none means that it is of it, whatever its name says.
 * An image that is not on the engine yet cannot differ.
 */
export function differences(
  facts: WorkerFacts,
  labels: WorkerLabels,
  desired: DesiredRevision,
): readonly Difference[] {
  const found: Difference[] = [];
  const paths = differingPaths(parseTemplate(labels.template), desired.template);
  if (paths.length > 0) found.push({ kind: "template", paths });
  if (desired.imageId !== undefined && facts.imageId !== desired.imageId) {
    found.push({ kind: "image", from: facts.imageId, to: desired.imageId });
  }
  if (labels.nonce !== desired.nonce) found.push({ kind: "nonce" });
  const missing = missingNetworks(facts, desired.template);
  if (missing.length > 0) found.push({ kind: "network", missing });
  return found;
}

/** The template a label holds; null for a label that is no JSON, which then differs from any template. */
export function parseTemplate(label: string): Json {
  try {
    return JSON.parse(label);
  } catch {
    return null;
  }
}

function missingNetworks(facts: WorkerFacts, template: Template): readonly string[] {
  const wanted = Object.keys(template.networks ?? {}).sort();
  return wanted.filter((name) => !facts.networks.includes(name));
}
