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
    case "template":
      return { reason: "template-changed", detail: "", paths: first.paths };
    case "image":
      return because("image-changed", `${shortImage(first.from)} -> ${shortImage(first.to)}`);
    case "network":
      return because("drift", `not on network ${first.missing.join(", ")}`);
    case "nonce":
    case undefined:
      return because("nonce", "restartNonce changed");
  }
}

const ORDER = { template: 0, image: 1, nonce: 2, network: 3 } as const;

/** An image id as docker shows it: `sha256:4c079ff262ab`. */
export function shortImage(id: string): string {
  return /^sha256:[0-9a-f]{64}$/.test(id) ? id.slice(0, "sha256:".length + 12) : id;
}
