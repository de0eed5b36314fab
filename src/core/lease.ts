// The lease of a project on an engine: numbered claims, of which the highest counts. Says what they mean; makes none.

import { describeHolder, encodeHolder, type HolderFacts } from "./holder.ts";
import { fromIso, toIso } from "./time.ts";

/** What one of the numbered claims says. Times are milliseconds by the engine's clock. */
export type Lease = {
  readonly number: number;
  readonly state:
    | {
        readonly kind: "held";
        /** Of the run that holds it, unique to that run. */
        readonly token: string;
        readonly holder: string;
        /** The process lock that its run holds; undefined: none that could be told apart. */
        readonly scope: string | undefined;
        readonly since: number;
        readonly expires: number;
      }
    | { readonly kind: "released"; readonly holder: string }
    /**
     * Labels that nobody can read: it counts as held, because it may be, until then; undefined: nobody knows when it
     * was made.
     */
    | { readonly kind: "unreadable"; readonly until: number | undefined };
};

/** Who takes a lease. */
export type Tenant = {
  readonly token: string;
  readonly facts: HolderFacts;
  /** Names the process lock that the run holds, as whoever held it before named it. */
  readonly scope: string | undefined;
};

const PREFIX = "dev.wgctl.lease.";
/**
 * An engine that stops while it makes a claim can leave it without labels. Whoever made it looks for its own right after,
 * and without it has nothing; by then it has looked, or its labels are there.
 */
const UNREADABLE_MS = 60_000;

/** The beginning of the names of a project's claims; all unnamed projects share one lease. */
export function leasePrefix(projectUid: string | undefined): string {
  return `wgctl-lease-${projectUid ?? "unnamed"}-`;
}

/** The labels of a claim that holds the lease from then until then. */
export function heldLabels(
  projectUid: string | undefined,
  { token, facts, scope }: Tenant,
  since: number,
  expires: number,
): Readonly<Record<string, string>> {
  return {
    [`${PREFIX}project`]: projectUid ?? "unnamed",
    [`${PREFIX}token`]: token,
    [`${PREFIX}holder`]: encodeHolder(facts),
    ...(scope === undefined ? {} : { [`${PREFIX}scope`]: scope }),
    [`${PREFIX}since`]: toIso(since),
    [`${PREFIX}expires`]: toIso(expires),
  };
}

/** The labels of a claim that leaves the lease to whoever comes next. */
export function releasedLabels(
  projectUid: string | undefined,
  by: HolderFacts,
): Readonly<Record<string, string>> {
  return {
    [`${PREFIX}project`]: projectUid ?? "unnamed",
    [`${PREFIX}released-by`]: encodeHolder(by),
  };
}

type Claims = readonly {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Engine time (ms). */
  readonly createdAt?: number;
}[];

/** The numbers of the claims with that prefix, ascending; what has no number is none of ours. */
export function leaseNumbers(claims: Claims, prefix: string): readonly number[] {
  return numbered(claims, prefix).map(({ number }) => number);
}

/** The claim that counts: the highest; undefined: there is none. */
export function currentLease(claims: Claims, prefix: string): Lease | undefined {
  const row = numbered(claims, prefix);
  const highest = row.at(-1);
  if (highest === undefined) return undefined;
  const { number, labels, createdAt } = highest;
  const state = decode(labels);
  if (state.kind !== "unreadable" || createdAt === undefined) return { number, state };
  // Who had it before may still rely on that while the next claim could not be made or looked at.
  const ends = row.map((each) => decode(each.labels)).map(endOf);
  return { number, state: { ...state, until: Math.max(createdAt + UNREADABLE_MS, ...ends) } };
}

function endOf(state: Lease["state"]): number {
  return state.kind === "held" ? state.expires : 0;
}

function numbered(claims: Claims, prefix: string) {
  return claims
    .flatMap(({ name, labels, createdAt }) => {
      const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
      return /^[1-9]\d{0,14}$/.test(digits) ? [{ number: Number(digits), labels, createdAt }] : [];
    })
    .sort((one, other) => one.number - other.number);
}

function decode(labels: Readonly<Record<string, string>>): Lease["state"] {
  const text = (key: string) => labels[`${PREFIX}${key}`] ?? "";
  const since = fromIso(text("since"));
  const expires = fromIso(text("expires"));
  const holder = describeHolder(text("holder"));
  const token = text("token");
  if (token !== "" && holder !== undefined && since !== undefined && expires !== undefined) {
    const scope = text("scope") || undefined;
    return { kind: "held", token, holder, scope, since, expires };
  }
  const by = describeHolder(text("released-by"));
  return by === undefined
    ? { kind: "unreadable", until: undefined }
    : { kind: "released", holder: by };
}

/** Whether a lease keeps others out at that time. */
export function isInForce({ state }: Lease, now: number): boolean {
  switch (state.kind) {
    case "held":
      return now < state.expires;
    case "released":
      return false;
    case "unreadable":
      return state.until === undefined || now < state.until;
  }
}

/**
 * Whether a lease keeps a run out at that time. One that was taken under the process lock which this run holds now does
 * not: its run must be gone, because the lock ends with its process and no sooner than the lease is given back.
 */
export function keepsOut(lease: Lease, { scope }: Tenant, now: number): boolean {
  const { state } = lease;
  const isPredecessor = state.kind === "held" && scope !== undefined && state.scope === scope;
  return isInForce(lease, now) && !isPredecessor;
}

/** Who has it, since when and until when. */
export function describeLease({ number, state }: Lease): string {
  switch (state.kind) {
    case "held":
      return `${state.holder}; taken ${toIso(state.since)}, expires ${toIso(state.expires)}`;
    case "released":
      return `nobody, released by ${state.holder}`;
    case "unreadable": {
      const end = state.until === undefined ? "" : `; it counts until ${toIso(state.until)}`;
      return `nobody knows whom: the labels of claim ${number} cannot be read${end}`;
    }
  }
}
