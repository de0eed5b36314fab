// The status of groups as a table for a person. What was not observed is shown as unknown, never as zero.

import { shortRevision } from "../core/names.ts";
import type { Condition, GroupStatus, StatusDocument, WorkerRecord } from "../core/status-types.ts";
import { fromIso } from "../core/time.ts";
import type { Paint, Tone } from "./style.ts";
import { type Cell, renderTable } from "./table.ts";
import { formatDuration, groupTitle } from "./text.ts";

export type StatusLook = {
  readonly paint: Paint;
  /** Workers and conditions of each group below the table. */
  readonly wide: boolean;
  /** Columns of the terminal, which the narrow form keeps to; undefined: no limit. */
  readonly width: number | undefined;
  /** Engine time (ms) that ages count to; undefined: times are shown as they are. */
  readonly now: number | undefined;
};

const HEADINGS = [
  "GROUP",
  "READY",
  "AVAILABLE",
  "UPDATED",
  "REVISION",
  "STATE",
  "MESSAGE",
] as const;

/** The whole status, ending in a newline. */
export function renderStatus(status: StatusDocument, look: StatusLook): string {
  if (status.groups.length === 0) return "No group is declared.\n";
  const rows = [headings(HEADINGS), ...status.groups.map(groupCells)];
  const table = renderTable(rows, look.wide ? { paint: look.paint } : look);
  const details = look.wide ? status.groups.flatMap((group) => groupDetails(group, look)) : [];
  return `${[...table, ...details].join("\n")}\n`;
}

function headings(titles: readonly string[]): readonly Cell[] {
  return titles.map((text): Cell => ({ text, tone: "strong" }));
}

function groupCells(group: GroupStatus): readonly Cell[] {
  const { counts, revisions } = group;
  const ready = conditionOf(group, "Ready");
  const of = (reached: number) => `${isUnknown(ready) ? "?" : reached}/${counts.desired}`;
  return [
    groupTitle(group),
    of(counts.ready),
    of(counts.available),
    of(counts.updated),
    revisions.desired === null ? "-" : shortRevision(revisions.desired),
    stateCell(ready),
    ready?.message ?? "",
  ];
}

function conditionOf(group: GroupStatus, type: Condition["type"]): Condition | undefined {
  return group.conditions.find((condition) => condition.type === type);
}

/** A group nobody has judged is as unknown as one whose engine does not answer. */
function isUnknown(ready: Condition | undefined): boolean {
  return ready === undefined || ready.status === "Unknown";
}

function stateCell(ready: Condition | undefined): Cell {
  if (ready === undefined || ready.status === "Unknown") return { text: "Unknown", tone: "alert" };
  if (ready.status === "True") return { text: ready.reason, tone: "good" };
  return { text: ready.reason, tone: GOES_ON.has(ready.reason) ? "change" : "alert" };
}

/** Not there yet, and nothing wrong. */
const GOES_ON: ReadonlySet<Condition["reason"]> = new Set(["Progressing", "Terminating"]);

function groupDetails(group: GroupStatus, look: StatusLook): readonly string[] {
  const title = look.paint("strong", groupTitle(group));
  const versions = `  generation ${group.generation}, observed ${group.observedGeneration}, last converged ${group.lastConvergedGeneration ?? "never"}`;
  return [
    "",
    `${title}${versions}${group.commit === null ? "" : `, commit ${group.commit}`}`,
    ...workerLines(group, look),
    ...conditionLines(group, look),
  ];
}

function workerLines({ workers }: GroupStatus, look: StatusLook): readonly string[] {
  if (workers.length === 0) return [];
  const titles = headings(["WORKER", "SLOT", "STATE", look.now === undefined ? "STARTED" : "AGE"]);
  const rows = workers.map((worker): readonly Cell[] => [
    worker.name,
    String(worker.slot),
    { text: stateText(worker), tone: STATE_TONES[worker.state] },
    ageText(worker, look.now),
  ]);
  return renderTable([titles, ...rows], { paint: look.paint, indent: 2 });
}

function stateText({ state, exitCode, updated }: WorkerRecord): string {
  const code = exitCode === null ? "" : ` (${exitCode})`;
  return `${state}${code}${updated ? "" : ", old revision"}`;
}

const STATE_TONES = {
  Created: "change",
  StartFailed: "alert",
  Starting: "change",
  Ready: "change",
  Available: "good",
  Unhealthy: "alert",
  CrashLooping: "alert",
  Exited: "alert",
  Completed: "good",
  Paused: "alert",
  Draining: "faint",
  Stopping: "faint",
  Kept: "faint",
  Failed: "alert",
  Removing: "faint",
  Dead: "alert",
} as const satisfies Record<WorkerRecord["state"], Tone>;

function ageText({ startedAt }: WorkerRecord, now: number | undefined): string {
  if (startedAt === null) return "-";
  const since = fromIso(startedAt);
  if (now === undefined || since === undefined) return startedAt;
  // A worker just started can seem to start in the future: the engine's clock comes to the second.
  return formatDuration(Math.max(0, (now - since) / 1000));
}

function conditionLines({ conditions }: GroupStatus, look: StatusLook): readonly string[] {
  if (conditions.length === 0) return [];
  const titles = headings(["CONDITION", "STATUS", "GENERATION", "REASON", "MESSAGE"]);
  const rows = conditions.map((each): readonly Cell[] => [
    each.type,
    each.status === "Unknown" ? { text: each.status, tone: "alert" } : each.status,
    String(each.observedGeneration),
    each.reason,
    each.message,
  ]);
  return renderTable([titles, ...rows], { paint: look.paint, indent: 2 });
}
