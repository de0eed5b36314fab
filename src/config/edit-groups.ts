// Sets keys of groups in the text of their manifest, each group found by its UID. Writes no file, and decides no value.

import type { Problem } from "../core/model.ts";
import { interpolate } from "./interpolation.ts";
import { problemAt, problemOfFile } from "./problems.ts";
import {
  type EditedFile,
  type KeySetting,
  type KeysSet,
  openFile,
  problemsOf,
  setKeys,
} from "./set-keys.ts";
import { written } from "./splice-key.ts";
import { find, textAt } from "./tree.ts";

/** A key to set in the group with this UID. */
export type GroupEdit = Omit<KeySetting, "document"> & { readonly uid: string };

/** The text with every edit, or why not one of them can be made. */
export function editGroups(file: string, text: string, edits: readonly GroupEdit[]): KeysSet {
  const opened = openFile(file, text);
  const settings: KeySetting[] = [];
  const problems = [...problemsOf(opened)];
  if (problems.length > 0) return { kind: "failed", problems };
  for (const { uid, ...edit } of edits) {
    const setting = { ...edit, document: indexOf(uid, opened) };
    const problem = setting.document === -1 ? gone(file, uid) : fromVariable(setting, opened);
    if (problem === undefined) settings.push(setting);
    else problems.push(problem);
  }
  return problems.length > 0 ? { kind: "failed", problems } : setKeys(opened, settings);
}

function indexOf(uid: string, { documents }: EditedFile): number {
  return documents.findIndex(
    ({ root }) => root !== undefined && textAt(root, ["metadata", "uid"])?.toLowerCase() === uid,
  );
}

function gone(file: string, uid: string): Problem {
  return problemOfFile(file, {
    message: `the group with the uid ${uid} is not in it any more`,
    hint: "it was changed meanwhile; try again",
  });
}

function fromVariable(setting: KeySetting, file: EditedFile): Problem | undefined {
  const { document, path, value } = setting;
  const root = file.documents[document]?.root;
  const node = root && find(root, path)?.node;
  if (node?.kind !== "text" || !interpolate(node.text, () => "").hasVariables) return undefined;
  return problemAt(file.source, node.span, path, {
    message: `${path[1]} comes from a variable`,
    hint: `change the variable, or ${value === undefined ? "take it out" : `write ${path[1]}: ${written(value)} in its place`}`,
  });
}
