// The text of a plan for a person: groups, workers, reasons, template differences, forecast, summary.

import { shortRevision } from "../core/names.ts";
import type { Action, Block, Forecast, GroupPlan, Plan } from "../core/plan/types.ts";
import { whyText } from "./action-words.ts";
import { callArgument } from "./call-argument.ts";
import { diffText } from "./diff-text.ts";
import type { PlanRow, Timing, Verb } from "./plan-row.ts";
import { type GroupRows, planRows } from "./plan-rows.ts";
import { summaryLine, tallyWords } from "./plan-summary.ts";
import type { Paint, Tone } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";
import { type TemplateDiff, templateDiffs } from "./template-diff.ts";
import { formatDuration, groupTitle, plural, printable } from "./text.ts";

export type PlanLook = {
  readonly paint: Paint;
  /** Every engine call with what it waits for, and the groups that do not change. */
  readonly wide: boolean;
};

/** The whole plan, ending in a newline. */
export function renderPlan(plan: Plan, look: PlanLook): string {
  const groups = planRows(plan);
  const shown = groups.filter((each) => look.wide || isWorthShowing(each));
  const blocks = [
    ...shown.map((each) => renderGroup(each, plan, look)),
    ...orphanLines(plan, look),
    deferredLines(plan),
    [look.paint("strong", summaryLine(groups))],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function isWorthShowing({ kind, group }: GroupRows): boolean {
  return kind !== "unchanged" || group.foreign.length + group.notices.length > 0;
}

function renderGroup(each: GroupRows, plan: Plan, look: PlanLook): readonly string[] {
  const { group, rows } = each;
  return [
    heading(each, look),
    ...rowLines(rows, new Set(plan.deferred), look),
    ...blockLines(group, look),
    ...(rows.some(({ verb }) => verb === "replace") ? diffLines(group, look) : []),
    ...forecastLines(each),
  ];
}

/** `mailer  5 workers: 3 to create, 1 to replace  (generation 4, revision 1f2e3d4c)` */
function heading({ kind, group, rows }: GroupRows, { paint }: PlanLook): string {
  const { counts, generation, revision } = group;
  const size = group.leaving ?? plural(counts.desired, "worker");
  const about = kind === "changing" ? tallyWords(rows) : standingWords(kind, group);
  const version = revision === undefined ? "" : `, revision ${shortRevision(revision)}`;
  const facts = paint("faint", `(generation ${generation}${version})`);
  return `${paint("strong", groupTitle(group.identity))}  ${size}: ${about}  ${facts}`;
}

function standingWords(kind: Exclude<GroupRows["kind"], "changing">, group: GroupPlan): string {
  switch (kind) {
    case "unchanged":
      return "as declared";
    case "held":
      return "held";
    case "waiting":
      return group.waitingFor.length === 0
        ? "not as declared, and nothing to do now"
        : `waiting for ${group.waitingFor.join(", ")}`;
  }
}

const SIGNS = {
  pull: { sign: "+", tone: "add" },
  create: { sign: "+", tone: "add" },
  start: { sign: "+", tone: "add" },
  return: { sign: "+", tone: "add" },
  replace: { sign: "~", tone: "change" },
  update: { sign: "~", tone: "change" },
  arm: { sign: "~", tone: "change" },
  "set-aside": { sign: "-", tone: "alert" },
  remove: { sign: "-", tone: "remove" },
  ask: { sign: "?", tone: "faint" },
} as const satisfies Record<Verb, { readonly sign: string; readonly tone: Tone }>;

const TIMINGS = {
  now: "",
  deferred: "(deferred by the budget)",
  later: "(later)",
  stopping: "(stopping)",
} as const satisfies Record<Timing, string>;

function rowLines(
  rows: readonly PlanRow[],
  deferred: ReadonlySet<Action>,
  { paint, wide }: PlanLook,
): readonly string[] {
  const lines = renderTable(
    rows.map((row) => rowCells(row, wide)),
    { paint, indent: 2 },
  );
  if (!wide) return lines;
  return rows.flatMap((row, index) => [
    lines[index] ?? "",
    ...row.calls.map((call) => paint("faint", callLine(call, deferred.has(call)))),
  ]);
}

function rowCells(row: PlanRow, wide: boolean): readonly Cell[] {
  const { sign, tone } = SIGNS[row.verb];
  const why = wide ? whyText(row, Number.POSITIVE_INFINITY) : whyText(row);
  const notes = [row.isKept ? "(kept for return)" : "", TIMINGS[row.timing]];
  return [
    { text: `${sign} ${row.name}`, tone },
    row.verb.replace("-", " "),
    [why, ...notes.filter((note) => note !== "")].join("  "),
  ];
}

/** `      signal mailer-2-9a8b7c6d SIGTERM  after rename mailer-2-9a8b7c6d` */
function callLine(call: Action, isDeferred: boolean): string {
  const after = call.needs.length === 0 ? "" : `  after ${call.needs.join(", ")}`;
  const later = isDeferred ? "  (deferred)" : "";
  return printable(`      ${call.id}${callArgument(call)}${after}${later}`);
}

function blockLines(group: GroupPlan, { paint }: PlanLook): readonly string[] {
  const alerts = [
    ...group.blocks.map(({ code, message }: Block) => [code, message]),
    ...group.foreign.map(({ name, because }) => ["Foreign", `${name} is left alone: ${because}`]),
    ...group.notices.map((notice) => ["Notice", notice]),
  ];
  const rows = alerts.map(([code = "", message = ""]): readonly Cell[] => [
    { text: `! ${code}`, tone: "alert" },
    message,
  ]);
  return renderTable(rows, { paint, indent: 2 });
}

function diffLines(group: GroupPlan, look: PlanLook): readonly string[] {
  return templateDiffs(group).flatMap((diff) => ["", ...oneDiff(diff, look)]);
}

function oneDiff({ revisions, workers, hunks }: TemplateDiff, look: PlanLook): readonly string[] {
  const title = `    template of ${plural(workers, "worker")} (revision ${revisions.join(", ")}) -> declared`;
  const parts = hunks.map((lines) => lines.map((line) => diffText(line, look.paint)));
  return [
    look.paint("faint", title),
    ...parts.flatMap((lines, index) => (index === 0 ? lines : ["      ...", ...lines])),
  ];
}

function forecastLines({ kind, group }: GroupRows): readonly string[] {
  const sentence = kind === "changing" ? forecastSentence(group.forecast) : "";
  if (sentence === "") return [];
  const { obstacle } = group.forecast;
  const end = obstacle === undefined ? "" : `, and then it cannot go on: ${obstacle}`;
  return ["", `  ${sentence}${end}`];
}

/** `12 actions in 3 waves, at most 1m05s plus start-up time`; empty where nothing lies ahead. */
export function forecastSentence(ahead: Forecast): string {
  if (ahead.actions === 0) return "";
  const waves = ahead.waves > 1 ? ` in ${plural(ahead.waves, "wave")}` : "";
  const time = [
    ahead.worstCaseSeconds > 0 ? `at most ${formatDuration(ahead.worstCaseSeconds)}` : "",
    ahead.plusStartUp ? "start-up time" : "",
  ].filter((each) => each !== "");
  return `${plural(ahead.actions, "action")}${waves}${time.length === 0 ? "" : `, ${time.join(" plus ")}`}`;
}

function orphanLines({ orphans }: Plan, { paint }: PlanLook): readonly (readonly string[])[] {
  const rows = orphans.map(({ identity, workers }): readonly Cell[] => [
    { text: `! ${groupTitle(identity)}`, tone: "alert" },
    `${plural(workers, "worker")} on the engine and no manifest; --prune removes them`,
  ]);
  return [renderTable(rows, { paint })];
}

function deferredLines({ deferred }: Plan): readonly string[] {
  if (deferred.length === 0) return [];
  return [`The budget leaves ${plural(deferred.length, "action")} for the next pass.`];
}
