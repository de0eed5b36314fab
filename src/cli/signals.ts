// Ctrl-C and its kin: the first asks the run to stop, the second leaves at once. Workers are never stopped by it.

import { constants } from "node:os";
import type { Interrupts } from "../app/execute.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type SignalWatch = {
  readonly interrupts: Interrupts;
  /** 128 plus the number of the signal that asked to stop; undefined: none did. */
  exitCode(): number | undefined;
  dispose(): void;
};

/** Watches for signals. `onFirst` is told once, with the signal's name. */
export function watchSignals(onFirst: (name: string) => void): SignalWatch {
  const stop = new AbortController();
  const abort = new AbortController();
  let code: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (code !== undefined) process.exit(128 + constants.signals[name]);
    code = 128 + constants.signals[name];
    onFirst(name);
    stop.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    interrupts: { stop: stop.signal, abort: abort.signal },
    exitCode: () => code,
    dispose: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}
