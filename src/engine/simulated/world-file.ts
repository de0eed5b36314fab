// A world in a JSON file: read once, and written after each change, whole or not at all.

import { readFile, rename, writeFile } from "node:fs/promises";
import { WgctlError } from "../../core/errors.ts";
import { newWorld, UNNAMED, type World } from "./world.ts";
import { decodeWorld } from "./world-shape.ts";

/** Reads a world; where there is no file it is a new one whose registry has everything. Throws `invalid-input`. */
export async function loadWorld(file: string): Promise<World> {
  const content = await readIfThere(file);
  if (content === undefined) return newWorld({ registry: { anything: true } });
  try {
    return decodeWorld(JSON.parse(content));
  } catch (error) {
    throw unusable(file, error);
  }
}

/**
 * Reads a world that is going to be changed. One that has no identity of its own gets the given one, in the file too and
 * before anything else: what a state folder remembers is of this world, and not of another that takes its place.
 */
export async function claimWorld(file: string, id: string): Promise<World> {
  const world = await loadWorld(file);
  if (world.engine.id !== UNNAMED) return world;
  const named = { ...world, engine: { ...world.engine, id } };
  await replace(file, serialise(named));
  return named;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unusable(file, error);
  }
}

function unusable(file: string, cause: unknown): WgctlError {
  const because = cause instanceof Error ? cause.message : String(cause);
  const known = cause instanceof WgctlError ? cause : undefined;
  return new WgctlError(
    known?.code ?? "invalid-input",
    `cannot use the world in ${file}: ${because}`,
    { cause, hint: known?.hint ?? "mend the file, or name another one" },
  );
}

/** Keeps a world in a file. Unchanged, it is not written. */
export class WorldKeeper {
  readonly #world: World;
  readonly #file: string;
  #kept: string;
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(world: World, file: string) {
    this.#world = world;
    this.#file = file;
    this.#kept = serialise(world);
  }

  /**
   * Resolves once the file holds the world as it is now or later; calls at once share one write.
   * Throws `state-unusable`.
   */
  keep(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#last.then(() => {
      this.#next = undefined;
      return this.#write();
    });
    this.#next = next;
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #write(): Promise<void> {
    const content = serialise(this.#world);
    if (content === this.#kept) return;
    await replace(this.#file, content);
    this.#kept = content;
  }
}

async function replace(file: string, content: string): Promise<void> {
  const unfinished = `${file}.new`;
  try {
    // Like a Docker engine's own files it holds what is secret in the environment of workers.
    await writeFile(unfinished, content, { mode: 0o600 });
    await rename(unfinished, file);
  } catch (cause) {
    const because = cause instanceof Error ? cause.message : String(cause);
    throw new WgctlError("state-unusable", `cannot keep the world in ${file}: ${because}`, {
      cause,
      hint: "it needs a folder that is there and yours to write",
    });
  }
}

function serialise(world: World): string {
  return `${JSON.stringify(world, undefined, 1)}\n`;
}
