// When to look for a newer image, in Compose's words.

import type { PullPolicy } from "../../core/model.ts";
import { hintFor } from "../suggest.ts";
import { readDuration } from "./numbers.ts";
import { bad, good, type Reading } from "./reading.ts";

const DAY = 86_400;

const words: Readonly<Record<string, PullPolicy>> = {
  always: "always",
  missing: "missing",
  if_not_present: "missing",
  never: "never",
  daily: { kind: "every", seconds: DAY },
  weekly: { kind: "every", seconds: 7 * DAY },
};

/** `always`, `missing`, `if_not_present`, `never`, `daily`, `weekly`, or a time between askings: `every_12h`. */
export function readPullPolicy(text: string): Reading<PullPolicy> {
  if (text === "build") {
    return bad("is not possible: wgctl builds nothing", "build and push the image, write always");
  }
  if (text.startsWith("every_")) return readEvery(text.slice("every_".length));
  const policy = Object.hasOwn(words, text) ? words[text] : undefined;
  return policy === undefined
    ? bad("is no pull policy", hintFor(text, [...Object.keys(words), "every_12h"]))
    : good(policy);
}

function readEvery(text: string): Reading<PullPolicy> {
  const duration = readDuration(text);
  if (duration.ok && duration.value > 0) return good({ kind: "every", seconds: duration.value });
  return bad("names no time between askings", "write a duration, as in every_12h");
}
