// How a run ends: whether it is over after a plan, and the exit code that its last plan deserves.

import type { Block, GroupPlan, Plan } from "../core/plan/types.ts";

/** Exit codes of section "Exit codes" in the README. */
export const EXIT = {
  done: 0,
  retryable: 1,
  changesPending: 2,
  userMustAct: 3,
  stale: 4,
  locked: 5,
  rolloutFailed: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BLOCK_EXITS = {
  InvalidSpec: EXIT.userMustAct,
  OwnershipConflict: EXIT.userMustAct,
  NameConflict: EXIT.userMustAct,
  NewerVersion: EXIT.stale,
  NewerCommit: EXIT.stale,
  Suspended: EXIT.done,
  Paused: EXIT.done,
  RevisionFailed: EXIT.rolloutFailed,
  RolledBack: EXIT.rolloutFailed,
  WorkerUnknown: EXIT.retryable,
  WorkerPaused: EXIT.retryable,
  ImageMissing: EXIT.retryable,
  ImagePullFailed: EXIT.retryable,
  NetworkMissing: EXIT.retryable,
  InsufficientCapacity: EXIT.retryable,
  BackingOff: EXIT.retryable,
} as const satisfies Record<Block["code"], ExitCode>;

/** The graver code wins: what a person must know before anything else. */
const GRAVITY: readonly ExitCode[] = [
  EXIT.stale,
  EXIT.userMustAct,
  EXIT.rolloutFailed,
  EXIT.locked,
  EXIT.retryable,
  EXIT.changesPending,
  EXIT.done,
];

export function gravest(codes: readonly ExitCode[]): ExitCode {
  return GRAVITY.find((code) => codes.includes(code)) ?? EXIT.done;
}

/** The code that a group's blocks ask for, whatever else is to be done. */
export function blockExit(group: GroupPlan): ExitCode {
  return gravest(group.blocks.map((block) => BLOCK_EXITS[block.code]));
}

/** What a plan by itself deserves: only what a person must act on is more than "computed". */
export function planExit(plan: Plan, detailed: boolean): ExitCode {
  const refusals = plan.groups
    .map(blockExit)
    .filter((code) => code === EXIT.userMustAct || code === EXIT.stale);
  const isPending = plan.actions.length + plan.deferred.length > 0;
  return gravest([...refusals, detailed && isPending ? EXIT.changesPending : EXIT.done]);
}

/** Why a run ended. */
export type Ending =
  | "settled"
  | "bounded"
  | "timed-out"
  | "declined"
  | "interrupted"
  | "lease-lost";

/** Where a run stands after a plan. */
export type RunState = {
  readonly interrupted: boolean;
  readonly isLeaseLost: boolean;
  /** Nothing more may begin, for whatever reason. */
  readonly isStopped: boolean;
  readonly once: boolean;
  readonly wait: boolean;
  /** Passes that `once` counts. */
  readonly rounds: number;
  readonly actionsLeft: number;
  /** Nothing about the group will change by itself or by trying again. */
  readonly isSettled: (group: GroupPlan) => boolean;
};

/** Why a run is over after a plan; undefined: it is not. */
export function endingAfter(plan: Plan, run: RunState): Ending | undefined {
  if (run.interrupted) return "interrupted";
  const isIdle = plan.actions.length === 0;
  const isDone = isIdle && plan.deferred.length === 0;
  if (isDone && plan.groups.every(run.isSettled)) return "settled";
  if (run.isLeaseLost) return "lease-lost";
  if (run.isStopped) return "timed-out";
  const isBounded =
    (run.once && (isIdle || run.rounds > 0)) || (isIdle && (!run.wait || run.actionsLeft <= 0));
  return isBounded ? "bounded" : undefined;
}

/** What an apply came to, judged by a plan on its last observation. */
export function applyExit(
  last: Plan,
  ending: Ending,
  hasFailures: boolean,
  detailed: boolean,
): ExitCode {
  const codes = last.groups.map((group) => groupExit(group, ending));
  const isPending = last.groups.some((group) => !group.converged);
  if (hasFailures) codes.push(EXIT.retryable);
  if (detailed && isPending) codes.push(EXIT.changesPending);
  return gravest(codes);
}

function groupExit(group: GroupPlan, ending: Ending): ExitCode {
  if (group.converged) return EXIT.done;
  if (group.blocks.length > 0) return blockExit(group);
  if (ending === "declined") return EXIT.done;
  if (group.isLooping || group.isOverdue) return EXIT.rolloutFailed;
  return ending === "bounded" ? EXIT.done : EXIT.retryable;
}
