// The labels on every worker: how one is marked as ours, and how that is read back.

import type { GroupIdentity } from "./model.ts";

/** Raised when a label's form changes in a way that an older wgctl would misread. */
export const TEMPLATE_VERSION = 1;

/** Written out, because a text put together anew is slow to look up, and there are many. */
const KEYS = {
  project: "dev.wgctl.project",
  uid: "dev.wgctl.uid",
  namespace: "dev.wgctl.namespace",
  group: "dev.wgctl.group",
  slot: "dev.wgctl.slot",
  attempt: "dev.wgctl.attempt",
  "task-id": "dev.wgctl.task-id",
  generation: "dev.wgctl.generation",
  spec: "dev.wgctl.spec",
  revision: "dev.wgctl.revision",
  template: "dev.wgctl.template",
  "template-version": "dev.wgctl.template-version",
  nonce: "dev.wgctl.nonce",
  name: "dev.wgctl.name",
  commit: "dev.wgctl.commit",
  drain: "dev.wgctl.drain",
  reason: "dev.wgctl.reason",
} as const;

const RESERVED = ["dev.wgctl.", "com.docker.compose."];

/** Whether a label is one that no template can have: ours, or one by which Compose knows its own. */
export function isReservedLabel(key: string): boolean {
  return RESERVED.some((beginning) => key.startsWith(beginning));
}

/** What the labels of a worker say. */
export type WorkerLabels = {
  /** UID of the project; undefined: made outside a named project. */
  readonly project: string | undefined;
  readonly group: GroupIdentity;
  readonly slot: number;
  readonly attempt: number;
  readonly taskId: string;
  readonly generation: number;
  /** Digest of the canonical spec of that generation. */
  readonly spec: string;
  readonly revision: string;
  /** Canonical JSON of what the user set, sensitive values as digests. */
  readonly template: string;
  readonly templateVersion: number;
  readonly nonce: string;
  /** The container's own name. */
  readonly name: string;
  /** Git commit of the manifests, when known. */
  readonly commit: string | undefined;
  /** How to drain it when its manifest is gone: canonical JSON. */
  readonly drain: string;
  /** Why it was made. */
  readonly reason: string;
};

/** Writes the labels of a worker. */
export function encodeLabels(labels: WorkerLabels): Readonly<Record<string, string>> {
  return {
    ...(labels.project === undefined ? {} : { [KEYS.project]: labels.project }),
    [KEYS.uid]: labels.group.uid,
    [KEYS.namespace]: labels.group.namespace,
    [KEYS.group]: labels.group.name,
    [KEYS.slot]: String(labels.slot),
    [KEYS.attempt]: String(labels.attempt),
    [KEYS["task-id"]]: labels.taskId,
    [KEYS.generation]: String(labels.generation),
    [KEYS.spec]: labels.spec,
    [KEYS.revision]: labels.revision,
    [KEYS.template]: labels.template,
    [KEYS["template-version"]]: String(labels.templateVersion),
    ...(labels.nonce === "" ? {} : { [KEYS.nonce]: labels.nonce }),
    [KEYS.name]: labels.name,
    ...(labels.commit === undefined ? {} : { [KEYS.commit]: labels.commit }),
    [KEYS.drain]: labels.drain,
    [KEYS.reason]: labels.reason,
  };
}

/**
 * Reads the labels of a worker; undefined when they are not whole, so that nobody acts on half an identity. Each key is
 * looked up in its own place, which is faster by a multiple than one place for all.
 */
export function decodeLabels(raw: Readonly<Record<string, string>>): WorkerLabels | undefined {
  const uid = raw[KEYS.uid];
  const namespace = raw[KEYS.namespace];
  const name = raw[KEYS.group];
  const revision = raw[KEYS.revision];
  const ownName = raw[KEYS.name];
  const slot = count(raw[KEYS.slot]);
  const attempt = count(raw[KEYS.attempt]);
  const templateVersion = count(raw[KEYS["template-version"]]);
  if (!uid || !namespace || !name || !revision || !ownName) return undefined;
  if (slot === undefined || attempt === undefined || templateVersion === undefined) {
    return undefined;
  }
  return {
    project: raw[KEYS.project],
    group: { uid, namespace, name },
    slot,
    attempt,
    taskId: raw[KEYS["task-id"]] ?? "",
    generation: count(raw[KEYS.generation]) ?? 0,
    spec: raw[KEYS.spec] ?? "",
    revision,
    template: raw[KEYS.template] ?? "",
    templateVersion,
    nonce: raw[KEYS.nonce] ?? "",
    name: ownName,
    commit: raw[KEYS.commit],
    drain: raw[KEYS.drain] ?? "",
    reason: raw[KEYS.reason] ?? "",
  };
}

/** The UID a container's labels claim; undefined: it carries none. */
export function uidOf(raw: Readonly<Record<string, string>>): string | undefined {
  return raw[KEYS.uid];
}

/** Whether a container's labels claim that it is of one of these groups, or of the project. */
export function claimsToBeOf(
  raw: Readonly<Record<string, string>>,
  uids: ReadonlySet<string>,
  projectUid: string | undefined,
): boolean {
  const isOfGroup = uids.has(raw[KEYS.uid] ?? "");
  return isOfGroup || (projectUid !== undefined && raw[KEYS.project] === projectUid);
}

function count(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
