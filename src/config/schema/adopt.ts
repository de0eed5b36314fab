// The schema of adopt: the containers that a group's workers take the place of.

import * as z from "zod/mini";
import { bad, good, type Reading } from "../forms/reading.ts";
import { leaf, rule } from "./parts.ts";

/** Only a whole id stands for one container for ever: names pass on, and beginnings of ids may come to fit two. */
function readContainerId(text: string): Reading<string> {
  if (/^[0-9a-f]{64}$/.test(text)) return good(text);
  return bad("is no whole container id", "let `wgctl adopt GROUP --from NAME` write it");
}

export const containerIds = z.array(leaf(readContainerId)).check(
  rule<readonly string[]>((ids, complain) => {
    for (const [index, id] of ids.entries()) {
      const first = ids.indexOf(id);
      if (id !== undefined && first < index)
        complain([index], `the container of the ${ordinal(first)} entry once more`, {
          hint: "take one of them out",
        });
    }
  }),
);

const ORDINALS = ["first", "second", "third"];

function ordinal(index: number): string {
  return ORDINALS[index] ?? `${index + 1}th`;
}
