// Manifests with the edits of a command in them, made in memory: nothing is written before all of them can be.

import type { ManifestEdits } from "../app/by-hand.ts";
import { editGroups } from "../config/edit-groups.ts";
import type { DesiredGroup, Problem } from "../core/model.ts";
import { type EditableFile, openEditable, requireWritable } from "./edited-file.ts";
import { type Host, showProblems } from "./host.ts";

export type Edited = {
  readonly edited: EditableFile;
  /** What is to be written. */
  readonly text: string;
  readonly groups: readonly DesiredGroup[];
};

/** Every edit made in memory, and every file found to be writable; undefined where one cannot be made. */
export async function prepareAll(
  host: Host,
  manifests: readonly ManifestEdits[],
): Promise<readonly Edited[] | undefined> {
  const prepared: Edited[] = [];
  const problems: Problem[] = [];
  for (const { file, edits, groups } of manifests) {
    const edited = await openEditable(file);
    await requireWritable(edited);
    const result = editGroups(file, edited.text, edits);
    if (result.kind === "set") prepared.push({ edited, text: result.text, groups });
    else problems.push(...result.problems);
  }
  showProblems(host, problems);
  return problems.length === 0 ? prepared : undefined;
}
