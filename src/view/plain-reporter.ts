// Reports progress as plain lines, for logs and simple terminals. Writes to stderr only: stdout belongs to the
// document that was asked for.

import type { ActionOutcome, ProgressEvent, Question, Reporter } from "../app/reporter.ts";
import type { Action, ActionKind, Plan } from "../core/plan/types.ts";
import { subjectOf, whyText } from "./action-words.ts";
import { renderPlan } from "./plan-text.ts";
import type { Paint, Tone } from "./style.ts";
import { formatElapsed, plural, printable } from "./text.ts";

export type PlainHost = {
  /** Writes text to stderr. */
  readonly write: (text: string) => void;
  /** Reads one line from a person, undefined at the end of the input or of patience. Absent: nobody is there to ask. */
  readonly readAnswer: ((signal: AbortSignal) => Promise<string | undefined>) | undefined;
  readonly paint: Paint;
  /** `quiet` leaves warnings, failures and questions; `verbose` adds starts, passes and pull progress. */
  readonly verbosity: "quiet" | "normal" | "verbose";
};

/** What was said last, so that nothing is said twice. */
type Said = { waiting: string; pull: string; nameWidth: number; readonly questions: Set<string> };

/** A reporter for one run; it remembers what it said last. */
export function createPlainReporter(host: PlainHost): Reporter {
  const said: Said = { waiting: "", pull: "", nameWidth: 0, questions: new Set() };
  return {
    notify: (event) => {
      for (const line of linesFor(event, host, said)) host.write(`${line}\n`);
    },
    ask: (question, signal) => ask(question, host, signal),
  };
}

function linesFor(event: ProgressEvent, host: PlainHost, said: Said): readonly string[] {
  switch (event.kind) {
    case "proposed":
      return [renderPlan(event.plan, { paint: host.paint, wide: false })];
    case "pass-planned":
      return passLines(event.pass, event.plan, host, said);
    case "action-started":
      return startLines(event.action, host);
    case "action-ended":
      return endLines(event, host, said);
    case "failed-worker":
      return failedLines(event, host);
    case "pull-progress":
      return pullLines(`${event.image}: ${event.line}`, host, said);
    case "waiting":
      return waitingLines(event.waitingFor.join("; "), host, said);
    case "lock-waiting":
      return [`waiting for the lock, held by ${printable(event.holder)}`];
    case "notice":
      return noticeLines(event, host);
    case "status":
      return [];
  }
}

function passLines(pass: number, plan: Plan, host: PlainHost, said: Said): readonly string[] {
  const names = [...plan.actions, ...plan.deferred].map((action) => subjectOf(action).length);
  said.nameWidth = Math.max(said.nameWidth, ...names);
  if (host.verbosity !== "verbose") return [];
  const left = plan.deferred.length === 0 ? "" : `, ${plan.deferred.length} deferred`;
  return [`pass ${pass}: ${plural(plan.actions.length, "action")}${left}`];
}

/** A pull can take long, so its start is told; of the others only when asked for. */
function startLines(action: Action, { verbosity }: PlainHost): readonly string[] {
  if (verbosity === "quiet") return [];
  if (action.kind === "pull-image") return [`pulling ${printable(action.image)}`];
  return verbosity === "verbose" ? [printable(`${action.id} ...`)] : [];
}

function endLines(
  { action, outcome, milliseconds }: ProgressEvent & { readonly kind: "action-ended" },
  { paint, verbosity }: PlainHost,
  said: Said,
): readonly string[] {
  if (verbosity === "quiet" && outcome.kind !== "failed") return [];
  if (verbosity !== "verbose" && isRoutine(action, outcome, said.questions)) return [];
  const { word, tone, why } = outcomeWords(action, outcome);
  const verb = paint(tone, word.padEnd(VERB_WIDTH));
  const name = printable(subjectOf(action)).padEnd(said.nameWidth);
  return [`${verb}  ${name}  ${printable(why)}  ${paint("faint", formatElapsed(milliseconds))}`];
}

