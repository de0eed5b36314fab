// The port to the person or machine that watches: use cases tell it what happens and never print.

import type { ProbeFacts } from "../core/observed.ts";
import type { Action, Plan } from "../core/plan/types.ts";
import type { StatusDocument } from "../core/status-types.ts";

/** How one action ended. */
export type ActionOutcome =
  /** `probe`: what a worker answered; `words`: what is worth saying though it is done. */
  | { readonly kind: "done"; readonly probe?: ProbeFacts; readonly words?: string }
  /** The facts it was planned on no longer held, so the call was not made. */
  | { readonly kind: "dropped"; readonly because: string }
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  /** An action it needs did not get done, or the pass stopped starting new work. */
  | { readonly kind: "skipped"; readonly because: string }
  /** Asked for, and the engine did not say whether it happened. */
  | { readonly kind: "uncertain"; readonly message: string };

export type ProgressEvent =
  /** What a person is about to be asked about. */
  | { readonly kind: "proposed"; readonly plan: Plan }
  | { readonly kind: "pass-planned"; readonly pass: number; readonly plan: Plan }
  | { readonly kind: "action-started"; readonly action: Action }
  | {
      readonly kind: "action-ended";
      readonly action: Action;
      readonly outcome: ActionOutcome;
      readonly milliseconds: number;
    }
  /** A worker has failed its revision and is set aside; `group` is a UID. */
  | {
      readonly kind: "failed-worker";
      readonly group: string;
      readonly name: string;
      readonly because: string;
      /** The last it wrote, oldest first; none where it wrote nothing or its log cannot be read. */
      readonly lines: readonly string[];
    }
  | { readonly kind: "pull-progress"; readonly image: string; readonly line: string }
  /** Nothing to do until the engine moves; `waitingFor` is one phrase per group. */
  | { readonly kind: "waiting"; readonly waitingFor: readonly string[] }
  | { readonly kind: "lock-waiting"; readonly holder: string }
  | { readonly kind: "notice"; readonly severity: "info" | "warning"; readonly message: string }
  | { readonly kind: "status"; readonly status: StatusDocument };

/** A question with the answer a machine gives. */
export type Question = { readonly text: string; readonly byDefault: boolean };

export interface Reporter {
  notify(event: ProgressEvent): void;
  /** Resolves with false when the signal fires before there is an answer. */
  ask(question: Question, signal: AbortSignal): Promise<boolean>;
}
