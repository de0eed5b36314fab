// Writes missing UIDs into the text of a manifest. Never touches a UID that is there. Writes no file.

import type { Problem } from "../core/model.ts";
import { isOurs } from "./kinds.ts";
import { problemAt, spanOf } from "./problems.ts";
import { type KeySetting, openFile, problemsOf, setKeys } from "./set-keys.ts";
import type { Source } from "./source.ts";
import { find, type MapNode, type Node, textAt } from "./tree.ts";

export type WrittenUid = { readonly name: string; readonly uid: string; readonly line: number };

export type UidWriting =
  /** `uids` is empty where none was missing; the text is then the same. */
  | { readonly kind: "written"; readonly text: string; readonly uids: readonly WrittenUid[] }
  | { readonly kind: "failed"; readonly problems: readonly Problem[] };

/** Gives every WorkerGroup and Project of a file that has no UID one from `makeUid`, each on the line after its name. */
export function writeUids(file: string, text: string, makeUid: () => string): UidWriting {
  const opened = openFile(file, text);
  const problems = [...problemsOf(opened)];
  const settings: NamedSetting[] = [];
  for (const [document, { root }] of opened.documents.entries()) {
    if (root === undefined || !isOurs(root) || textAt(root, ["metadata", "uid"])) continue;
    const name = ownName(root);
    if (name === undefined) problems.push(describeMissing(root, opened.source));
    else settings.push({ ...uidSetting, document, name, value: makeUid() });
  }
  if (problems.length > 0) return { kind: "failed", problems };
  const result = setKeys(opened, settings);
  if (result.kind === "failed") return result;
  return { kind: "written", text: result.text, uids: describe(settings, result.lines) };
}

type NamedSetting = KeySetting & { readonly name: string; readonly value: string };

const uidSetting = { path: ["metadata", "uid"], below: "name" } as const;

function describe(
  settings: readonly NamedSetting[],
  lines: readonly number[],
): readonly WrittenUid[] {
  return settings.map(({ name, value }, index) => ({ name, uid: value, line: lines[index] ?? 0 }));
}

function describeMissing(root: Node, source: Source): Problem {
  return problemAt(source, spanOf(root, ["metadata"], "key"), ["metadata"], {
    message: "no place to write a uid to",
    hint: "write metadata with a name in it, not merged from elsewhere",
  });
}

/** The name where it stands in this mapping itself. */
function ownName(root: Node): string | undefined {
  const metadata = find(root, ["metadata"])?.node;
  return metadata?.kind === "map" && hasOwn(metadata, "name")
    ? textAt(metadata, ["name"])
    : undefined;
}

function hasOwn({ entries, span: { start, end } }: MapNode, key: string): boolean {
  const entry = entries.get(key);
  return entry !== undefined && entry.key.start >= start && entry.value.span.end <= end;
}
