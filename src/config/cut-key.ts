// Where in a text a key of a mapping is to be taken out, so that nothing is left of what splice-key.ts writes. What the
// text means then is checked by set-keys.ts.

import { isInside, lineEndAfter, type Obstacle, type Splice } from "./splice-key.ts";
import type { Entry } from "./tree.ts";

/** The splice that takes `key` out of the mapping that is the value of an entry; undefined: it is not in there. */
export function cutKey(
  { key: section, value: map }: Entry,
  key: string,
  text: string,
): Splice | Obstacle | undefined {
  const old = map.kind === "map" ? map.entries.get(key) : undefined;
  if (old === undefined) return undefined;
  const isOwn = isInside(old.key, map.span) && map.span.start >= section.start;
  const isFlow = text.charAt(map.span.start) === "{";
  const end = endOf(old, text);
  const splice = isFlow ? cutInFlow(old, end, text) : cutLines(old, end, text);
  if (isOwn && splice !== undefined) return splice;
  return {
    span: old.key,
    message: `${key} cannot be taken out here`,
    hint: `take ${key} out by hand`,
  };
}

/** Where its value ends: that of a block reaches to what comes next. */
function endOf({ key, value }: Entry, text: string): number {
  const end = Math.max(key.end, value.span.end);
  return key.start + text.slice(key.start, end).trimEnd().length;
}

/** Its lines, from the line break before to what stands behind it in its last one. */
function cutLines({ key }: Entry, end: number, text: string): Splice | undefined {
  const before = /(\r?\n)[ \t]*$/.exec(text.slice(0, key.start));
  return before === null ? undefined : cut(before.index, lineEndAfter(text, end));
}

/** With the comma that parts it from its neighbour: its line where it has one for itself. */
function cutInFlow({ key }: Entry, end: number, text: string): Splice | undefined {
  const before = text.slice(0, key.start);
  const after = text.slice(end, lineEndAfter(text, end));
  const line = /(\r?\n)[ \t]*$/.exec(before);
  if (line !== null && /^[ \t]*,[ \t]*$/.test(after)) return cut(line.index, end + after.length);
  const comma = /,[ \t]*$/.exec(before);
  if (comma !== null) return cut(comma.index, end);
  const next = /^[ \t]*,[ \t]*/.exec(after);
  return next === null ? undefined : cut(key.start, end + next[0].length);
}

function cut(at: number, until: number): Splice {
  return { at, until, insert: "" };
}
