// Desired state: what a person declared, after parsing and before anything was observed.

import type { Secrets } from "./secrets.ts";
import type { Template } from "./template.ts";

/** Where a value stands in a file: 1-based line and column. */
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** One thing wrong in a file, complete enough to be shown alone. */
export type Problem = {
  readonly severity: "error" | "warning";
  readonly place: Place;
  /** Dotted path in the document, `spec.rollout.maxSurge`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** What would be right, as a sentence without a final stop. */
  readonly hint?: string;
  /** The lines around the place, with a marker; absent where showing them could show a secret. */
  readonly frame?: string;
  /** Of a lint: its name, by which a manifest silences it. */
  readonly lint?: string;
};

/** What names a group, readable even where its spec is not. */
export type GroupIdentity = {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
};

/** A group as declared. An invalid spec blocks only its own group, so its identity is kept apart. */
export type DesiredGroup =
  | {
      readonly kind: "valid";
      readonly identity: GroupIdentity;
      readonly deletionTimestamp: string | undefined;
      readonly place: Place;
      readonly spec: GroupSpec;
      /**
       * Full ids of containers that somebody else made and that its workers take the place of, the first in slot 1;
       * absent: none. What a group is to be does not rest on them, so they are no part of its spec.
       */
      readonly adopt?: readonly string[];
      /** Digest of the canonical spec, where whoever read it has made it. */
      readonly specDigest?: string;
      /** What the seals in the template stand for; absent: there are none. */
      readonly secrets?: Secrets;
    }
  | {
      readonly kind: "invalid";
      readonly identity: GroupIdentity;
      readonly deletionTimestamp: string | undefined;
      readonly place: Place;
      readonly problems: readonly Problem[];
    };

export type GroupSpec = {
  readonly replicas: number;
  readonly template: Template;
  readonly pullPolicy: PullPolicy;
  readonly rollout: RolloutPolicy;
  /** Absent: a worker is asked to stop by its stop signal alone. */
  readonly drain?: DrainPolicy;
  /** Only what the user set. */
  readonly onExit?: ExitPolicy;
  readonly onUnhealthy: "Replace" | "Report";
  readonly restartNonce: string;
  readonly suspend: boolean;
};

/** When an image is pulled that the engine has: where its registry has another one, asked in every run or now and then. */
export type PullPolicy =
  | "missing"
  | "never"
  | "always"
  | { readonly kind: "every"; readonly seconds: number };

export type RolloutPolicy = {
  readonly strategy: "RollingUpdate" | "Recreate";
  readonly maxUnavailable: Amount;
  readonly maxSurge: Amount;
  readonly minReadySeconds: number;
  readonly healthyDeadlineSeconds: number;
  readonly progressDeadlineSeconds: number;
  /** What becomes of a revision that fails: it stays as far as it came, or the last completed one comes back. */
  readonly onFailure: "Pause" | "Rollback";
  readonly paused: boolean;
};

/** How a worker is brought to an end, before its stop signal. */
export type DrainPolicy = {
  /** What tells it to take no new work. */
  readonly quiet?: Quiet;
  /** It is drained once this command, run in it, exits 0, or once its time is over. */
  readonly waitFor?: { readonly exec: readonly string[]; readonly timeoutSeconds: number };
  /** A command that exits 0 in a worker with nothing to do: such go first when a group shrinks. */
  readonly idle?: { readonly exec: readonly string[] };
};

export type Quiet =
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "exec"; readonly exec: readonly string[] };

/** What becomes of a worker that the engine left exited. `Leave`: it has done its work and fills its slot. */
export type ExitAction = "Recreate" | "Restart" | "Leave";

export type ExitPolicy = { readonly success?: ExitAction; readonly failure?: ExitAction };

/** A count, or a share of `replicas`. */
export type Amount =
  | { readonly kind: "count"; readonly count: number }
  | { readonly kind: "percent"; readonly percent: number };

/** The project: the ownership domain for prune and lock. */
export type Project = {
  readonly name: string;
  readonly uid: string;
  /** Absolute folder of `wgctl.yaml`. */
  readonly root: string;
  /** Files and folders of manifests, absolute. */
  readonly manifests: readonly string[];
  /** Docker context the project is for; undefined: whatever the docker CLI would use. */
  readonly context: string | undefined;
  readonly actionsPerPass: number;
  /** Variables of the shell that manifests may read. */
  readonly env: readonly string[];
  readonly prune: boolean;
};
