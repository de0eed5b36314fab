// What `restart` and `delete` say of each group: what the edit will lead to, or that there was nothing to edit.

import type { HandVerb } from "../app/by-hand.ts";
import type { DesiredGroup } from "../core/model.ts";
import { groupTitle, plural, printable } from "./text.ts";

/** One line: what the next apply makes of the manifest as it is now. */
export function aftermathLine(verb: HandVerb, group: DesiredGroup): string {
  const words = verb === "delete" ? AFTER_DELETE : afterRestart(group);
  return `${groupTitle(group.identity)}: ${words}\n`;
}

const AFTER_DELETE =
  "the next apply drains and removes its workers; once they are gone, its manifest can be removed.";

function afterRestart(group: DesiredGroup): string {
  if (group.kind === "invalid") return "nothing happens while its spec is invalid.";
  const { replicas, rollout, suspend } = group.spec;
  if (suspend) return "nothing is replaced while suspend is true.";
  if (rollout.paused) return "nothing is replaced while rollout.paused is true.";
  return `the next apply replaces its ${plural(replicas, "worker")}.`;
}

/** One line about a group that is being deleted already. */
export function settledLine({ identity, deletionTimestamp }: DesiredGroup): string {
  return `${groupTitle(identity)}: its deletionTimestamp is there already (${printable(deletionTimestamp ?? "")}).\n`;
}
