// How the templates of a group's old workers differ from the desired one, once for each distinct old template.

import { structuredPatch } from "diff";
import type { Json } from "../core/canonical.ts";
import { hideDigests } from "../core/file-mounts.ts";
import { shortRevision } from "../core/names.ts";
import type { GroupPlan } from "../core/plan/types.ts";
import { parseTemplate } from "../core/revision.ts";
import { hideSeals } from "../core/seal.ts";
import type { Worker } from "../core/worker.ts";
import { templateLines } from "./template-lines.ts";

const CONTEXT_LINES = 2;

/** One line of a difference; `around` shows where it is. */
export type DiffLine = { readonly kind: "added" | "removed" | "around"; readonly text: string };

export type TemplateDiff = {
  /** Short revisions of the workers that have this old template, sorted. */
  readonly revisions: readonly string[];
  readonly workers: number;
  /** One list of lines for each place that differs. */
  readonly hunks: readonly (readonly DiffLine[])[];
};

/** The differences that a group's plan rests on; none where no valid template is declared. */
export function templateDiffs(group: GroupPlan): readonly TemplateDiff[] {
  const { desired } = group;
  if (desired?.kind !== "valid") return [];
  const byTemplate = new Map<string, Worker[]>();
  for (const worker of group.workers.filter(hasOldTemplate)) {
    const { template } = worker.labels;
    const sharing = byTemplate.get(template);
    if (sharing === undefined) byTemplate.set(template, [worker]);
    else sharing.push(worker);
  }
  return [...byTemplate].map(([label, workers]) => ({
    revisions: [...new Set(workers.map(({ labels }) => shortRevision(labels.revision)))].sort(),
    workers: workers.length,
    hunks: diffHunks(parseTemplate(label), desired.spec.template),
  }));
}

function hasOldTemplate({ differences, labels }: Worker): boolean {
  // A label that is no JSON has nothing to show.
  const isOld = differences.some(({ kind }) => kind === "template" || kind === "file");
  return isOld && parseTemplate(labels.template) !== null;
}

/** The places at which two templates differ, each below the keys it stands under. */
export function diffHunks(old: Json, desired: Json): readonly (readonly DiffLine[])[] {
  const before = templateLines(old);
  const { hunks } = structuredPatch(
    "",
    "",
    joined(before),
    joined(templateLines(desired)),
    "",
    "",
    {
      context: CONTEXT_LINES,
    },
  );
  return hunks.map(({ oldStart, lines }) => [
    ...keysAbove(before, oldStart - 1).map((text): DiffLine => ({ kind: "around", text })),
    ...lines.map(diffLine),
  ]);
}

function joined(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function diffLine(line: string): DiffLine {
  const text = hideDigests(hideSeals(line.slice(1), "(sensitive)"), "(not shown)");
  if (line.startsWith("+")) return { kind: "added", text: changedText(line.slice(1)) };
  if (line.startsWith("-")) return { kind: "removed", text };
  return { kind: "around", text };
}

function changedText(line: string): string {
  return hideDigests(hideSeals(line, "(sensitive, changed)"), "(changed)");
}

/** The lines less and less indented before a line: the keys it stands under, outermost first. */
function keysAbove(lines: readonly string[], index: number): readonly string[] {
  const keys: string[] = [];
  let depth = indentOf(lines[index] ?? "");
  for (let above = index - 1; above >= 0 && depth > 0; above -= 1) {
    const line = lines[above] ?? "";
    if (indentOf(line) >= depth) continue;
    depth = indentOf(line);
    keys.unshift(line);
  }
  return keys;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
