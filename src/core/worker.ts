// One of our workers, judged: its identity from the labels, its phase from the name, its state from the facts.

import type { WorkerLabels } from "./labels.ts";
import type { ResourceLimits, WorkerFacts } from "./observed.ts";

/** What a worker is doing, as a person would say it. */
export type WorkerState =
  | "Created"
  | "StartFailed"
  | "Starting"
  | "Ready"
  | "Available"
  | "Unhealthy"
  | "CrashLooping"
  | "Exited"
  /** It has ended, and `onExit` says that its work is done. */
  | "Completed"
  | "Paused"
  | "Draining"
  | "Stopping"
  | "Kept"
  | "Failed"
  | "Removing"
  | "Dead";

/** How a worker is leaving, kept in its name so that it survives without any file. */
export type Phase = {
  readonly kind: "draining" | "stopping" | "kept" | "failed";
  /** Engine time at which the phase began, in milliseconds, to the second. */
  readonly since: number;
};

/** How a worker differs from what is desired; empty means it is of the desired revision. */
export type Difference =
  | { readonly kind: "image"; readonly from: string; readonly to: string }
  | { readonly kind: "template"; readonly paths: readonly string[] }
  /** Files that it has mounted hold something else now: `secrets[/run/secrets/app]`. */
  | { readonly kind: "file"; readonly paths: readonly string[] }
  | { readonly kind: "nonce" }
  /** Somebody else made it, so it can only be replaced. */
  | { readonly kind: "adopted" }
  | { readonly kind: "network"; readonly missing: readonly string[] };

export type Worker = {
  readonly facts: WorkerFacts;
  readonly labels: WorkerLabels;
  readonly phase: Phase | undefined;
  readonly state: WorkerState;
  /** Since when it has been ready without a break; undefined while it is not. */
  readonly readySince: number | undefined;
  /** It has been available in this run of its process, now or earlier. */
  readonly wasAvailable: boolean;
  /** It has been available at some time since wgctl started it, whatever the engine restarted since. */
  readonly isProven: boolean;
  readonly differences: readonly Difference[];
  /** Limits that are not as declared and can be set while it runs. */
  readonly limitsToSet: ResourceLimits | undefined;
  /** In the phase that its name tells: it was told to be quiet (draining), or sent its stop signal (any other). */
  readonly signalled: boolean;
  /** A draining worker has said that it has nothing left to do. */
  readonly isDrained: boolean;
};
