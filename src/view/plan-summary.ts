// The sums of a plan: what happens to how many workers, in a heading and in the last line.

import type { PlanRow, Verb } from "./plan-row.ts";
import type { GroupRows } from "./plan-rows.ts";
import { groupTitle, plural } from "./text.ts";

/** How many rows there are of each verb. */
export type Tally = Readonly<Record<Verb, number>>;

const WORDS = {
  pull: "to pull",
  create: "to create",
  start: "to start",
  return: "to return",
  replace: "to replace",
  update: "to update in place",
  arm: "to arm again",
  "set-aside": "to set aside",
  remove: "to remove",
  ask: "to ask",
} as const satisfies Record<Verb, string>;

/** What the summary always says, also when it is none. */
const ALWAYS: readonly Verb[] = ["create", "replace", "remove"];

/** Counts rows by verb. */
export function tally(rows: readonly PlanRow[]): Tally {
  const count = (verb: Verb) => rows.filter((row) => row.verb === verb).length;
  return {
    pull: count("pull"),
    create: count("create"),
    start: count("start"),
    return: count("return"),
    replace: count("replace"),
    update: count("update"),
    arm: count("arm"),
    "set-aside": count("set-aside"),
    remove: count("remove"),
    ask: count("ask"),
  };
}

/** `3 to create, 1 to replace`: what there is, and nothing else. */
export function tallyWords(rows: readonly PlanRow[]): string {
  const counts = tally(rows);
  return verbs()
    .filter((verb) => counts[verb] > 0)
    .map((verb) => phrase(verb, counts))
    .join(", ");
}

/** The last line: `Plan: 3 to create, 1 to replace, 0 to remove, 2 groups unchanged.` */
export function summaryLine(groups: readonly GroupRows[]): string {
  const counts = tally(groups.flatMap((each) => each.rows));
  const changes = verbs().filter((verb) => counts[verb] > 0);
  if (changes.length === 0) return standstill(groups);
  const named = verbs().filter((verb) => counts[verb] > 0 || ALWAYS.includes(verb));
  const others = (["held", "waiting", "unchanged"] as const).flatMap((kind) => {
    const number = groups.filter((each) => each.kind === kind).length;
    return number === 0 ? [] : [`${plural(number, "group")} ${kind}`];
  });
  return `Plan: ${[...named.map((verb) => phrase(verb, counts)), ...others].join(", ")}.`;
}

function verbs(): readonly Verb[] {
  return [
    ...(["pull", "create", "start", "return", "replace"] as const),
    ...(["update", "arm", "set-aside", "remove", "ask"] as const),
  ];
}

function phrase(verb: Verb, counts: Tally): string {
  const noun = verb === "pull" ? `${plural(counts.pull, "image")} ` : `${counts[verb]} `;
  return `${noun}${WORDS[verb]}`;
}

function standstill(groups: readonly GroupRows[]): string {
  if (groups.length === 0) return "No changes. No group is declared.";
  const held = groups.filter((each) => each.kind === "held");
  const waiting = groups.filter((each) => each.kind === "waiting");
  if (held.length + waiting.length === 0) return converged(groups);
  const parts = [
    held.length === 0 ? "" : `${names(held)} held`,
    waiting.length === 0 ? "" : `${names(waiting)} not converged yet`,
  ];
  return `Nothing to do now: ${parts.filter((part) => part !== "").join(", ")}.`;
}

function converged(groups: readonly GroupRows[]): string {
  const workers = groups.reduce((sum, { group }) => sum + group.counts.desired, 0);
  const areConverged = workers === 1 ? "is converged" : "are converged";
  return `No changes. ${plural(workers, "worker")} in ${plural(groups.length, "group")} ${areConverged}.`;
}

function names(groups: readonly GroupRows[]): string {
  return groups.map(({ group }) => groupTitle(group.identity)).join(", ");
}
