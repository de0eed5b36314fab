// The calls that change the world, as plain data, so that one whose answer nobody waits for can be kept.

import type { ResourceLimits } from "../../core/observed.ts";
import type { Claim, CreateRequest } from "../engine.ts";

export type WriteCall =
  | { readonly kind: "createWorker"; readonly request: CreateRequest }
  | { readonly kind: "startWorker"; readonly id: string }
  | { readonly kind: "renameWorker"; readonly id: string; readonly name: string }
  | { readonly kind: "setRestartPolicy"; readonly id: string; readonly policy: string }
  | { readonly kind: "updateLimits"; readonly id: string; readonly limits: ResourceLimits }
  | { readonly kind: "execInWorker"; readonly id: string; readonly argv: readonly string[] }
  | { readonly kind: "signalWorker"; readonly id: string; readonly signal: string }
  | { readonly kind: "removeWorker"; readonly id: string }
  | { readonly kind: "pullImage"; readonly reference: string }
  | { readonly kind: "makeClaim"; readonly claim: Claim }
  | { readonly kind: "dropClaim"; readonly name: string };

/** A call that has arrived and has had no effect yet. */
export type InFlight = { readonly id: string; readonly call: WriteCall };
