// What `apply` is given and what it gives back.

import type { Plan } from "../core/plan/types.ts";
import type { StatusDocument } from "../core/status-types.ts";
import type { Engine } from "../engine/engine.ts";
import type { Journal } from "../store/journal.ts";
import type { LeaseTerms } from "./lease-keeper.ts";
import type { Reporter } from "./reporter.ts";
import type { StartTimer } from "./timer.ts";
import type { Ending, ExitCode } from "./verdict.ts";
import type { Workspace } from "./workspace.ts";

export type ApplyOptions = {
  readonly prune: boolean;
  readonly allowMassDelete: boolean;
  /** Act even where a newer checkout made the workers. */
  readonly allowOlder: boolean;
  /** Try a revision again that failed before this run. */
  readonly retry?: boolean;
  /** Ask before the first action. */
  readonly confirm: boolean;
  readonly once: boolean;
  /** Wait for what was started to become available. */
  readonly wait: boolean;
  readonly verify: boolean;
  /** Engine calls of one pass, and of the whole run, at most. */
  readonly actionsPerPass: number;
  readonly maxActions: number;
  readonly timeoutMs: number;
  /** Deadline of one engine call. */
  readonly callDeadlineMs: number;
  readonly detailedExitCode: boolean;
};

/** What a run needs from outside; clocks and chance are arguments. */
export type ApplyDependencies = {
  readonly engine: Engine;
  readonly reporter: Reporter;
  readonly workspace: Workspace;
  readonly memory: StatusDocument | undefined;
  readonly journal: Journal;
  /** Absent: nobody else can reach this engine at the same time. */
  readonly lease?: LeaseTerms;
  readonly mintTaskId: () => string;
  /** Milliseconds from any fixed point. */
  readonly ticks: () => number;
  /** Milliseconds since 1970, for when the engine's own clock cannot be had. */
  readonly now: () => number;
  /** Real time unless given: who keeps time in another way keeps the run's time-out, too. */
  readonly startTimer?: StartTimer;
};

export type ApplyResult = {
  readonly exit: ExitCode;
  readonly ending: Ending;
  /** The last plan, made on the last observation. */
  readonly plan: Plan;
  /** Actions done in this run, and the passes that had any. */
  readonly done: number;
  readonly passes: number;
  /** `--verify` found that a settled engine asks for something again. */
  readonly isUnstable: boolean;
};
