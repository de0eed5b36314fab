// Limits of a process by the names that Linux has for them.

import { hintFor } from "../suggest.ts";
import { readInteger } from "./numbers.ts";
import { bad, good, type Reading } from "./reading.ts";

const names =
  "as core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack".split(
    " ",
  );

export function readUlimitName(text: string): Reading<string> {
  return names.includes(text)
    ? good(text)
    : bad("is no ulimit", hintFor(text, names, names.length));
}

/** A value in the unit that the kernel has for it; -1: no limit. */
export function readUlimit(text: string): Reading<number> {
  if (text === "-1") return good(-1);
  const value = readInteger(text, 0, Number.MAX_SAFE_INTEGER);
  return value.ok ? value : { ...value, hint: "write a plain number, or -1 for no limit" };
}
