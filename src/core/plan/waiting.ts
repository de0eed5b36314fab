// What will change by itself, in words: why a run waits although it has nothing to do.

import { type Tally, tally } from "../tally.ts";
import type { Scene } from "./scene.ts";

/** One phrase for each thing that goes on without us; none means that waiting is pointless. */
export function waitingFor(scene: Scene, dueAt: number | undefined): readonly string[] {
  const count = tally(scene.workers);
  return [
    ...engineWork(scene, count),
    // Where nothing is due about it the group is held, and an unhealthy worker may stay so for ever.
    ...phrase(dueAt === undefined ? 0 : count("Unhealthy"), "unhealthy"),
    ...phrase(count("CrashLooping"), "in a crash loop"),
    ...phrase(count("Draining", "Stopping"), "to stop"),
    ...phrase(count("Dead"), "to be removed"),
    ...phrase(
      dueAt === undefined ? 0 : count("Exited", "StartFailed"),
      "in back-off after a failure",
    ),
  ];
}

/** In a group that is left alone: what comes to an end although nobody calls, kills or removes anything. */
export function waitingForEngine(scene: Scene): readonly string[] {
  return engineWork(scene, tally(scene.workers));
}

function engineWork(scene: Scene, count: Tally): readonly string[] {
  return [
    ...phrase(count("Starting"), "to become ready"),
    ...phrase(count("Ready"), "to become available"),
    ...phrase(count("Removing"), "to be gone"),
    ...phrase(scene.uncertain.length, "created without an answer"),
  ];
}

function phrase(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? "worker" : "workers"} ${what}`];
}
