// `unlock`: ends the lease of a run that is gone. The lock of a host needs none of it: it ends with its process.

import type { HolderFacts } from "../core/holder.ts";
import { isInForce, type Lease, releasedLabels } from "../core/lease.ts";
import type { Engine, EngineReader } from "../engine/engine.ts";
import { LeaseClaims, readLease } from "./lease-claims.ts";

/** The lease that keeps others out at this moment; undefined: there is none. */
export async function leaseInForce(
  reader: EngineReader,
  projectUid: string | undefined,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { lease, now } = await readLease(reader, projectUid, signal);
  return lease !== undefined && isInForce(lease, now) ? lease : undefined;
}

/**
 * Releases the lease that a person was shown; false: it is another one by now, and stays. Its holder, should there still
 * be one, finds out before its next pass or renewal. Throws `engine-*`.
 */
export async function releaseLease(
  engine: Engine,
  projectUid: string | undefined,
  shown: Lease,
  by: HolderFacts,
  signal: AbortSignal,
): Promise<boolean> {
  const claims = new LeaseClaims(engine, projectUid);
  const seen = await claims.read(signal);
  if (seen.lease === undefined || !isSameHold(seen.lease, shown)) return false;
  const { number, after } = await claims.makeNext(seen, releasedLabels(projectUid, by), signal);
  return after.lease?.number === number && after.lease.state.kind === "released";
}

/** A renewal makes another claim of the same hold. */
function isSameHold({ number, state }: Lease, shown: Lease): boolean {
  if (state.kind === "held" && shown.state.kind === "held") {
    return state.token === shown.state.token;
  }
  return number === shown.number;
}
