// What makes a worker of the desired revision. Equality decides; the hash only gives it a name.

import { canonicalJson, differingPaths, type Json } from "./canonical.ts";
import { sha256 } from "./digest.ts";
import { compareFiles, FILE_FIELDS } from "./file-differences.ts";
import type { WorkerLabels } from "./labels.ts";
import { compareLimits, limitedPids } from "./live-limits.ts";
import type { GroupIdentity, GroupSpec } from "./model.ts";
import type { ResourceLimits, WorkerFacts } from "./observed.ts";
import type { Template } from "./template.ts";
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

/** What was found out of a worker by comparing it. */
export type Compared = {
  /** None means that it is of the desired revision, whatever its name says. */
  readonly differences: readonly Difference[];
  /** What can be put right without a new container. */
  readonly limitsToSet: ResourceLimits | undefined;
};

export const AS_DESIRED: Compared = { differences: [], limitsToSet: undefined };

export type Comparison = (facts: WorkerFacts, labels: WorkerLabels) => Compared;

/**
 * Compares workers with a desired revision. Most share a template label, so each label is read once.
 * An image that is not on the engine yet cannot differ.
 */
export function comparison(desired: DesiredRevision): Comparison {
  const { imageId, nonce, template } = desired;
  const networks = Object.keys(template.networks ?? {}).sort();
  const pathsOf = new Map([[templateLabel(template), NO_DIFFERENCE]]);
  return (facts, labels) => {
    let made = pathsOf.get(labels.template);
    if (made === undefined) {
      made = compareTemplates(labels.template, template);
      pathsOf.set(labels.template, made);
    }
    const { fixed, contents } = made;
    const { tooMuch, toSet } = compareLimits(facts.limits, template);
    const paths = tooMuch.length === 0 ? fixed : [...fixed, ...tooMuch].sort();
    const isOfImage = imageId === undefined || facts.imageId === imageId;
    const missing = networks.filter((name) => !facts.networks.includes(name));
    // Nearly all of many workers are as desired.
    const isMadeAlike = paths.length + contents.length + missing.length === 0;
    const isSame = isMadeAlike && isOfImage && labels.nonce === nonce;
    if (isSame && toSet === undefined) return AS_DESIRED;
    const differences: readonly Difference[] = [
      ...(paths.length > 0 ? [{ kind: "template", paths } as const] : []),
      ...(contents.length > 0 ? [{ kind: "file", paths: contents } as const] : []),
      ...(imageId === undefined || isOfImage
        ? []
        : [{ kind: "image", from: facts.imageId, to: imageId } as const]),
      ...(labels.nonce !== nonce ? [{ kind: "nonce" } as const] : []),
      ...(missing.length > 0 ? [{ kind: "network", missing } as const] : []),
    ];
    return { differences, limitsToSet: toSet };
  };
}

/** Paths that cannot be changed in place: to other fields, and to files with other contents. */
type MadeOtherwise = { readonly fixed: readonly string[]; readonly contents: readonly string[] };

const NO_DIFFERENCE: MadeOtherwise = { fixed: [], contents: [] };

function compareTemplates(label: string, template: Template): MadeOtherwise {
  // Without a declared limit the live one, which may be the engine's own, is not compared.
  const isFixed = (path: string) =>
    !IN_PLACE.has(path) ||
    (path === "pids_limit" && limitedPids(template) === undefined) ||
    (path === "memswap_limit" && template.memswap_limit === undefined);
  const made = parseTemplate(label);
  const { mounts, contents } = compareFiles(made, template);
  const others = differingPaths(made, template).filter((path) => !FILES.has(path));
  return { fixed: [...others.filter(isFixed), ...mounts].sort(), contents };
}

/** Fields that are compared with the live container, because the engine can change them and no label can follow. */
const IN_PLACE: ReadonlySet<string> = new Set([
  ...["cpus", "mem_limit", "memswap_limit", "pids_limit", "restart"],
]);

/** Compared file by file. */
const FILES: ReadonlySet<string> = new Set(FILE_FIELDS);

/** The template a label holds; null for a label that is no JSON, which then differs from any template. */
export function parseTemplate(label: string): Json {
  try {
    return JSON.parse(label);
  } catch {
    return null;
  }
}
