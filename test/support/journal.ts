// Small builders of journal lines, and a journal file as a test writes it.

import type { Intent, JournalEntry, JournalLine, Outcome } from "../../src/core/journal.ts";
import { toIso } from "../../src/core/time.ts";
import { encodeLine } from "../../src/store/journal-lines.ts";
import { NOW, REVISION, UID } from "./build.ts";

export const TIME = toIso(NOW);
/** Until when a built intent counts. */
export const UNTIL = toIso(NOW + 60_000);

/** A create of the first worker unless told otherwise. */
export function buildEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    ...{ id: "run-1-1", time: TIME, run: "run-1", action: "create" },
    ...{ uid: UID, namespace: "default", group: "mailer", slot: 1, revision: REVISION },
    ...{ worker: "mailer-1-1f2e3d4c", container: null, reason: "missing" },
    ...changes,
  };
}

export function intent(changes: Partial<Intent> = {}) {
  return { kind: "intent", ...buildEntry(changes), until: UNTIL, ...changes } as const;
}

export function outcome(changes: Partial<Outcome> = {}) {
  return {
    kind: "outcome",
    ...buildEntry(changes),
    outcome: "done",
    words: "",
    ...changes,
  } as const;
}

/** The stop signal of the first worker. */
export const SIGNAL = {
  ...{ id: "run-1-2", action: "signal", container: "c1", reason: "scale-down" },
} as const satisfies Partial<JournalEntry>;

export function settled(
  changes: Partial<JournalLine & { readonly kind: "settled" }> = {},
): JournalLine {
  return { kind: "settled", time: TIME, run: "run-1", open: [], signalled: [], ...changes };
}

/** What a journal remembers of that signal once it was sent. */
export const SENT = `c1 signal ${TIME}`;

/** Lines as they stand in the file. */
export function fileOf(...lines: readonly JournalLine[]): string {
  return lines.map(encodeLine).join("");
}
