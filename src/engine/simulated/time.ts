// Virtual time: it moves from one due thing to the next, and never by itself.

import { probe } from "./health.ts";
import { finish } from "./in-flight.ts";
import { endProcess, restart } from "./process.ts";
import { type Container, containersOf, type World } from "./world.ts";

type Due = { readonly at: number; readonly happen: () => void };

/** Moves time by so many milliseconds; all that is due meanwhile happens, in its order. */
export function advance(world: World, milliseconds: number): void {
  const until = world.now + milliseconds;
  while (step(world, until));
}

/** Moves time to the next due thing and lets it happen; where none is due by then, to `until`: then it is false. */
export function step(world: World, until: number): boolean {
  const next = nextDue(world);
  if (next === undefined || next.at > until) {
    world.now = Math.max(world.now, until);
    return false;
  }
  world.now = Math.max(world.now, next.at);
  next.happen();
  return true;
}

/** The next moment at which something happens by itself; undefined: nothing will. */
export function nextMoment(world: World): number | undefined {
  return nextDue(world)?.at;
}

/** The earliest; of several at once late effects go first, then the oldest container. */
function nextDue(world: World): Due | undefined {
  let first = nextLate(world);
  for (const container of containersOf(world)) {
    const due = dueOf(world, container);
    if (due !== undefined && (first === undefined || due.at < first.at)) first = due;
  }
  return first;
}

function nextLate(world: World): Due | undefined {
  const [first] = [...world.late].sort((one, other) => one.at - other.at);
  if (first === undefined) return undefined;
  return { at: first.at, happen: () => happenLate(world, first) };
}

function happenLate(world: World, late: World["late"][number]): void {
  world.late.splice(world.late.indexOf(late), 1);
  try {
    finish(world, late.inFlight);
  } catch {
    // Nobody waits for the answer, so a refusal is told to nobody.
  }
}

function dueOf(world: World, container: Container): Due | undefined {
  const { state } = container;
  if (state.kind === "restarting") {
    return { at: state.at, happen: () => restart(world, container) };
  }
  if (state.kind !== "running") return undefined;
  const { end, probeAt } = state;
  if (end !== undefined && end.at <= (probeAt ?? end.at)) {
    return { at: end.at, happen: () => endProcess(world, container, state, end) };
  }
  if (probeAt === undefined) return undefined;
  return { at: probeAt, happen: () => probe(world, container, state) };
}
