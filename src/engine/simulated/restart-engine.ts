// The engine itself stops and starts again: who dies, who comes back, and what it forgets.

import { suspendHealth } from "./health.ts";
import { record } from "./history.ts";
import { exitWhenAsked, lifeOf } from "./life.ts";
import { startByHand, wantsRestart } from "./process.ts";
import { type Container, containersOf, type Running, type World } from "./world.ts";

const DEFAULT_GRACE_SECONDS = 10;

/**
 * Restarts the engine; no virtual time passes. What runs is sent its stop signal, and killed where that is in vain:
 * in an orderly stop when it goes, after a crash when it is back, which it then takes for a stop by a person. Then it
 * starts what its restart policy wants running, also what had been stopped before.
 */
export function restartEngine(world: World, how: "orderly" | "crash"): void {
  forgetInFlight(world);
  for (const container of containersOf(world)) halt(world, container, how);
  for (const container of containersOf(world)) revive(world, container);
}

/** What had not had its effect never has it, and its names are free. */
function forgetInFlight(world: World): void {
  world.late.length = 0;
  for (const [name, id] of Object.entries(world.names)) {
    if (world.containers[id]?.name !== name) delete world.names[name];
  }
}

function halt(world: World, container: Container, how: "orderly" | "crash"): void {
  const { state } = container;
  switch (state.kind) {
    case "restarting":
      container.state = { kind: "exited", ...state.last };
      return;
    case "removing":
      container.state = { kind: "dead" };
      return;
    case "running":
    case "paused":
      if (how === "crash") container.stoppedByHand = true;
      end(world, container, state.kind === "paused" ? state.running : state);
      return;
    default:
  }
}

function end(world: World, container: Container, { startedAt }: Running): void {
  const exitCode = codeWhenAsked(world, container);
  suspendHealth(container);
  record(world, container, "die");
  container.state = {
    kind: "exited",
    ...{ startedAt, finishedAt: world.now, exitCode, oomKilled: false },
  };
}

function codeWhenAsked(world: World, container: Container): number {
  const asked = exitWhenAsked(lifeOf(world, container), world.now);
  const grace = (container.template.stop_grace_period ?? DEFAULT_GRACE_SECONDS) * 1000;
  return asked === undefined || asked.at > world.now + grace ? 137 : asked.code;
}

function revive(world: World, container: Container): void {
  const { state } = container;
  if (state.kind !== "exited" || !wantsRestart(container, state.exitCode)) return;
  try {
    startByHand(world, container);
  } catch {
    // As after any failed restart, the error stands in the container's state.
  }
}
