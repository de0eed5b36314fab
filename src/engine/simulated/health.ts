// Health checks: when a probe ends, what its verdict does, and what is kept of it.

import type { Healthcheck } from "../../core/template.ts";
import { record } from "./history.ts";
import { isHealthy, lifeOf } from "./life.ts";
import type { Image } from "./script.ts";
import type { Check, Container, Running, World } from "./world.ts";

const PROBE_MS = 50;
const LOG_LENGTH = 5;
const DEFAULTS: Check = { interval: 30, timeout: 30, start_period: 0, retries: 3 };

/** The check of a new container: its template's over its image's; undefined: nothing checks it. */
export function resolveCheck(own: Healthcheck | undefined, image: Image): Check | undefined {
  const { test, ...settings } = { ...image.healthcheck, ...own };
  if (test === undefined || test[0] === "NONE") return undefined;
  return { ...DEFAULTS, ...settings };
}

/** When the first probe of a process that starts at that time comes to an end. */
export function firstProbeAt({ check }: Container, startedAt: number): number | undefined {
  return check && startedAt + check.interval * 1000 + PROBE_MS;
}

/** A process starts: the verdict begins anew, the log is kept. */
export function beginHealth(container: Container): void {
  if (container.check === undefined) return;
  container.health = { status: "starting", streak: 0, log: container.health?.log ?? [] };
}

/** Nothing checks a process that has ended or is paused, and Docker calls that unhealthy. */
export function suspendHealth(container: Container): void {
  if (container.health !== undefined) container.health.status = "unhealthy";
}

/** A probe comes to its end now. */
export function probe(world: World, container: Container, running: Running): void {
  const { check, health } = container;
  if (check === undefined || health === undefined) return;
  for (const action of ["exec_create", "exec_start", "exec_die"]) record(world, container, action);
  const startedAt = world.now - PROBE_MS;
  const age = startedAt - running.startedAt;
  const ok = container.verdict ?? isHealthy(lifeOf(world, container), age);
  health.log = [...health.log, { startedAt, finishedAt: world.now, ok }].slice(-LOG_LENGTH);
  const before = health.status;
  if (ok) pass(health);
  else fail(health, check, age);
  if (health.status !== before) record(world, container, `health_status: ${health.status}`);
  container.state = { ...running, probeAt: world.now + check.interval * 1000 + PROBE_MS };
}

type Health = NonNullable<Container["health"]>;

function pass(health: Health): void {
  health.status = "healthy";
  health.streak = 0;
}

function fail(health: Health, check: Check, age: number): void {
  const isForgiven = health.status === "starting" && age < check.start_period * 1000;
  if (isForgiven) return;
  health.streak += 1;
  if (health.streak >= check.retries) health.status = "unhealthy";
}
