// Plans and progress as plain JSON values for machines; whoever prints them chooses JSON or YAML. The status document
// is such a value already.

import type { ProgressEvent } from "../app/reporter.ts";
import type { Json } from "../core/canonical.ts";
import type { Action, GroupPlan, Plan } from "../core/plan/types.ts";
import { toIso } from "../core/time.ts";
import { planRows } from "./plan-rows.ts";
import { tally } from "./plan-summary.ts";

/** Raised when a reader of an older form would misread the new one. */
const FORMAT_VERSION = 1;

type JsonObject = { readonly [key: string]: Json };

/** The plan: times are ISO 8601, what is not known is null, actions stand in the order they are done. */
export function planJson(plan: Plan): JsonObject {
  return {
    formatVersion: FORMAT_VERSION,
    kind: "Plan",
    now: toIso(plan.now),
    summary: tally(planRows(plan).flatMap((group) => group.rows)),
    groups: plan.groups.map(groupJson),
    actions: plan.actions.map(actionJson),
    deferred: plan.deferred.map(actionJson),
    orphans: plan.orphans.map(({ identity, workers }) => ({ ...identity, workers })),
  };
}

function groupJson(group: GroupPlan): JsonObject {
  const { uid, namespace, name } = group.identity;
  return {
    uid,
    namespace,
    name,
    leaving: group.leaving ?? null,
    generation: group.generation,
    revision: group.revision ?? null,
    imageId: group.imageId ?? null,
    converged: group.converged,
    counts: group.counts,
    blocks: group.blocks.map(({ code, message }) => ({ code, message })),
    notices: group.notices,
    foreign: group.foreign.map(({ id, name: called, because }) => ({ id, name: called, because })),
    waitingFor: group.waitingFor,
    dueAt: group.dueAt === undefined ? null : toIso(group.dueAt),
    forecast: { ...group.forecast, obstacle: group.forecast.obstacle ?? null },
  };
}

function actionJson(action: Action): JsonObject {
  const { id, kind, group, slot, reason, detail, paths, needs } = action;
  return { id, kind, group, slot, reason, detail, paths, needs, ...callJson(action) };
}

function callJson(action: Action): JsonObject {
  switch (action.kind) {
    case "pull-image":
      return { image: action.image };
    case "create":
      return { worker: action.worker };
    case "start":
      return { name: action.name, target: action.target ? targetJson(action.target) : null };
    case "arm":
      return { target: targetJson(action.target), policy: action.policy };
    case "rename":
      return { target: targetJson(action.target), phase: action.phase };
    case "signal":
      return { target: targetJson(action.target), signal: action.signal };
    case "quiet":
      return { target: targetJson(action.target), by: action.by };
    case "probe":
      return { target: targetJson(action.target), asks: action.asks, exec: action.exec };
    case "update-in-place":
      return { target: targetJson(action.target), limits: action.limits };
    case "disarm":
    case "kill":
    case "remove":
      return { target: targetJson(action.target) };
  }
}

function targetJson({ id, name }: { readonly id: string; readonly name: string }): JsonObject {
  return { id, name };
}

/** One line of the progress of an apply, to be written as one line of NDJSON. */
export function eventJson(event: ProgressEvent): JsonObject {
  return { formatVersion: FORMAT_VERSION, event: event.kind, ...eventDetails(event) };
}

function eventDetails(event: ProgressEvent): JsonObject {
  switch (event.kind) {
    case "proposed":
      return { plan: planJson(event.plan) };
    case "pass-planned":
      return { pass: event.pass, plan: planJson(event.plan) };
    case "action-started":
      return { action: event.action.id, group: event.action.group };
    case "action-ended":
      return {
        action: event.action.id,
        group: event.action.group,
        outcome: event.outcome,
        milliseconds: Math.round(event.milliseconds),
      };
    case "failed-worker":
      return {
        group: event.group,
        worker: event.name,
        because: event.because,
        lines: event.lines,
      };
    case "pull-progress":
      return { image: event.image, line: event.line };
    case "waiting":
      return { waitingFor: event.waitingFor };
    case "lock-waiting":
      return { holder: event.holder };
    case "notice":
      return { severity: event.severity, message: event.message };
    case "status":
      return { status: event.status };
  }
}
