// Carries out the actions of one pass: in order of need, several at a time, and never one that was not planned.
// It holds no decision about workers; what failed or was left is for the next plan.

import { hasCode } from "../core/errors.ts";
import type { Action, Plan } from "../core/plan/types.ts";
import { type PerformContext, perform } from "./perform.ts";
import type { ActionOutcome, Reporter } from "./reporter.ts";
import { SlowStart } from "./slow-start.ts";

export type ExecuteOptions = PerformContext & {
  readonly reporter: Reporter;
  /** Told what came of each action. */
  readonly note: (action: Action, outcome: ActionOutcome) => void;
  /** Resolves when a call may be made; throws `aborted`, and has fired `stop`, where the run may change nothing more. */
  readonly permit: () => Promise<void>;
  /** False once nothing new may begin, because it could not be told. */
  readonly mayGoOn: () => boolean;
  /** Creates, starts and pulls in flight at most. */
  readonly startsAtOnce: number;
  /** Calls on existing workers in flight at most. */
  readonly stopsAtOnce: number;
};

/** Fired `stop`: nothing new begins, calls under way finish, pulls end. Fired `abort`: calls under way end too. */
export type Interrupts = { readonly stop: AbortSignal; readonly abort: AbortSignal };

export type Ended = { readonly action: Action; readonly outcome: ActionOutcome };

/** Resolves with the outcome of every action of the plan, in the order in which they ended. */
export async function execute(
  plan: Plan,
  options: ExecuteOptions,
  interrupts: Interrupts,
): Promise<readonly Ended[]> {
  const pass = new Pass(plan.actions, options, interrupts);
  await pass.run();
  return pass.ended;
}

class Pass {
  readonly ended: Ended[] = [];
  readonly #options: ExecuteOptions;
  readonly #interrupts: Interrupts;
  readonly #outcomes = new Map<string, ActionOutcome>();
  readonly #running = new Map<Action, Promise<void>>();
  readonly #slowStart: SlowStart;
  #waiting: readonly Action[];
  #defect: unknown;

  constructor(actions: readonly Action[], options: ExecuteOptions, interrupts: Interrupts) {
    this.#waiting = actions;
    this.#options = options;
    this.#interrupts = interrupts;
    this.#slowStart = new SlowStart(options.startsAtOnce);
  }

  async run(): Promise<void> {
    while (this.#waiting.length + this.#running.size > 0) {
      this.#skipHopeless();
      this.#launchReady();
      if (this.#running.size > 0) await Promise.race(this.#running.values());
      else if (this.#waiting.length > 0)
        throw new Error("actions need what the plan does not hold");
    }
    if (this.#defect !== undefined) throw this.#defect;
  }

  /** Takes out of the queue what cannot be done any more in this pass. */
  #skipHopeless(): void {
    const hopeful: Action[] = [];
    for (const action of this.#waiting) {
      const because = this.#hopeless(action);
      if (because === undefined) hopeful.push(action);
      else this.#end(action, { kind: "skipped", because }, 0);
    }
    this.#waiting = hopeful;
  }

  #hopeless(action: Action): string | undefined {
    if (this.#isStopping()) return "the run is stopping";
    if (!this.#options.mayGoOn()) return "the journal cannot be written";
    const failed = action.needs.find((id) => {
      const outcome = this.#outcomes.get(id);
      return outcome !== undefined && outcome.kind !== "done";
    });
    if (failed !== undefined) return `${failed} was not done`;
    if (isStarting(action) && this.#slowStart.isHalted(action.group)) {
      return "another start of the group failed";
    }
    return undefined;
  }

  #launchReady(): void {
    const left: Action[] = [];
    for (const action of this.#waiting) {
      if (this.#isReady(action)) this.#launch(action);
      else left.push(action);
    }
    this.#waiting = left;
  }

  #isReady(action: Action): boolean {
    if (!action.needs.every((id) => this.#outcomes.get(id)?.kind === "done")) return false;
    if (isPrune(action) && this.#isBusyWithDeclared()) return false;
    const inFlight = [...this.#running.keys()];
    const { startsAtOnce, stopsAtOnce } = this.#options;
    if (!isStarting(action))
      return inFlight.filter((each) => !isStarting(each)).length < stopsAtOnce;
    const starts = inFlight.filter(isStarting);
    const own = starts.filter((each) => each.group === action.group).length;
    return starts.length < startsAtOnce && own < this.#slowStart.window(action.group);
  }

  /** Whatever is declared comes before what no manifest declares any more. */
  #isBusyWithDeclared(): boolean {
    return [...this.#waiting, ...this.#running.keys()].some((action) => !isPrune(action));
  }

  #launch(action: Action): void {
    this.#options.reporter.notify({ kind: "action-started", action });
    const began = this.#options.ticks();
    const signal = action.kind === "pull-image" ? this.#interrupts.stop : this.#interrupts.abort;
    const done = this.#options
      .permit()
      .then(() => perform(action, this.#options, AbortSignal.any([signal, this.#interrupts.abort])))
      .catch((error: unknown) => this.#interrupted(error))
      .then((outcome) => this.#end(action, outcome, this.#options.ticks() - began));
    this.#running.set(action, done);
  }

  #isStopping(): boolean {
    return this.#interrupts.stop.aborted || this.#defect !== undefined;
  }

  /** An abort that was asked for ends the action; anything else is a defect, thrown once calls under way are done. */
  #interrupted(error: unknown): ActionOutcome {
    const wasAsked = this.#interrupts.stop.aborted || this.#interrupts.abort.aborted;
    if (!(wasAsked && hasCode(error, "aborted"))) this.#defect ??= error;
    return { kind: "skipped", because: "the run is stopping" };
  }

  #end(action: Action, outcome: ActionOutcome, milliseconds: number): void {
    this.#running.delete(action);
    this.#outcomes.set(action.id, outcome);
    this.#options.note(action, outcome);
    this.ended.push({ action, outcome });
    if (isStarting(action)) this.#slowStart.note(action.group, outcome);
    this.#options.reporter.notify({ kind: "action-ended", action, outcome, milliseconds });
  }
}

function isStarting({ kind }: Action): boolean {
  return kind === "create" || kind === "start" || kind === "pull-image";
}

function isPrune({ reason }: Action): boolean {
  return reason === "pruned";
}
