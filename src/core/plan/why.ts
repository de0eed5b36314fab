// Words for decisions: why a worker goes or comes, as a reason a machine knows and a detail a person reads.

import type { Worker } from "../worker.ts";
import type { Reason } from "./types.ts";

export type Why = {
  readonly reason: Reason;
  readonly detail: string;
  readonly paths: readonly string[];
};

/** A reason with no template paths behind it. */
export function because(reason: Reason, detail: string): Why {
  return { reason, detail, paths: [] };
}

/** Why a worker is not of the desired revision. The template is named first: it is what a person changed. */
export function whyOld({ differences }: Worker): Why {
  const [first] = [...differences].sort((one, other) => ORDER[one.kind] - ORDER[other.kind]);
  switch (first?.kind) {
    case "adopted":
      return { reason: "adopted", detail: "not made by wgctl", paths: pathsIn(differences) };
    case "template":
      return { reason: "template-changed", detail: "", paths: pathsIn(differences) };
    case "file":
      return { reason: "file-changed", detail: "", paths: first.paths };
    case "image":
      return because("image-changed", `${shortImage(first.from)} -> ${shortImage(first.to)}`);
    case "network":
      return because("drift", `not on network ${first.missing.join(", ")}`);
    case "nonce":
    case undefined:
      return because("nonce", "restartNonce changed");
  }
}

/** Who made it says more than what it was made from. */
const ORDER = { adopted: 0, template: 1, file: 2, image: 3, nonce: 4, network: 5 } as const;

function pathsIn(differences: Worker["differences"]): readonly string[] {
  return differences.flatMap((each) => ("paths" in each ? each.paths : [])).sort();
}

/** What a worker is at, as a detail: how it ended, or its state. */
export function stateWords({ state, facts: { run } }: Worker): string {
  if (run.kind !== "exited") return state;
  return run.oomKilled ? "out of memory" : `exit code ${run.exitCode}`;
}

/** What came of asking a worker to go: how its jobs ended tells whether its drain is long enough. */
export function howItEnds({ facts: { run }, phase }: Worker): string {
  if (run.kind !== "exited") return "it was asked to stop";
  if (run.oomKilled) return "it ran out of memory";
  if (phase?.kind === "draining") return `it ended by itself, exit code ${run.exitCode}`;
  return run.exitCode === KILLED ? "killed after its grace" : `drained, exit code ${run.exitCode}`;
}

const KILLED = 137;

/** An image id as docker shows it: `sha256:4c079ff262ab`. */
export function shortImage(id: string): string {
  return /^sha256:[0-9a-f]{64}$/.test(id) ? id.slice(0, "sha256:".length + 12) : id;
}
