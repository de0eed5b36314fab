// Container names: what a worker is called, and how it is leaving.

import type { GroupIdentity } from "./model.ts";
import type { Phase } from "./worker.ts";

const REVISION_DIGITS = 8;
const PHASE = /^\.(draining|stopping|kept|failed)-(\d{1,12})$/;

/** The name of a worker: `mailer-2-1f2e3d4c`, `shop.mailer-2-1f2e3d4c-3` in namespace shop at its third attempt. */
export function workerName(
  group: GroupIdentity,
  slot: number,
  revision: string,
  attempt: number,
): string {
  const prefix = group.namespace === "default" ? "" : `${group.namespace}.`;
  const suffix = attempt > 1 ? `-${attempt}` : "";
  return `${prefix}${group.name}-${slot}-${shortRevision(revision)}${suffix}`;
}

/** The first digits of a revision, as names and tables show it. */
export function shortRevision(revision: string): string {
  return revision.slice(0, REVISION_DIGITS);
}

/** The name a worker gets when a phase of leaving begins, by the engine's clock in milliseconds. */
export function phaseName(name: string, phase: Phase["kind"], now: number): string {
  return `${name}.${phase}-${Math.floor(now / 1000)}`;
}

/**
 * Reads the phase from a container's real name, given the name its labels claim.
 * `copied` means that the two do not belong together: the labels came from another container.
 */
export function readPhase(
  realName: string,
  claimedName: string,
): { readonly kind: "own"; readonly phase: Phase | undefined } | { readonly kind: "copied" } {
  if (realName === claimedName) return { kind: "own", phase: undefined };
  if (!realName.startsWith(claimedName)) return { kind: "copied" };
  const match = PHASE.exec(realName.slice(claimedName.length));
  const kind = match?.[1];
  const seconds = match?.[2];
  if (seconds === undefined || !isPhaseKind(kind)) return { kind: "copied" };
  return { kind: "own", phase: { kind, since: Number(seconds) * 1000 } };
}

function isPhaseKind(text: string | undefined): text is Phase["kind"] {
  return text === "draining" || text === "stopping" || text === "kept" || text === "failed";
}

/** A name without its phase, for people: `mailer-2-1f2e3d4c.stopping-17…` is `mailer-2-1f2e3d4c`. */
export function plainName(realName: string): string {
  return realName.replace(/\.(draining|stopping|kept|failed)-\d{1,12}$/, "");
}
