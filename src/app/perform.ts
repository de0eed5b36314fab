// Makes the engine call of one action, and finds out what happened where the engine did not say.

import { hasCode, WgctlError } from "../core/errors.ts";
import { decodeLabels } from "../core/labels.ts";
import type { WorkerFacts } from "../core/observed.ts";
import type { Action, GroupPlan, Target } from "../core/plan/types.ts";
import type { Engine } from "../engine/engine.ts";
import { createRequest } from "./create-request.ts";
import { askWorker, tellQuiet } from "./in-worker.ts";
import { check } from "./preconditions.ts";
import type { ActionOutcome } from "./reporter.ts";
import { DRAINS, enterPhase, renewPhase, STOPS, sendStop } from "./stop.ts";

export type PerformContext = {
  readonly engine: Engine;
  readonly groups: ReadonlyMap<string, GroupPlan>;
  readonly projectUid: string | undefined;
  readonly commit: string | undefined;
  readonly mintTaskId: () => string;
  /** Says beforehand that a call is made which must not be made twice unawares; false: it cannot be said. */
  readonly intend: (action: Action) => boolean;
  readonly pullProgress: (image: string, line: string) => void;
  /** Ids of workers made in this pass, by name. */
  readonly made: Map<string, string>;
  /** Milliseconds from any fixed point, for durations only. */
  readonly ticks: () => number;
};

const DONE: ActionOutcome = { kind: "done" };
const UNSAID: ActionOutcome = { kind: "skipped", because: "the journal cannot be written" };

/** Performs one action. Expected failures are outcomes; only defects and aborts are thrown. */
export async function perform(
  action: Action,
  context: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  try {
    return await call(action, context, signal);
  } catch (error) {
    if (hasCode(error, "engine-not-found", "engine-conflict") && action.kind !== "pull-image") {
      return { kind: "dropped", because: error.message };
    }
    if (error instanceof WgctlError && error.code !== "aborted") {
      return { kind: "failed", code: error.code, message: error.message };
    }
    throw error;
  }
}

function call(
  action: Action,
  context: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  switch (action.kind) {
    case "pull-image":
      return pull(action, context, signal);
    case "create":
      return create(action, context, signal);
    case "start":
      return start(action, context, signal);
    default:
      return onExisting(action, context, signal);
  }
}

type Pull = Action & { readonly kind: "pull-image" };

async function pull(
  { group, image }: Pull,
  { engine, groups, pullProgress }: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const desired = groups.get(group)?.desired;
  const platform = desired?.kind === "valid" ? desired.spec.template.platform : undefined;
  await engine.pullImage(image, (line) => pullProgress(image, line), signal, platform);
  return DONE;
}

type Create = Action & { readonly kind: "create" };

async function create(
  action: Create,
  context: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { engine, made } = context;
  const { name } = action.worker;
  const request = requestFor(action, context);
  if (!context.intend(action)) return UNSAID;
  try {
    made.set(name, await engine.createWorker(request, signal));
    return DONE;
  } catch (error) {
    if (!hasCode(error, "engine-conflict", ...UNKNOWN)) return creationFailure(error);
    return resolveCreate(action, error, context, signal);
  }
}

/** A create that the engine refuses is a failure even where it says 404, which means that the image is gone. */
function creationFailure(error: unknown): ActionOutcome {
  if (error instanceof WgctlError && error.code !== "aborted") {
    return { kind: "failed", code: error.code, message: error.message };
  }
  throw error;
}

function requestFor(action: Create, context: PerformContext) {
  const group = context.groups.get(action.group);
  if (group?.desired?.kind !== "valid") {
    throw new Error(`create of ${action.worker.name} is planned for a group without a spec`);
  }
  return createRequest(group, group.desired.spec, action.worker, action.reason, {
    projectUid: context.projectUid,
    commit: context.commit,
    taskId: context.mintTaskId(),
  });
}

/** What leaves open whether a call took effect. */
export const UNKNOWN = ["engine-timeout", "engine-unreachable", "engine-failed"] as const;

