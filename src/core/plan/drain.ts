// How long a worker has to come to an end, and what it is told and asked before its stop signal.

import type { DrainPolicy, Quiet } from "../model.ts";
import type { Phase, Worker } from "../worker.ts";
import type { Scene } from "./scene.ts";

const DEFAULT_GRACE_SECONDS = 10;

/** What comes before the stop signal. */
export type Drain = Pick<DrainPolicy, "quiet" | "waitFor">;

/** What its manifest says; without one, what its label kept of it. Undefined: nothing comes before the stop signal. */
export function drainOf(scene: Scene, worker: Worker): Drain | undefined {
  const drain = scene.spec === undefined ? readDrainLabel(worker.labels.drain) : scene.spec.drain;
  return drain?.quiet === undefined && drain?.waitFor === undefined ? undefined : drain;
}

/** A draining worker has been told, and has answered or used up its time. */
export function isDrained(
  { now }: Scene,
  worker: Worker,
  { since }: Phase,
  { quiet, waitFor }: Drain,
): boolean {
  // Its time counts from being told: until then it goes on taking work.
  if (quiet !== undefined && !worker.signalled) return false;
  if (waitFor === undefined || worker.isDrained) return true;
  return now >= since + waitFor.timeoutSeconds * 1000;
}

/** Seconds between signal and kill: its own, or the new spec's when that is longer. */
export function graceSeconds({ spec }: Scene, { facts }: Worker): number {
  return Math.max(
    facts.stopTimeout ?? DEFAULT_GRACE_SECONDS,
    spec?.template.stop_grace_period ?? 0,
  );
}

/** What a `drain` label tells; undefined: nothing that can be used. */
function readDrainLabel(label: string): Drain | undefined {
  const read = readObject(label);
  if (read === undefined) return undefined;
  const quiet = readQuiet(read["quiet"]);
  const waitFor = readWaitFor(read["waitFor"]);
  return { ...(quiet && { quiet }), ...(waitFor && { waitFor }) };
}

function readObject(label: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asRecord(JSON.parse(label));
  } catch {
    return undefined;
  }
}

function readQuiet(value: unknown): Quiet | undefined {
  const read = asRecord(value);
  const signal = read?.["signal"];
  const exec = asTexts(read?.["exec"]);
  if (typeof signal === "string") return { kind: "signal", signal };
  return exec === undefined ? undefined : { kind: "exec", exec };
}

function readWaitFor(value: unknown): Drain["waitFor"] {
  const read = asRecord(value);
  const exec = asTexts(read?.["exec"]);
  const timeoutSeconds = read?.["timeoutSeconds"];
  if (exec === undefined || typeof timeoutSeconds !== "number") return undefined;
  return { exec, timeoutSeconds };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

function asTexts(value: unknown): readonly string[] | undefined {
  const isTexts =
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  return isTexts ? value : undefined;
}