/** A question changes nothing, and may be asked every other second; what hinders it is told once. */
function isRoutine(action: Action, outcome: ActionOutcome, told: Set<string>): boolean {
  if (action.kind !== "probe" || outcome.kind !== "done") return false;
  const trouble = outcome.words && `${subjectOf(action)}: ${outcome.words}`;
  const isNew = trouble !== undefined && !told.has(trouble);
  if (isNew) told.add(trouble);
  return !isNew;
}

const DONE = {
  "pull-image": { word: "pulled", tone: "add" },
  create: { word: "created", tone: "add" },
  start: { word: "started", tone: "add" },
  arm: { word: "armed", tone: "change" },
  disarm: { word: "disarmed", tone: "change" },
  rename: { word: "renamed", tone: "change" },
  quiet: { word: "quieted", tone: "change" },
  probe: { word: "asked", tone: "faint" },
  "update-in-place": { word: "updated", tone: "change" },
  signal: { word: "signalled", tone: "remove" },
  kill: { word: "killed", tone: "remove" },
  remove: { word: "removed", tone: "remove" },
} as const satisfies Record<ActionKind, { readonly word: string; readonly tone: Tone }>;

/** What a worker is after its name was changed. */
const RENAMED = {
  draining: { word: "draining", tone: "change" },
  stopping: DONE.rename,
  kept: { word: "kept", tone: "change" },
  failed: { word: "set aside", tone: "alert" },
  none: { word: "returned", tone: "add" },
} as const satisfies Record<
  (Action & { readonly kind: "rename" })["phase"],
  { readonly word: string; readonly tone: Tone }
>;

const VERB_WIDTH = "signalled".length;

function outcomeWords(
  action: Action,
  outcome: ActionOutcome,
): { readonly word: string; readonly tone: Tone; readonly why: string } {
  switch (outcome.kind) {
    case "done":
      return doneWords(action, outcome.words);
    case "failed":
      return { word: "failed", tone: "alert", why: `${action.kind}: ${outcome.message}` };
    case "uncertain":
      return { word: "uncertain", tone: "alert", why: `${action.kind}: ${outcome.message}` };
    case "dropped":
    case "skipped":
      return { word: outcome.kind, tone: "faint", why: `${action.kind}: ${outcome.because}` };
  }
}

function doneWords(action: Action, words: string | undefined) {
  const done = action.kind === "rename" ? RENAMED[action.phase] : DONE[action.kind];
  const why = whyText(action);
  return { ...done, why: words === undefined ? why : `${why}; ${words}` };
}

/** Told even where only failures are: what it wrote is where to look first. */
function failedLines(
  { name, because, lines }: ProgressEvent & { readonly kind: "failed-worker" },
  { paint }: PlainHost,
): readonly string[] {
  const why = because === "" ? "" : `: ${because}`;
  const heading = `${name} failed${why}; ${lines.length === 0 ? "it wrote nothing" : "the last it wrote:"}`;
  return [
    paint("alert", printable(heading)),
    ...lines.map((line) => `  ${paint("faint", "|")} ${printable(line)}`),
  ];
}

function pullLines(line: string, { verbosity }: PlainHost, said: Said): readonly string[] {
  if (verbosity !== "verbose" || line === said.pull) return [];
  said.pull = line;
  return [printable(line)];
}

function waitingLines(
  text: string,
  { paint, verbosity }: PlainHost,
  said: Said,
): readonly string[] {
  if (verbosity === "quiet" || text === said.waiting) return [];
  said.waiting = text;
  return text === "" ? [] : [paint("faint", `waiting for ${printable(text)}`)];
}

function noticeLines(
  { severity, message }: ProgressEvent & { readonly kind: "notice" },
  { paint, verbosity }: PlainHost,
): readonly string[] {
  if (severity === "warning") return [`${paint("change", "warning:")} ${printable(message)}`];
  return verbosity === "quiet" ? [] : [printable(message)];
}

/** Only a yes is a yes; with nobody to ask, the answer is the question's own. */
async function ask(
  { text, byDefault }: Question,
  host: PlainHost,
  signal: AbortSignal,
): Promise<boolean> {
  if (host.readAnswer === undefined) return byDefault;
  host.write(`${printable(text)} [y/N] `);
  const answer = await host.readAnswer(signal);
  return /^\s*y(es)?\s*$/i.test(answer ?? "");
}