/** Reads what a create came to: ours by that name is success, nothing there may still be on its way. */
async function resolveCreate(
  { worker, group }: Create,
  error: WgctlError,
  { engine, made }: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const found = await lookFor(worker.name, engine, signal);
  if (found === "unknown") return { kind: "uncertain", message: error.message };
  if (found === undefined) {
    // The name is reserved before the container can be seen; a broken call may still be under way.
    return error.code === "engine-failed"
      ? { kind: "failed", code: error.code, message: error.message }
      : { kind: "uncertain", message: error.message };
  }
  if (!isOurs(found, worker.name, group)) {
    return { kind: "failed", code: "engine-conflict", message: `${worker.name} is not ours` };
  }
  made.set(worker.name, found.id);
  return DONE;
}

/** What has the name; `unknown`: the engine does not say. */
async function lookFor(
  name: string,
  engine: Engine,
  signal: AbortSignal,
): Promise<WorkerFacts | undefined | "unknown"> {
  try {
    return (await engine.inspectWorker(name, signal))?.facts;
  } catch (error) {
    if (!(error instanceof WgctlError) || error.code === "aborted") throw error;
    return "unknown";
  }
}

/** Copied labels carry our UID too, but the name of another container. */
function isOurs({ labels }: WorkerFacts, name: string, group: string): boolean {
  const own = decodeLabels(labels);
  return own?.group.uid === group && own.name === name;
}

async function start(
  action: Action & { readonly kind: "start" },
  context: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { target, name } = action;
  if (target !== undefined) return onExisting({ ...action, target }, context, signal);
  const id = context.made.get(name);
  if (id === undefined) return { kind: "dropped", because: "it was not created" };
  return startById(id, context, signal);
}

/** A start without an answer is settled by looking whether it runs. */
async function startById(
  id: string,
  { engine }: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  try {
    await engine.startWorker(id, signal);
  } catch (error) {
    if (hasCode(error, "engine-not-found", "engine-conflict")) throw refusedStart(error);
    if (!hasCode(error, ...UNKNOWN)) throw error;
    const found = await engine.inspectWorker(id, signal);
    if (found?.facts.run.kind !== "running") throw error;
  }
  return DONE;
}

/** A start answers 404 for a missing network or command as well: the worker is there and did not start. */
function refusedStart(error: WgctlError): WgctlError {
  return new WgctlError("engine-failed", error.message, { cause: error });
}

type Existing = Exclude<Action, { readonly kind: "pull-image" | "create" | "start" }>;

async function onExisting(
  action: (Existing | (Action & { readonly kind: "start" })) & { readonly target: Target },
  context: PerformContext,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const { engine } = context;
  const { id } = action.target;
  const found = await engine.inspectWorker(id, signal);
  const verdict = check(action, found?.facts);
  if (verdict.kind === "moved") return { kind: "dropped", because: verdict.because };
  if (verdict.kind === "already-done" || found === undefined) return DONE;
  switch (action.kind) {
    case "start":
      return startById(id, context, signal);
    case "arm":
      await engine.setRestartPolicy(id, action.policy, signal);
      return DONE;
    case "disarm":
      await engine.setRestartPolicy(id, "no", signal);
      return DONE;
    case "rename":
      await enterPhase(found, action.phase, engine, signal);
      return DONE;
    case "signal":
      if (found.facts.run.kind === "running") await renewPhase(found, STOPS, engine, signal);
      if (!context.intend(action)) return UNSAID;
      await sendStop(id, action.signal, context, signal);
      return DONE;
    case "quiet":
      await renewPhase(found, DRAINS, engine, signal);
      return context.intend(action) ? tellQuiet(id, action.by, engine, signal) : UNSAID;
    case "probe":
      return askWorker(action, found, engine, signal);
    case "update-in-place":
      await engine.updateLimits(id, action.limits, signal);
      return DONE;
    case "kill":
      await engine.signalWorker(id, "SIGKILL", signal);
      return DONE;
    case "remove":
      await engine.removeWorker(id, signal, action.keepsVolumes ? "volumes" : undefined);
      return DONE;
  }
}
