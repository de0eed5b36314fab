// What somebody else does to the engine's things, with the docker command or by accident. For tests, demos and games.

import { suspendHealth } from "./health.ts";
import { record } from "./history.ts";
import { wholeReference } from "./image.ts";
import { finishRemove } from "./in-flight.ts";
import { endProcess } from "./process.ts";
import { requireContainer } from "./refusal.ts";
import type { Image } from "./script.ts";
import { resume, sendSignal } from "./signal.ts";
import { type Container, findContainer, type Running, type World } from "./world.ts";

const DEFAULT_GRACE_SECONDS = 10;

/** `docker rm --force`: whatever it does, it is gone. */
export function removeByForce(world: World, idOrName: string): void {
  const container = findContainer(world, idOrName);
  if (container === undefined) return;
  if (container.state.kind === "running") sendSignal(world, container.id, "SIGKILL");
  finishRemove(world, container.id);
}

/** `docker stop`: the stop signal, and a kill once the grace is over. */
export function stopByHand(world: World, idOrName: string): void {
  const container = requireContainer(world, idOrName, "stop");
  sendSignal(world, container.id, container.stopSignal ?? "SIGTERM");
  const { state, template } = container;
  if (state.kind !== "running") return;
  const at = world.now + (template.stop_grace_period ?? DEFAULT_GRACE_SECONDS) * 1000;
  if (state.end !== undefined && state.end.at <= at) return;
  container.state = { ...state, end: { at, code: 137, outOfMemory: false } };
}

/** `docker pause`. */
export function pause(world: World, idOrName: string): void {
  const container = requireContainer(world, idOrName, "pause");
  container.state = { kind: "paused", at: world.now, running: requireRunning(container) };
  suspendHealth(container);
  record(world, container, "pause");
}

/** `docker unpause`. */
export function unpause(world: World, idOrName: string): void {
  resume(world, requireContainer(world, idOrName, "unpause"));
}

/** The process ends, for a reason of its own. */
export function endByItself(
  world: World,
  idOrName: string,
  how: { readonly code: number; readonly outOfMemory?: boolean },
): void {
  const container = requireContainer(world, idOrName, "end");
  const { code, outOfMemory = false } = how;
  endProcess(world, container, requireRunning(container), { code, outOfMemory });
}

function requireRunning({ state, name }: Container): Running {
  if (state.kind === "running") return state;
  throw new Error(`${name} is ${state.kind}, not running`);
}

/** From now on its health check passes, or fails; undefined: as its life says. */
export function setHealth(world: World, idOrName: string, verdict: boolean | undefined): void {
  requireContainer(world, idOrName, "mend").verdict = verdict;
}

/** `docker rmi --force`: the reference stands for nothing; containers of the image go on. */
export function removeTag(world: World, reference: string): void {
  delete world.tags[wholeReference(reference)];
}

/** Somebody pushes: in the registry the reference means that image from now on. */
export function push(world: World, reference: string, image: Image): void {
  world.registry.images[wholeReference(reference)] = { kind: "image", image };
}

/** `docker network rm`. */
export function removeNetwork(world: World, name: string): void {
  world.networks.splice(
    0,
    Number.POSITIVE_INFINITY,
    ...world.networks.filter((each) => each !== name),
  );
}
