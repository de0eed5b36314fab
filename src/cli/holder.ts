// Who this process is, as others read it while it holds the lock.

import { hostname, userInfo } from "node:os";
import type { HolderFacts } from "../core/holder.ts";

/** The facts of a run of this command that began then. */
export function holderFacts(startedAt: Date, command = "wgctl apply"): HolderFacts {
  return {
    pid: process.pid,
    user: userName(),
    host: hostname(),
    command,
    startedAt: startedAt.toISOString(),
  };
}

/** A container may run under a uid without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
