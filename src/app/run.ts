// One run of `apply`: what it has learnt so far, and the steps its loop is made of.

import type { GroupPlan, Plan } from "../core/plan/types.ts";
import type { ApplyDependencies, ApplyOptions, ApplyResult } from "./apply-types.ts";
import { Chronicle } from "./chronicle.ts";
import { execute, type Interrupts } from "./execute.ts";
import { tellLastWords } from "./last-words.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { Ledger } from "./ledger.ts";
import { Lineage } from "./lineage.ts";
import { awaited, pauseAfter } from "./pause.ts";
import { planPass } from "./plan-pass.ts";
import { Recorder } from "./recorder.ts";
import { engineId } from "./same-engine.ts";
import { startsAtOnce } from "./slow-start.ts";
import { startRealTimer } from "./timer.ts";
import { applyExit, type Ending, EXIT, type ExitCode, endingAfter, gravest } from "./verdict.ts";

const TORN = "the journal ended in the middle of a line, as a crash leaves it; that line is lost";
const STOPS_AT_ONCE = 4;

export class Run {
  readonly #options: ApplyOptions;
  readonly #dependencies: ApplyDependencies;
  readonly #interrupts: Interrupts;
  readonly #recorder: Recorder;
  readonly #ledger: Ledger;
  readonly #chronicle: Chronicle;
  readonly #lineage: Lineage | undefined;
  readonly #lease: LeaseKeeper | undefined;
  #engineId: string | undefined;
  #cpus: number | undefined;
  #passes = 0;
  /** Passes that `once` counts. */
  #rounds = 0;
  /** Ticks at the latest look. */
  #lookedAt = 0;
  /** Engine time (ms) of the first look. */
  #beganAt: number | undefined;

  constructor(options: ApplyOptions, dependencies: ApplyDependencies, interrupts: Interrupts) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#lease = leaseFor(dependencies);
    this.#interrupts = stoppedBy(interrupts, this.#lease?.lost);
    const { workspace, engine, memory, journal } = dependencies;
    this.#ledger = new Ledger(dependencies.ticks);
    this.#recorder = new Recorder(workspace, engine.endpoint, memory);
    this.#chronicle = new Chronicle(journal, options.callDeadlineMs);
    this.#lineage = options.allowOlder
      ? undefined
      : new Lineage(workspace.folder, (message) => this.#warn(message));
  }

