// What will change by itself, in words: why a run waits although it has nothing to do.

import type { WorkerState } from "../worker.ts";
import type { Scene } from "./scene.ts";

/** One phrase for each thing that goes on without us; none means that waiting is pointless. */
export function waitingFor(scene: Scene, dueAt: number | undefined): readonly string[] {
  const count = (...states: readonly WorkerState[]) =>
    scene.workers.filter((worker) => states.includes(worker.state)).length;
  const phrases = [
    phrase(count("Starting"), "to become ready"),
    phrase(count("Ready"), "to become available"),
    phrase(count("Unhealthy"), "unhealthy"),
    phrase(count("CrashLooping"), "in a crash loop"),
    phrase(count("Draining", "Stopping"), "to stop"),
    phrase(count("Removing", "Dead"), "to be removed"),
    phrase(scene.uncertain.length, "created without an answer"),
    phrase(dueAt === undefined ? 0 : count("Exited", "StartFailed"), "in back-off after a failure"),
  ];
  return phrases.filter((each) => each !== "");
}

function phrase(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? "worker" : "workers"} ${what}`;
}
