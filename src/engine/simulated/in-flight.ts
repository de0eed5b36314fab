// The calls that change the world, as plain data. Each has two halves: what the engine does when the call arrives, and
// its effect. Between the two a name is held and nothing can be seen of it yet.

import type { ResourceLimits } from "../../core/observed.ts";
import { execute } from "./command.ts";
import { beginCreate, finishCreate, requireFreeName, wrongPolicy } from "./create.ts";
import { record } from "./history.ts";
import { takeOffer } from "./image.ts";
import { setLimits, wrongLimits } from "./limits.ts";
import { startByHand } from "./process.ts";
import { refusal, requireContainer } from "./refusal.ts";
import { sendSignal } from "./signal.ts";
import { type Container, findContainer, type World } from "./world.ts";
import type { InFlight, WriteCall } from "./write-call.ts";

/** The call arrives: the engine refuses it, or takes it on. */
export function begin(world: World, call: WriteCall): InFlight {
  switch (call.kind) {
    case "createWorker":
      return { id: beginCreate(world, call.request), call };
    case "renameWorker":
      return { id: beginRename(world, call.id, call.name), call };
    case "removeWorker":
      return { id: beginRemove(world, call.id), call };
    case "pullImage":
      return { id: call.reference, call };
    case "makeClaim":
      return { id: call.claim.name, call };
    case "dropClaim":
      return { id: call.name, call };
    default:
      return { id: call.id, call };
  }
}

/** The call has its effect; throws what the engine refuses it with by now. Answers with the id it was about, a command with its exit code. */
export function finish(world: World, { id, call }: InFlight): string {
  switch (call.kind) {
    case "createWorker":
      finishCreate(world, id, call.request);
      break;
    case "startWorker":
      start(world, id);
      break;
    case "renameWorker":
      finishRename(world, id, call.name);
      break;
    case "setRestartPolicy":
      setRestartPolicy(world, id, call.policy);
      break;
    case "updateLimits":
      updateLimits(world, id, call.limits);
      break;
    case "execInWorker":
      return String(execute(world, id, call.argv));
    case "signalWorker":
      sendSignal(world, id, call.signal);
      break;
    case "removeWorker":
      finishRemove(world, id);
      break;
    case "pullImage":
      takeOffer(world, call.reference);
      break;
    case "makeClaim":
      world.claims[call.claim.name] ??= { ...call.claim.labels };
      break;
    case "dropClaim":
      delete world.claims[call.name];
  }
  return id;
}

/** Both halves of a call at once. */
export function perform(world: World, call: WriteCall): string {
  return finish(world, begin(world, call));
}

function start(world: World, id: string): void {
  const what = `start the container ${id.slice(0, 12)}`;
  const container = requireContainer(world, id, what);
  switch (container.state.kind) {
    case "running":
    case "restarting":
      return;
    case "paused":
      throw refusal("engine-conflict", what, "it is paused, and has to be unpaused instead");
    case "removing":
    case "dead":
      throw refusal("engine-conflict", what, "it is marked for removal");
    default:
      startByHand(world, container);
  }
}

function beginRename(world: World, id: string, name: string): string {
  const what = `rename to ${name} the container ${id.slice(0, 12)}`;
  const container = requireContainer(world, id, what);
  if (container.name === name) {
    throw refusal("engine-rejected", what, "that is its name already");
  }
  requireFreeName(world, name, what);
  if (container.state.kind === "restarting") {
    throw refusal("engine-not-found", what, "it has no network sandbox while it restarts");
  }
  world.names[name] = container.id;
  return container.id;
}

function finishRename(world: World, id: string, name: string): void {
  const container = world.containers[id];
  // Removed meanwhile, it has given back both names, and somebody else may hold them.
  if (container === undefined) return;
  delete world.names[container.name];
  container.name = name;
  record(world, container, "rename");
}

function setRestartPolicy(world: World, id: string, policy: string): void {
  const what = `set the restart policy of the container ${id.slice(0, 12)}`;
  const wrong = wrongPolicy(policy);
  if (wrong !== undefined) throw refusal("engine-rejected", what, wrong);
  const container = requireContainer(world, id, what);
  if (isGoing(container)) throw refusal("engine-failed", what, "it is marked for removal");
  container.restartPolicy = policy;
  record(world, container, "update");
}

function updateLimits(world: World, id: string, limits: ResourceLimits): void {
  const what = `set limits of the container ${id.slice(0, 12)}`;
  const wrong = wrongLimits(world, limits);
  if (wrong !== undefined) throw refusal("engine-rejected", what, wrong);
  const container = requireContainer(world, id, what);
  if (isGoing(container)) throw refusal("engine-failed", what, "it is marked for removal");
  setLimits(container, limits);
  record(world, container, "update");
}

// What is gone or going needs no second removal.
function beginRemove(world: World, id: string): string {
  const container = findContainer(world, id);
  if (container === undefined) return id;
  const { kind } = container.state;
  if (kind === "running" || kind === "paused" || kind === "restarting") {
    const what = `remove the container ${container.id.slice(0, 12)}`;
    throw refusal("engine-conflict", what, `it is ${kind}`);
  }
  container.state = { kind: "removing" };
  return container.id;
}

/** The container is gone, and with it every name it held. */
export function finishRemove(world: World, id: string): void {
  const container = world.containers[id];
  if (container === undefined) return;
  delete world.containers[id];
  for (const [name, holder] of Object.entries(world.names)) {
    if (holder === id) delete world.names[name];
  }
  record(world, container, "destroy");
}

function isGoing({ state }: Container): boolean {
  return state.kind === "removing" || state.kind === "dead";
}
