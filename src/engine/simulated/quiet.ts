// A worker is told to take no new work: it remembers when, and may end by itself after that.

import { lifeOf, sooner } from "./life.ts";
import type { Container, Running, World } from "./world.ts";

/** Tells a running process; once it has been told, telling it again changes nothing. */
export function requestQuiet(world: World, container: Container, running: Running): void {
  if (running.quietAt !== undefined) return;
  const { quiet } = lifeOf(world, container);
  const end = quiet && {
    at: world.now + quiet.after * 1000,
    code: quiet.code ?? 0,
    outOfMemory: false,
  };
  container.state = { ...running, quietAt: world.now, end: sooner(running.end, end) };
}
