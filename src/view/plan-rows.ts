// Turns a plan into rows, one for each worker that something happens to. Says nothing that the plan does not hold.

import { plainName, readPhase } from "../core/names.ts";
import type { Action, GroupPlan, Plan } from "../core/plan/types.ts";
import { subjectOf } from "./action-words.ts";
import { laterRows } from "./plan-later.ts";
import { isReplaced, type PlanRow, type Timing, type Verb } from "./plan-row.ts";

/** A group is `changing` with rows, `held` by blocks without any, `waiting` for the engine, or as declared. */
export type GroupRows = {
  readonly kind: "changing" | "held" | "waiting" | "unchanged";
  readonly group: GroupPlan;
  readonly rows: readonly PlanRow[];
};

/** Rows of every group, in the plan's order of groups, then by slot. */
export function planRows(plan: Plan): readonly GroupRows[] {
  return plan.groups.map((group) => {
    const isOfGroup = (action: Action) => action.group === group.identity.uid;
    const planned = rowsOfActions(group, plan.actions.filter(isOfGroup), "now");
    const rest = rowsOfActions(group, plan.deferred.filter(isOfGroup), "deferred");
    const done = join(planned, rest);
    const rows = absorbCreates([...done, ...laterRows(group, done)]).sort(bySlotAndName);
    return { kind: kindOf(group, rows), group, rows };
  });
}

function kindOf(group: GroupPlan, rows: readonly PlanRow[]): GroupRows["kind"] {
  if (rows.length > 0) return "changing";
  if (group.blocks.length > 0) return "held";
  return group.converged ? "unchanged" : "waiting";
}

function rowsOfActions(
  group: GroupPlan,
  actions: readonly Action[],
  timing: Timing,
): readonly PlanRow[] {
  const bySubject = new Map<string, Action[]>();
  for (const action of actions) {
    const name = subjectOf(action);
    const calls = bySubject.get(name);
    if (calls === undefined) bySubject.set(name, [action]);
    else calls.push(action);
  }
  return [...bySubject].flatMap(([name, calls]) => rowOf(group, name, calls, timing));
}

function rowOf(
  group: GroupPlan,
  name: string,
  calls: readonly Action[],
  timing: Timing,
): readonly PlanRow[] {
  const [first] = calls;
  if (first === undefined) return [];
  const { slot, reason, detail, paths } = first;
  const about = { name, slot, reason, detail, paths, calls };
  const verb = verbOf(group, calls, first);
  if (calls.every(isGoingOn)) return [{ verb, ...about, timing: "stopping" }];
  return [{ verb, ...about, timing, ...(calls.some(isKeeping) && { isKept: true }) }];
}

/** It drains by itself, and only the question whether it has done is new. */
function isGoingOn(call: Action): boolean {
  return call.kind === "probe" && call.asks === "drained";
}

function isKeeping(call: Action): boolean {
  return call.kind === "rename" && call.phase === "kept";
}

function isReturning(call: Action): boolean {
  if (call.kind === "start") return readsKept(call.name);
  return call.kind === "rename" && call.phase === "none";
}

function readsKept(name: string): boolean {
  const read = readPhase(name, plainName(name));
  return read.kind === "own" && read.phase?.kind === "kept";
}

function verbOf(group: GroupPlan, calls: readonly Action[], first: Action): Verb {
  const kinds = new Set(calls.map((call) => call.kind));
  if (kinds.has("pull-image")) return "pull";
  // A worker that did not fail is followed by one of the same name.
  if (kinds.has("create")) return kinds.has("remove") ? "replace" : "create";
  if (calls.some(isReturning)) return "return";
  if (kinds.has("start")) return "start";
  if (first.reason === "failed" && !kinds.has("remove")) return "set-aside";
  if (kinds.has("arm")) return "arm";
  if (calls.every(({ kind }) => kind === "update-in-place")) return "update";
  if (calls.every((call) => call.kind === "probe" && call.asks === "idle")) return "ask";
  return isReplaced(group, first.slot, first.reason) ? "replace" : "remove";
}

/** A worker whose calls the budget cut in two is one row, and it happens now. */
function join(planned: readonly PlanRow[], rest: readonly PlanRow[]): readonly PlanRow[] {
  const restByName = new Map(rest.map((row) => [row.name, row]));
  const names = new Set(planned.map((row) => row.name));
  return [
    ...planned.map((row) => ({
      ...row,
      calls: [...row.calls, ...(restByName.get(row.name)?.calls ?? [])],
    })),
    ...rest.filter((row) => !names.has(row.name)),
  ];
}

/** The create that follows a replaced worker in its slot belongs to that worker's row. */
function absorbCreates(rows: readonly PlanRow[]): PlanRow[] {
  const creates = new Map<number, PlanRow>();
  for (const row of rows) if (row.verb === "create") creates.set(row.slot, row);
  const absorbed = new Set<PlanRow>();
  const merged = rows.map((row) => {
    const create = row.verb === "replace" ? creates.get(row.slot) : undefined;
    if (create === undefined || absorbed.has(create)) return row;
    absorbed.add(create);
    return {
      ...row,
      timing: sooner(row.timing, create.timing),
      calls: [...row.calls, ...create.calls],
    };
  });
  return merged.filter((row) => !absorbed.has(row));
}

function sooner(one: Timing, other: Timing): Timing {
  return one === "now" || other === "now" ? "now" : one;
}

function bySlotAndName(one: PlanRow, other: PlanRow): number {
  return one.slot - other.slot || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
}
