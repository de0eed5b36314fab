// The journal's lines as JSON. Each says its version, so that any of them tells whether a newer wgctl was here.

import { hasCode, WgctlError } from "../core/errors.ts";
import type {
  Intent,
  JournalEntry,
  JournalLine,
  JournalOutcome,
  Outcome,
} from "../core/journal.ts";
import { count, type JsonNode, list, members, orNull, text, time, word } from "./json-reader.ts";

export const JOURNAL_FORMAT_VERSION = 1;

/** One line, with its end. */
export function encodeLine(line: JournalLine): string {
  return `${JSON.stringify({ v: JOURNAL_FORMAT_VERSION, ...line })}\n`;
}

/** Reads one line; undefined: it is none of ours. One of a newer wgctl is `state-unusable`; `path` is for the message. */
export function decodeLine(content: string, path: string): JournalLine | undefined {
  const node = parse(content);
  if (node === undefined) return undefined;
  refuseNewer(node, path);
  try {
    return readLine(node);
  } catch (error) {
    if (hasCode(error, "state-unusable")) return undefined;
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
  if (typeof value !== "object" || value === null || !("v" in value)) return;
  if (typeof value.v !== "number" || value.v <= JOURNAL_FORMAT_VERSION) return;
  throw new WgctlError(
    "state-unusable",
    `${path} has lines of format version ${value.v}, and this wgctl knows versions up to ${JOURNAL_FORMAT_VERSION}`,
    { hint: "a newer wgctl was here: use that one, or another folder with --state-dir" },
  );
}

const KINDS = { run: true, intent: true, outcome: true, settled: true } as const satisfies Record<
  JournalLine["kind"],
  true
>;

const OUTCOMES = {
  done: true,
  dropped: true,
  failed: true,
  uncertain: true,
  found: true,
  "not-found": true,
} as const satisfies Record<JournalOutcome, true>;

function readLine(node: JsonNode): JournalLine {
  const at = members(node);
  const kind = word(at("kind"), KINDS);
  switch (kind) {
    case "run":
      return { kind, time: time(at("time")), run: text(at("run")) };
    case "intent":
      return { kind, ...readIntent(node) };
    case "outcome":
      return { kind, ...readOutcome(node) };
    case "settled":
      return {
        kind,
        time: time(at("time")),
        run: text(at("run")),
        open: list(at("open"), readIntent),
        signalled: list(at("signalled"), text),
      };
  }
}

function readIntent(node: JsonNode): Intent {
  return { ...readEntry(node), until: time(members(node)("until")) };
}

function readOutcome(node: JsonNode): Outcome {
  const at = members(node);
  return {
    ...readEntry(node),
    outcome: word(at("outcome"), OUTCOMES),
    words: text(at("words")),
  };
}

function readEntry(node: JsonNode): JournalEntry {
  const at = members(node);
  return {
    id: text(at("id")),
    time: time(at("time")),
    run: text(at("run")),
    action: text(at("action")),
    uid: text(at("uid")),
    namespace: text(at("namespace")),
    group: text(at("group")),
    slot: count(at("slot")),
    revision: orNull(at("revision"), text),
    worker: text(at("worker")),
    container: orNull(at("container"), text),
    reason: text(at("reason")),
  };
}
