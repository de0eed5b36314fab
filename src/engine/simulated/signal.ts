// Signals: which ones the engine takes, what they do to the next restart, and what the process makes of them.

import { record } from "./history.ts";
import { exitWhenAsked, lifeOf, sooner } from "./life.ts";
import { endProcess } from "./process.ts";
import { requestQuiet } from "./quiet.ts";
import { refusal, requireContainer } from "./refusal.ts";
import type { Container, Running, World } from "./world.ts";

const KNOWN = new Set(
  (
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP " +
    "TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS RTMIN RTMAX"
  ).split(" "),
);

/** What most programs end on. */
const POLITE = ["SIGTERM", "SIGINT", "SIGQUIT"];

/** `term`, `SIGTERM` -> `SIGTERM`; undefined: there is no such signal. */
export function signalName(text: string): string | undefined {
  const name = text.toUpperCase().replace(/^SIG/, "");
  const isKnown = KNOWN.has(name) || /^RTM(IN\+|AX-)\d+$/.test(name);
  return isKnown ? `SIG${name}` : undefined;
}

/**
 * Sends a signal. The container's own stop signal, or any where it has none, or a kill, calls off the next restart.
 * Throws `engine-rejected` for an unknown signal and `engine-conflict` where nothing runs.
 */
export function sendSignal(world: World, id: string, text: string): void {
  const what = `send ${text} to the container ${id.slice(0, 12)}`;
  const signal = signalName(text);
  if (signal === undefined) throw refusal("engine-rejected", what, `invalid signal: ${text}`);
  const container = requireContainer(world, id, what);
  const { state } = container;
  if (state.kind !== "running" && state.kind !== "paused" && state.kind !== "restarting") {
    throw refusal("engine-conflict", what, `container ${container.id} is not running`);
  }
  const callsOff = [undefined, signal].includes(container.stopSignal) || signal === "SIGKILL";
  if (callsOff) container.restartCalledOff = true;
  container.stoppedByHand = true;
  // Where no process is, there is nothing to signal, and the history has nothing to tell.
  if (state.kind === "restarting") {
    if (callsOff) container.state = { kind: "exited", ...state.last };
    return;
  }
  record(world, container, "kill");
  if (state.kind === "paused" && !callsOff) return;
  deliver(world, container, state.kind === "paused" ? resume(world, container) : state, signal);
}

/** Lets a paused process go on, its remaining life as long as it was. */
export function resume(world: World, container: Container): Running {
  const { state } = container;
  if (state.kind !== "paused") throw new Error(`${container.name} is not paused`);
  const { end, startedAt, quietAt } = state.running;
  const slept = world.now - state.at;
  const running: Running = {
    kind: "running",
    startedAt,
    ...(quietAt === undefined ? {} : { quietAt }),
    end: end && { ...end, at: end.at + slept },
    probeAt: container.check && world.now + container.check.interval * 1000,
  };
  container.state = running;
  record(world, container, "unpause");
  return running;
}

function deliver(world: World, container: Container, running: Running, signal: string): void {
  if (signal === "SIGKILL") {
    endProcess(world, container, running, { code: 137, outOfMemory: false });
    return;
  }
  if (!POLITE.includes(signal) && signal !== container.stopSignal) {
    requestQuiet(world, container, running);
    return;
  }
  const asked = exitWhenAsked(lifeOf(world, container), world.now);
  container.state = { ...running, end: sooner(running.end, asked) };
}
