// What a plan is: plain data that says what this pass does, what it leaves, and why.

import type { Foreign } from "../assess.ts";
import type { DesiredGroup, GroupIdentity, Quiet } from "../model.ts";
import type { ProbeFacts, ResourceLimits } from "../observed.ts";
import type {
  Counts,
  FailureRecord,
  ProgressRecord,
  Refusal,
  UncertainRecord,
} from "../status-types.ts";
import type { Phase, Worker } from "../worker.ts";

/** Why an action is planned: a closed list, the same in output, labels and status. */
export type Reason =
  | "missing"
  | "template-changed"
  | "file-changed" // in nothing but what its secret and config files hold
  | "image-changed"
  | "nonce"
  | "adopted" // somebody else made it, and a worker takes its place
  | "scale-down"
  | "over-surge"
  | "duplicate"
  | "unhealthy"
  | "not-ready"
  | "exited"
  | "start-failed"
  | "failed" // it failed its revision, and is set aside for inspection
  | "rollback"
  | "completed" // a rollout has made it useless
  | "drift"
  | "deleted"
  | "pruned"
  | "leaving"; // it was on its way out already; the first reason went with the pass that had it

/** An existing container an action is about, with the facts that must still hold when it is done. */
export type Target = {
  readonly id: string;
  readonly name: string;
  readonly run: Worker["facts"]["run"]["kind"];
  /** `StartedAt` in milliseconds; undefined: never started. */
  readonly startedAt: number | undefined;
};

/** A worker that does not exist yet. */
export type NewWorker = {
  readonly name: string;
  readonly slot: number;
  readonly attempt: number;
  readonly revision: string;
};

/** One engine call, safe to repeat, that never waits. */
export type ActionCall =
  | { readonly kind: "pull-image"; readonly image: string }
  | { readonly kind: "create"; readonly worker: NewWorker }
  /** `target` is undefined for a worker that a create of the same pass makes. */
  | { readonly kind: "start"; readonly name: string; readonly target: Target | undefined }
  | { readonly kind: "arm"; readonly target: Target; readonly policy: string }
  | { readonly kind: "disarm"; readonly target: Target }
  /** Into a phase, `.stopping-<unix seconds>`, by the engine's clock at that moment; `none`: back to its own name. */
  | { readonly kind: "rename"; readonly target: Target; readonly phase: Phase["kind"] | "none" }
  /** Tells it to take no new work. */
  | { readonly kind: "quiet"; readonly target: Target; readonly by: Quiet }
  /** A command run in it, whose result enters the next snapshot. */
  | {
      readonly kind: "probe";
      readonly target: Target;
      readonly asks: ProbeFacts["asks"];
      readonly exec: readonly string[];
    }
  | { readonly kind: "update-in-place"; readonly target: Target; readonly limits: ResourceLimits }
  | { readonly kind: "signal"; readonly target: Target; readonly signal: string }
  | { readonly kind: "kill"; readonly target: Target }
  /** `keepsVolumes`: what it has in anonymous volumes stays on the engine. */
  | { readonly kind: "remove"; readonly target: Target; readonly keepsVolumes?: true };

export type ActionKind = ActionCall["kind"];

export type Action = ActionCall & {
  /** The same for the same decision, and unique in a plan: `signal mailer-1-1f2e3d4c`. */
  readonly id: string;
  /** UID of the group. */
  readonly group: string;
  /** 0 for what belongs to no slot. */
  readonly slot: number;
  readonly reason: Reason;
  /** What the reason rests on, for a person: the pick's rank, the state, both image ids. */
  readonly detail: string;
  /** Paths in the template that differ, `environment.QUEUE`. */
  readonly paths: readonly string[];
  /** Ids of actions of the same plan that must have been done first. */
  readonly needs: readonly string[];
};

/** Why a group is held, wholly or in part. */
export type Block = {
  readonly code:
    | "InvalidSpec"
    | "Suspended"
    | "Paused"
    | "OwnershipConflict"
    | "NameConflict"
    | "NewerVersion"
    | "NewerCommit"
    | "RevisionFailed"
    | "RolledBack"
    | "WorkerUnknown"
    | "WorkerPaused"
    | "ImageMissing"
    | "ImagePullFailed"
    | "NetworkMissing"
    | "InsufficientCapacity"
    | "BackingOff";
  readonly message: string;
};

/** Why a group starts and retires nothing for a while: a call of this run failed. */
export type Hold = Block & {
  /** What failed was to make or start a new worker, and speaks against none that comes back. */
  readonly isOfNew?: true;
};

/** What lies ahead of a group, in closed form. */
export type Forecast = {
  /** Engine calls until nothing is left to do, this pass included. */
  readonly actions: number;
  /** Rounds of retire-and-replace. */
  readonly waves: number;
  /** Upper bound of the time that is known beforehand: drains, grace periods, minReadySeconds, a back-off under way. */
  readonly worstCaseSeconds: number;
  /** True when workers must start, which takes a time that nobody knows beforehand. */
  readonly plusStartUp: boolean;
  /** Why it cannot be completed as things stand, as a sentence without a final stop; undefined: nothing is in the way. */
  readonly obstacle: string | undefined;
};

export type GroupPlan = {
  readonly identity: GroupIdentity;
  /** Undefined: the group left the project. */
  readonly desired: DesiredGroup | undefined;
  readonly leaving: "deleted" | "pruned" | undefined;
  readonly generation: number;
  /** Hex revision of the desired workers; undefined until the image is on the engine. */
  readonly revision: string | undefined;
  readonly imageId: string | undefined;
  /** Digest of the canonical spec; undefined where there is no valid one. */
  readonly spec: string | undefined;
  readonly workers: readonly Worker[];
  /** Containers under our labels that are not ours; reported, never touched. */
  readonly foreign: readonly Foreign[];
  /** What is worth saying although nothing is done about it. */
  readonly notices: readonly string[];
  readonly counts: Counts;
  /** Names of the workers that are still to be made, in this pass or later ones. */
  readonly namesToCome: readonly string[];
  /** Creates without an answer that still count as existing. */
  readonly uncertain: readonly UncertainRecord[];
  /** Failed attempts to remember, the ones seen now included. */
  readonly failures: readonly FailureRecord[];
  /** Every slot has an available worker of the desired revision. */
  readonly isComplete: boolean;
  /** The desired revision has failed and is not tried again. */
  readonly isBlocked: boolean;
  /** It failed because the engine makes no worker of it. */
  readonly refused: Refusal | undefined;
  /** A worker keeps ending before it is available, and is tried again for ever. */
  readonly isLooping: boolean;
  readonly progress: ProgressRecord | undefined;
  /** Nothing has got on for as long as the progress deadline. */
  readonly isOverdue: boolean;
  readonly blocks: readonly Block[];
  /** True when nothing is left to do and every desired worker is available. */
  readonly converged: boolean;
  /** What will change by itself, one phrase each: `2 workers to become available`. */
  readonly waitingFor: readonly string[];
  /** Engine time at which something becomes due that no event announces. */
  readonly dueAt: number | undefined;
  readonly forecast: Forecast;
};

/** A group on the engine that no manifest declares any more. */
export type Orphan = { readonly identity: GroupIdentity; readonly workers: number };

export type Plan = {
  /** Engine time the plan was made for. */
  readonly now: number;
  readonly groups: readonly GroupPlan[];
  /** In an order that respects `needs`. */
  readonly actions: readonly Action[];
  /** What the budget left for the next pass. */
  readonly deferred: readonly Action[];
  /** Groups of this project without a manifest that are left alone because prune is off. */
  readonly orphans: readonly Orphan[];
};
