// The state of a small world as text in which equal states are equal: ids say what they stand for and not when they
// were made, and counters that nobody asks for are left out.

import type { World } from "../../src/engine/simulated/world.ts";

/** Remembers what each id was first seen as: the name of a worker, and which one of that name it is. */
export class Namer {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Takes in the ids that are new in a world. */
  look({ names }: World): void {
    for (const [name, id] of Object.entries(names)) {
      if (this.#names.has(id)) continue;
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      this.#names.set(id, `<${name}#${count}>`);
    }
  }

  /** The text with every id that was seen replaced. */
  rename(text: string): string {
    return text.replace(/[0-9a-f]{64}/g, (id) => this.#names.get(id) ?? id);
  }
}

/** The world and what its writers go on from. */
export function canonicalText(world: World, namer: Namer, writers: readonly string[]): string {
  const { made: _, events: __, wakeUps: ___, signals, containers, names, ...rest } = world;
  const sent = signals.map(({ at, id }) => `${at} ${id}`).sort();
  const lines = [
    JSON.stringify(rest),
    ...Object.values(containers).map((each) => JSON.stringify(each)),
    ...Object.entries(names).map((pair) => pair.join()),
    ...sent,
  ].map((line) => namer.rename(line));
  return [...lines.sort(), ...writers.map((each) => namer.rename(each))].join("\n");
}
