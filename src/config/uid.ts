// Writes missing UIDs into the text of a manifest by splicing: to parse and print it again would change comments,
// quotes, `0644` and long numbers. Never touches a UID that is there. Writes no file.

import type { Problem } from "../core/model.ts";
import { isOurs } from "./kinds.ts";
import { problemAt, spanOf } from "./problems.ts";
import { makeSource, placeAt, type Source } from "./source.ts";
import { type Entry, find, type MapNode, type Node, textAt } from "./tree.ts";
import { parseYaml } from "./yaml.ts";

export type WrittenUid = { readonly name: string; readonly uid: string; readonly line: number };

export type UidWriting =
  /** `uids` is empty where none was missing; the text is then the same. */
  | { readonly kind: "written"; readonly text: string; readonly uids: readonly WrittenUid[] }
  | { readonly kind: "failed"; readonly problems: readonly Problem[] };

type Splice = {
  readonly at: number;
  readonly insert: string;
  readonly name: string;
  readonly uid: string;
};

/** Gives every WorkerGroup and Project of a file that has no UID one from `makeUid`, each on the line after its name. */
export function writeUids(file: string, text: string, makeUid: () => string): UidWriting {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const source = makeSource(file, text.slice(mark.length));
  const problems: Problem[] = [];
  const splices: Splice[] = [];
  for (const document of parseYaml(source)) {
    problems.push(...document.problems.map(({ problem }) => problem));
    const root = document.root;
    if (root === undefined || !isOurs(root) || textAt(root, ["metadata", "uid"])) continue;
    const splice = findSplice(root, source, makeUid());
    if ("at" in splice) splices.push(splice);
    else problems.push(splice);
  }
  if (problems.length > 0) return { kind: "failed", problems };
  return {
    kind: "written",
    text: mark + applySplices(source.text, splices),
    uids: describe(source, splices),
  };
}

function applySplices(text: string, splices: readonly Splice[]): string {
  let spliced = "";
  let from = 0;
  for (const { at, insert } of splices) {
    spliced += text.slice(from, at) + insert;
    from = at;
  }
  return spliced + text.slice(from);
}

/** Lines are those of the new text: each splice before may have moved them by one. */
function describe(source: Source, splices: readonly Splice[]): readonly WrittenUid[] {
  let added = 0;
  return splices.map(({ at, insert, name, uid }) => {
    added += insert.split("\n").length - 1;
    return { name, uid, line: placeAt(source, at).line + added };
  });
}

function findSplice(root: Node, source: Source, uid: string): Splice | Problem {
  const metadata = find(root, ["metadata"])?.node;
  const name = textAt(root, ["metadata", "name"]);
  const own = metadata?.kind === "map" ? ownName(metadata) : undefined;
  if (metadata?.kind !== "map" || own === undefined || name === undefined) {
    return problemAt(source, spanOf(root, ["metadata"], "key"), ["metadata"], {
      message: "no place to write a uid to",
      hint: "write metadata with a name in it, not merged from elsewhere",
    });
  }
  const empty = metadata.entries.get("uid");
  return { ...place(metadata, own, empty, source, uid), name, uid };
}

/** The entry of the name where it stands in this mapping itself. */
function ownName(metadata: MapNode): Entry | undefined {
  const name = metadata.entries.get("name");
  const { start, end } = metadata.span;
  return name !== undefined && name.key.start >= start && name.value.span.end <= end
    ? name
    : undefined;
}

function place(
  metadata: MapNode,
  name: Entry,
  empty: Entry | undefined,
  { text, lineStarts }: Source,
  uid: string,
): Pick<Splice, "at" | "insert"> {
  if (empty !== undefined) return { at: text.indexOf(":", empty.key.end) + 1, insert: ` ${uid}` };
  if (text.charAt(metadata.span.start) === "{")
    return { at: name.value.span.end, insert: `, uid: ${uid}` };
  const lineEnd = text.indexOf("\n", name.value.span.end);
  const end = lineEnd === -1 ? text.length : lineEnd;
  const at = text.charAt(end - 1) === "\r" ? end - 1 : end;
  const newLine = text.slice(0, lineStarts[1] ?? 0).endsWith("\r\n") ? "\r\n" : "\n";
  const lineStart = text.lastIndexOf("\n", name.key.start - 1) + 1;
  return { at, insert: `${newLine}${" ".repeat(name.key.start - lineStart)}uid: ${uid}` };
}
