// Deals the budget of a pass: round robin over groups, finishing and starting before new retirements.

import type { DraftedGroup } from "./plan-group.ts";
import type { Action } from "./types.ts";

export type Dealt = { readonly actions: readonly Action[]; readonly deferred: readonly Action[] };

/**
 * Splits the actions into those of this pass and those left for the next. Each group's order is kept, so
 * whatever is cut off never leaves an action without those it needs.
 */
export function deal(groups: readonly DraftedGroup[], budget: number): Dealt {
  const isPruned = (group: DraftedGroup) => group.plan.leaving === "pruned";
  const declared = groups.filter((group) => !isPruned(group));
  const pruned = groups.filter(isPruned);
  const all = [
    ...interleave(declared.map((group) => group.urgent)),
    ...interleave(declared.map((group) => group.retirements)),
    ...interleave(pruned.map((group) => [...group.urgent, ...group.retirements])),
  ];
  return { actions: all.slice(0, budget), deferred: all.slice(budget) };
}

function interleave(lists: readonly (readonly Action[])[]): readonly Action[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  );
  return rounds.flat();
}