  /**
   * Observes and plans; where something is to be done, under the lease, and once more where that was taken just now.
   * An engine that cannot be observed makes every condition Unknown.
   */
  async look(): Promise<Plan> {
    try {
      const plan = await this.#plan();
      this.#engineId ??= await this.#checkEngine(plan);
      const isNewHere = plan.actions.length > 0 && (await this.#secure());
      return isNewHere ? await this.#plan() : plan;
    } catch (error) {
      await this.#recorder.recordUnreachable(error, this.#dependencies.now());
      throw error;
    }
  }

  /** True: the lease was taken just now, and others may have changed what was seen. */
  async #secure(): Promise<boolean> {
    return (await this.#lease?.secure(this.#interrupts.stop)) ?? false;
  }

  /** Gives back what keeps others out. */
  async release(): Promise<void> {
    await this.#lease?.release(this.#interrupts.abort);
  }

  #checkEngine(plan: Plan): Promise<string> {
    const { engine } = this.#dependencies;
    return engineId(engine, this.#recorder.memory, plan, this.#interrupts.abort);
  }

  async #plan(): Promise<Plan> {
    const { workspace, engine, ticks } = this.#dependencies;
    const { prune, allowMassDelete, actionsPerPass, retry } = this.#options;
    const budget = Math.max(0, Math.min(actionsPerPass, this.#actionsLeft()));
    const { setbacks } = this.#ledger;
    const [holds, refusals] = [setbacks.holds(ticks()), setbacks.refusals()];
    const { memory } = this.#recorder;
    const { pending } = this.#chronicle;
    const { probes, watch } = this.#ledger;
    this.#lookedAt = ticks();
    const retryBefore = retry === true ? (this.#beganAt ?? "now") : undefined;
    const plan = await planPass(
      engine,
      {
        ...{ workspace, memory, pending, probes, prune, allowMassDelete, budget, holds, refusals },
        ...{ retryBefore, watch, lineage: this.#lineage },
      },
      this.#interrupts.abort,
    );
    this.#beganAt ??= plan.now;
    return plan;
  }

  #warn(message: string): void {
    this.#dependencies.reporter.notify({ kind: "notice", severity: "warning", message });
  }

  #actionsLeft(): number {
    return this.#options.maxActions - this.#ledger.attempted;
  }

  /**
   * Writes the status where the plan's observation says anything new, and settles the journal by it. Throws where
   * either cannot be written, now or in the pass before: then the run is over.
   */
  async record(plan: Plan): Promise<void> {
    if (this.#engineId === undefined) return;
    await this.#recorder.record(plan, this.#engineId, this.#ledger);
    this.#chronicle.settle(plan, !this.#dependencies.workspace.narrowed);
    if (this.#chronicle.trouble !== undefined) throw this.#chronicle.trouble;
  }

  /** Shows the plan and asks, where a person is there to be asked. */
  async isApproved(plan: Plan): Promise<boolean> {
    if (!this.#options.confirm || plan.actions.length === 0) return true;
    const { reporter } = this.#dependencies;
    reporter.notify({ kind: "proposed", plan });
    return reporter.ask({ text: "apply these actions?", byDefault: true }, this.#interrupts.stop);
  }

  /** Why the run is over after a plan; undefined: it is not. */
  endingAfter(plan: Plan, interrupted: boolean): Ending | undefined {
    const { once, wait } = this.#options;
    return endingAfter(plan, {
      ...{ interrupted, once, wait, rounds: this.#rounds, actionsLeft: this.#actionsLeft() },
      isLeaseLost: this.#lease?.loss !== undefined,
      isStopped: this.#interrupts.stop.aborted,
      isSettled: (group) => this.#isSettled(group),
    });
  }

  /** Nothing about the group will change by itself or by trying again. */
  #isSettled(group: GroupPlan): boolean {
    if (group.converged || group.isOverdue) return true;
    if (this.#ledger.willTryAgain(group)) return false;
    return group.waitingFor.length === 0 && group.dueAt === undefined;
  }

  /** The first pass that only asks is part of the one that acts on the answers. */
  #countPass({ actions }: Plan): void {
    const onlyAsks = actions.every(({ kind }) => kind === "probe");
    if (!onlyAsks || this.#passes > 0) this.#rounds += 1;
    this.#passes += 1;
  }

  /** Carries out a plan and takes in what came of it. */
  async act(plan: Plan): Promise<void> {
    const { engine, reporter, workspace, mintTaskId, ticks } = this.#dependencies;
    const lookedAt = this.#lookedAt;
    const made = new Map<string, string>();
    if (this.#chronicle.isTorn) this.#warn(TORN);
    await this.#chronicle.begin({ plan, made, now: () => plan.now + ticks() - lookedAt });
    this.#countPass(plan);
    reporter.notify({ kind: "pass-planned", pass: this.#passes, plan });
    const creates = plan.actions.some((action) => action.kind === "create");
    const ended = await execute(
      plan,
      {
        engine,
        reporter,
        mintTaskId,
        ticks,
        groups: new Map(plan.groups.map((group) => [group.identity.uid, group])),
        projectUid: workspace.project?.uid,
        commit: creates ? await this.#recorder.commit() : undefined,
        intend: (action) => this.#chronicle.intend(action),
        note: (action, outcome) => this.#chronicle.note(action, outcome),
        permit: async () => this.#lease?.permit(this.#interrupts.abort),
        mayGoOn: () => this.#chronicle.trouble === undefined,
        pullProgress: (image, line) => reporter.notify({ kind: "pull-progress", image, line }),
        made,
        startsAtOnce: await this.#startsAtOnce(),
        stopsAtOnce: STOPS_AT_ONCE,
      },
      this.#interrupts,
    );
    this.#ledger.takeIn(ended, ticks());
    await tellLastWords(ended, { reader: engine, reporter }, this.#interrupts.abort);
  }

  async #startsAtOnce(): Promise<number> {
    this.#cpus ??= (await this.#dependencies.engine.identify(this.#interrupts.abort)).cpus;
    return startsAtOnce(this.#cpus);
  }

  /** Waits for the engine to move, at most until something is due. */
  async wait(plan: Plan): Promise<void> {
    const { engine, reporter } = this.#dependencies;
    reporter.notify({ kind: "waiting", waitingFor: awaited(plan) });
    await engine.waitForChange(pauseAfter(plan), this.#interrupts.stop);
  }

  /** The result of the run, judged by its last plan. */
  async conclude(plan: Plan, ending: Ending): Promise<ApplyResult> {
    const { setbacks, isTroubled } = this.#ledger;
    const failures = setbacks.failures();
    const hasFailures =
      (ending === "bounded" && isTroubled) ||
      plan.groups.some((group) => !group.converged && failures[group.identity.uid] !== undefined);
    const judged = applyExit(plan, ending, hasFailures, this.#options.detailedExitCode);
    const exit = ending === "lease-lost" ? gravest([judged, this.#tellLoss()]) : judged;
    const isUnstable = this.#options.verify && ending === "settled" && !(await this.#isStill(plan));
    return {
      exit: isUnstable ? gravest([exit, EXIT.retryable]) : exit,
      ending,
      plan,
      done: this.#ledger.done,
      passes: this.#passes,
      isUnstable,
    };
  }

  /** Says to whom the lease was lost, and answers with the exit code of that. */
  #tellLoss(): ExitCode {
    const loss = this.#lease?.loss;
    if (loss !== undefined) this.#warn(loss.message);
    return loss?.isTaken === true ? EXIT.locked : EXIT.retryable;
  }

  /** Plans once more on a fresh observation: a settled engine must ask for nothing. */
  async #isStill(plan: Plan): Promise<boolean> {
    const again = await this.look();
    return (
      again.actions.length + again.deferred.length === 0 &&
      again.groups.every((group, index) => group.converged === plan.groups[index]?.converged)
    );
  }
}

function leaseFor(dependencies: ApplyDependencies): LeaseKeeper | undefined {
  const { engine, lease, ticks, reporter, startTimer = startRealTimer } = dependencies;
  const onWait = (holder: string) => reporter.notify({ kind: "lock-waiting", holder });
  return lease && new LeaseKeeper(engine, lease, { ticks, startTimer, onWait });
}

/** A run that has lost its lease starts nothing more, as if it had been asked to stop. */
function stoppedBy({ stop, abort }: Interrupts, lost: AbortSignal | undefined): Interrupts {
  return { stop: lost === undefined ? stop : AbortSignal.any([stop, lost]), abort };
}
