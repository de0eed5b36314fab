// What a call is made with, after the worker it is about: for who looks at every engine call of a plan.

import type { ResourceLimits } from "../core/observed.ts";
import type { Action } from "../core/plan/types.ts";
import { formatBytes } from "./text.ts";

/** ` SIGTERM`, ` .stopping`, ` cpus 0.5`; empty for a call that needs no more than its subject. */
export function callArgument(call: Action): string {
  switch (call.kind) {
    case "signal":
      return ` ${call.signal}`;
    case "arm":
      return ` ${call.policy}`;
    case "rename":
      return call.phase === "none" ? " (its own name)" : ` .${call.phase}`;
    case "quiet":
      return ` ${call.by.kind === "signal" ? call.by.signal : call.by.exec.join(" ")}`;
    case "probe":
      return ` ${call.exec.join(" ")}`;
    case "update-in-place":
      return ` ${limitsText(call.limits)}`;
    default:
      return "";
  }
}

/** `cpus 0.5, memory 256M` */
function limitsText({ cpus, memory, swap, pids }: ResourceLimits): string {
  const size = memory === undefined ? undefined : formatBytes(memory);
  const both = swap === undefined ? undefined : swap === -1 ? "unlimited" : formatBytes(swap);
  return Object.entries({ cpus, memory: size, "memory and swap": both, pids })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join(", ");
}
