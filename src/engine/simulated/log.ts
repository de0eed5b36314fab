// What a container wrote: the scripted lines of each of its lives so far.

import { lifeOf } from "./life.ts";
import type { Container, World } from "./world.ts";

/** The last lines of a container's output, oldest first. A refused start writes nothing. */
export function logOf(container: Container, world: World, lines: number): readonly string[] {
  if (container.template.logging?.driver === "none") return [];
  const written = Array.from({ length: container.starts }, (_, at) => {
    const life = lifeOf(world, { ...container, starts: at + 1 });
    return life.refuse === undefined ? (life.log ?? []) : [];
  });
  return written.flat().slice(-lines);
}
