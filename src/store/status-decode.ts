// Judges the text of a status file and builds the document from it, every key in the order of the types.
// Strict about what it needs; a field it does not know is left out, so that an older wgctl can read on.

import { hasCode, WgctlError } from "../core/errors.ts";
import {
  type Condition,
  type FailureRecord,
  type GroupStatus,
  type ProgressRecord,
  STATUS_FORMAT_VERSION,
  type StatusDocument,
  type UncertainRecord,
  type WorkerRecord,
} from "../core/status-types.ts";
import {
  count,
  flag,
  integer,
  type JsonNode,
  list,
  members,
  orNull,
  text,
  time,
  word,
} from "./json-reader.ts";
import {
  CONDITION_REASONS,
  CONDITION_STATUSES,
  CONDITION_TYPES,
  WORKER_STATES,
} from "./status-words.ts";

export type StatusDecoding =
  | { readonly kind: "loaded"; readonly document: StatusDocument }
  | { readonly kind: "damaged"; readonly because: string };

/** Decodes the text of a status file; `path` is for messages. One of a newer wgctl throws `state-unusable`. */
export function decodeStatus(content: string, path: string): StatusDecoding {
  const root = parse(content);
  if (root === undefined) return { kind: "damaged", because: "it is not JSON" };
  refuseNewer(root, path);
  try {
    return { kind: "loaded", document: readDocument(root) };
  } catch (error) {
    if (hasCode(error, "state-unusable")) return { kind: "damaged", because: error.message };
    throw error;
  }
}

function parse(content: string): JsonNode | undefined {
  try {
    return { value: JSON.parse(content), path: "" };
  } catch {
    return undefined;
  }
}

function refuseNewer({ value }: JsonNode, path: string): void {
  if (typeof value !== "object" || value === null || !("formatVersion" in value)) return;
  const version = value.formatVersion;
  if (typeof version !== "number" || version <= STATUS_FORMAT_VERSION) return;
  throw new WgctlError(
    "state-unusable",
    `${path} has format version ${version}, and this wgctl knows versions up to ${STATUS_FORMAT_VERSION}`,
    { hint: "a newer wgctl was here: use that one, or another folder with --state-dir" },
  );
}

function readDocument(node: JsonNode): StatusDocument {
  const at = members(node);
  if (count(at("formatVersion")) !== STATUS_FORMAT_VERSION) {
    throw new WgctlError("state-unusable", "formatVersion is not a version that ever was");
  }
  const engine = members(at("engine"));
  return {
    formatVersion: STATUS_FORMAT_VERSION,
    engine: { id: text(engine("id")), endpoint: text(engine("endpoint")) },
    project: orNull(at("project"), readProject),
    groups: list(at("groups"), readGroup),
  };
}

function readProject(node: JsonNode): StatusDocument["project"] {
  const at = members(node);
  return { name: text(at("name")), uid: text(at("uid")) };
}

function readGroup(node: JsonNode): GroupStatus {
  const at = members(node);
  const revisions = members(at("revisions"));
  return {
    uid: text(at("uid")),
    namespace: text(at("namespace")),
    name: text(at("name")),
    generation: count(at("generation")),
    spec: text(at("spec")),
    observedGeneration: count(at("observedGeneration")),
    lastConvergedGeneration: orNull(at("lastConvergedGeneration"), count),
    revisions: {
      desired: orNull(revisions("desired"), text),
      stable: orNull(revisions("stable"), text),
      blocked: ifWritten(revisions("blocked"), text),
    },
    commit: orNull(at("commit"), text),
    ...imageCheckedAt(at("imageCheckedAt")),
    ...refused(at("refused")),
    counts: readCounts(at("counts")),
    workers: list(at("workers"), readWorker),
    failures: list(at("failures"), readFailure),
    progress: ifWritten(at("progress"), readProgress),
    uncertain: list(at("uncertain"), readUncertain),
    conditions: list(at("conditions"), readCondition),
  };
}

/** Only groups that ask their registry now and then have it. */
function imageCheckedAt(node: JsonNode): Pick<GroupStatus, "imageCheckedAt"> {
  return node.value === undefined ? {} : { imageCheckedAt: time(node) };
}

function refused(node: JsonNode): Pick<GroupStatus, "refused"> {
  if (node.value === undefined) return {};
  const at = members(node);
  return { refused: { revision: text(at("revision")), message: text(at("message")) } };
}

function readCounts(node: JsonNode): GroupStatus["counts"] {
  const at = members(node);
  return {
    desired: count(at("desired")),
    observed: count(at("observed")),
    scheduled: count(at("scheduled")),
    started: count(at("started")),
    ready: count(at("ready")),
    available: count(at("available")),
    updated: count(at("updated")),
    draining: count(at("draining")),
    kept: count(at("kept")),
    uncertain: count(at("uncertain")),
  };
}

function readWorker(node: JsonNode): WorkerRecord {
  const at = members(node);
  return {
    id: text(at("id")),
    name: text(at("name")),
    slot: count(at("slot")),
    attempt: count(at("attempt")),
    revision: text(at("revision")),
    updated: flag(at("updated")),
    state: word(at("state"), WORKER_STATES),
    startedAt: orNull(at("startedAt"), time),
    readySince: orNull(at("readySince"), time),
    wasAvailable: flag(at("wasAvailable")),
    isProven: ifWritten(at("isProven"), flag) ?? flag(at("wasAvailable")),
    signalled: flag(at("signalled")),
    isDrained: ifWritten(at("isDrained"), flag) ?? false,
    exitCode: orNull(at("exitCode"), integer),
  };
}

function readFailure(node: JsonNode): FailureRecord {
  const at = members(node);
  return {
    slot: count(at("slot")),
    revision: text(at("revision")),
    attempts: count(at("attempts")),
    at: ifWritten(at("at"), time),
  };
}

function readProgress(node: JsonNode): ProgressRecord {
  const at = members(node);
  return {
    revision: text(at("revision")),
    replicas: count(at("replicas")),
    updated: count(at("updated")),
    ready: count(at("ready")),
    available: count(at("available")),
    old: count(at("old")),
    at: time(at("at")),
    seenAt: time(at("seenAt")),
  };
}

/** What an older wgctl did not write counts as null. */
function ifWritten<T>(node: JsonNode, read: (node: JsonNode) => T): T | null {
  return node.value === undefined ? null : orNull(node, read);
}

function readUncertain(node: JsonNode): UncertainRecord {
  const at = members(node);
  return {
    slot: count(at("slot")),
    revision: text(at("revision")),
    name: text(at("name")),
    until: time(at("until")),
  };
}

function readCondition(node: JsonNode): Condition {
  const at = members(node);
  return {
    type: word(at("type"), CONDITION_TYPES),
    status: word(at("status"), CONDITION_STATUSES),
    observedGeneration: count(at("observedGeneration")),
    lastTransitionTime: time(at("lastTransitionTime")),
    reason: word(at("reason"), CONDITION_REASONS),
    message: text(at("message")),
  };
}
