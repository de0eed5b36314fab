// The process of a container: its start, its end, and the restart policy. Docker's restart manager, in virtual time.

import { beginHealth, firstProbeAt, suspendHealth } from "./health.ts";
import { record } from "./history.ts";
import { lifeOf, plannedExit } from "./life.ts";
import { refusal } from "./refusal.ts";
import { lackOfRoom } from "./room.ts";
import type { Life } from "./script.ts";
import type { Container, ContainerState, Ended, Exit, Running, World } from "./world.ts";

/** Exit codes of a start that failed: its command is not there; all else. */
const NOT_FOUND = 127;
const FAILED = 128;
const QUICK_END_MS = 10;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;
/** A process that ran this long is forgiven the ones before it. */
const FORGIVEN_AFTER_MS = 10_000;

/** Starts what does not run, by a person's wish: counts and waits begin anew. Throws when the start is refused. */
export function startByHand(world: World, container: Container): void {
  container.restartCount = 0;
  container.restartWait = 0;
  container.restartCalledOff = false;
  container.stoppedByHand = false;
  startProcess(world, container);
}

/** Starts the process; a refused start leaves its error behind. */
function startProcess(world: World, container: Container): void {
  container.starts += 1;
  const life = lifeOf(world, container);
  const hindrance = findHindrance(world, container, life);
  if (hindrance !== undefined) {
    container.state = refused(container.state, hindrance);
    const what = `start the container ${container.id.slice(0, 12)}`;
    throw refusal(hindrance.code, what, hindrance.message);
  }
  const startedAt = world.now;
  container.state = {
    kind: "running",
    startedAt,
    end: plannedExit(life, startedAt),
    probeAt: firstProbeAt(container, startedAt),
  };
  beginHealth(container);
  record(world, container, "connect");
  record(world, container, "start");
}

/** Why a container cannot be started, with the code that the engine gives it; undefined: it can. */
function findHindrance(world: World, container: Container, { refuse }: Life): Life["refuse"] {
  const network = container.networks.find((name) => !world.networks.includes(name));
  if (network !== undefined) {
    return { code: "engine-not-found", message: `network ${network} not found` };
  }
  if (refuse !== undefined) return refuse;
  const lack = lackOfRoom(world, container);
  return lack === undefined ? undefined : { code: "engine-failed", message: lack };
}

/** Never started it stays `created`, otherwise `exited`; either way with the error. */
function refused(
  state: ContainerState,
  { code, message: error }: NonNullable<Life["refuse"]>,
): ContainerState {
  switch (state.kind) {
    case "restarting":
      return { kind: "exited", ...state.last, error };
    case "exited":
      return { ...state, exitCode: state.exitCode || FAILED, error };
    default:
      return { kind: "created", error, exitCode: code === "engine-rejected" ? NOT_FOUND : FAILED };
  }
}

/** The process ends now. Whether it comes back is for the restart policy. */
export function endProcess(
  world: World,
  container: Container,
  { startedAt }: Running,
  { code, outOfMemory }: Pick<Exit, "code" | "outOfMemory">,
): void {
  const ended: Ended = {
    startedAt,
    finishedAt: finishedAt(world, startedAt),
    exitCode: code,
    oomKilled: outOfMemory,
  };
  suspendHealth(container);
  if (outOfMemory) record(world, container, "oom");
  record(world, container, "die");
  record(world, container, "disconnect");
  const wait = restartWait(container, ended);
  if (wait === undefined) {
    container.state = { kind: "exited", ...ended };
    return;
  }
  container.restartCount += 1;
  container.state = { kind: "restarting", last: ended, at: world.now + wait };
}

// Docker notes the start of a process only when it has been told of it, and by then one that ends at once has ended.
function finishedAt({ now }: World, startedAt: number): number {
  return now > startedAt ? now : startedAt - QUICK_END_MS;
}

/** Milliseconds until the engine restarts it; undefined: it does not. */
function restartWait(container: Container, ended: Ended): number | undefined {
  if (container.restartPolicy === "no" || container.restartCalledOff) return undefined;
  const ranLong = ended.finishedAt - ended.startedAt >= FORGIVEN_AFTER_MS;
  const before = ranLong ? 0 : container.restartWait;
  container.restartWait = before === 0 ? FIRST_WAIT_MS : Math.min(before * 2, LONGEST_WAIT_MS);
  return wantsRestart(container, ended.exitCode) ? container.restartWait : undefined;
}

/** What the policy says of a container that ended with that code. */
export function wantsRestart(container: Container, exitCode: number): boolean {
  const [policy, limit = "0"] = container.restartPolicy.split(":");
  switch (policy) {
    case "always":
      return true;
    case "unless-stopped":
      return !container.stoppedByHand;
    case "on-failure":
      return exitCode !== 0 && (limit === "0" || container.restartCount < Number(limit));
    default:
      return false;
  }
}

/** The wait is over: the engine starts it again. A start that is refused now is the last. */
export function restart(world: World, container: Container): void {
  try {
    startProcess(world, container);
  } catch {
    // Nobody waits for an answer: the error stands in the container's state.
  }
}
