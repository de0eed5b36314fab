// One run of `apply`: what it has learnt so far, and the steps its loop is made of.

import { WgctlError } from "../core/errors.ts";
import type { GroupPlan, Plan } from "../core/plan/types.ts";
import { makeStatus, makeUnreachableStatus, type StatusContext } from "../core/status.ts";
import type { StatusDocument, UncertainRecord } from "../core/status-types.ts";
import { toIso } from "../core/time.ts";
import type { Engine, EngineIdentity } from "../engine/engine.ts";
import { describeCommit } from "../store/git.ts";
import { checkEngine, writeStatus } from "../store/status-file.ts";
import { type Ended, execute, type Interrupts } from "./execute.ts";
import { planPass } from "./plan-pass.ts";
import type { Reporter } from "./reporter.ts";
import { Setbacks } from "./setbacks.ts";
import { applyExit, type Ending, EXIT, type ExitCode, gravest } from "./verdict.ts";
import type { Workspace } from "./workspace.ts";

export type ApplyOptions = {
  readonly prune: boolean;
  readonly allowMassDelete: boolean;
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
  readonly mintTaskId: () => string;
  /** Milliseconds from any fixed point. */
  readonly ticks: () => number;
  /** Milliseconds since 1970, for when the engine's own clock cannot be had. */
  readonly now: () => number;
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

/** The engine's clock comes to the second: what is due now may take it that long to say so. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const STOPS_AT_ONCE = 4;
const STARTS_PER_CPU = 4;
const MOST_STARTS_AT_ONCE = 16;
/** A create without an answer counts as existing for twice its deadline, within these bounds. */
const UNCERTAIN_MS = { least: 60_000, most: 300_000 };

export class Run {
  readonly #options: ApplyOptions;
  readonly #dependencies: ApplyDependencies;
  readonly #interrupts: Interrupts;
  readonly #setbacks = new Setbacks();
  readonly #signalled = new Set<string>();
  readonly #uncertain: Record<string, readonly UncertainRecord[]> = {};
  #memory: StatusDocument | undefined;
  #identity: EngineIdentity | undefined;
  #commit: Promise<string | undefined> | undefined;
  #passes = 0;
  #attempted = 0;
  #done = 0;

  constructor(options: ApplyOptions, dependencies: ApplyDependencies, interrupts: Interrupts) {
    this.#options = options;
    this.#dependencies = dependencies;
    this.#interrupts = interrupts;
    this.#memory = dependencies.memory;
  }

  /** Observes and plans. An engine that cannot be observed makes every condition Unknown. */
  async look(): Promise<Plan> {
    try {
      const [identity, plan] = await Promise.all([this.#identify(), this.#plan()]);
      this.#identity = identity;
      return plan;
    } catch (error) {
      await this.#recordUnreachable(error);
      throw error;
    }
  }

  async #identify(): Promise<EngineIdentity> {
    if (this.#identity !== undefined) return this.#identity;
    const identity = await this.#dependencies.engine.identify(this.#interrupts.abort);
    if (this.#memory !== undefined) checkEngine(this.#memory, identity.id);
    return identity;
  }

  #plan(): Promise<Plan> {
    const { workspace, engine, ticks } = this.#dependencies;
    const { prune, allowMassDelete, actionsPerPass } = this.#options;
    const budget = Math.max(0, Math.min(actionsPerPass, this.#actionsLeft()));
    const holds = this.#setbacks.holds(ticks());
    const memory = this.#memory;
    return planPass(
      engine,
      { workspace, memory, prune, allowMassDelete, budget, holds },
      this.#interrupts.abort,
    );
  }

  #actionsLeft(): number {
    return this.#options.maxActions - this.#attempted;
  }

  async isApproved(plan: Plan): Promise<boolean> {
    if (!this.#options.confirm || plan.actions.length === 0) return true;
    const { reporter } = this.#dependencies;
    reporter.notify({ kind: "proposed", plan });
    return reporter.ask({ text: "apply these actions?", byDefault: true });
  }

  /** Writes the status where it says anything new. */
  async record(plan: Plan): Promise<StatusDocument> {
    const { workspace } = this.#dependencies;
    const document = makeStatus(plan, await this.#statusContext(plan));
    await writeStatus(workspace.stateFolder, document);
    this.#memory = document;
    return document;
  }

  async #statusContext(plan: Plan): Promise<StatusContext> {
    const { engine, workspace } = this.#dependencies;
    const { project, narrowed } = workspace;
    return {
      engine: { id: this.#identity?.id ?? "", endpoint: engine.endpoint },
      project: project === undefined ? null : { name: project.name, uid: project.uid },
      previous: this.#memory,
      narrowed,
      commit: this.#isNews(plan) ? await this.#describeCommit() : undefined,
      failures: this.#setbacks.failures(),
      signalled: this.#signalled,
      uncertain: this.#uncertain,
    };
  }

  /** Asking Git takes longer than a whole run that has nothing to do. */
  #isNews(plan: Plan): boolean {
    const generations = new Map(this.#memory?.groups.map((each) => [each.uid, each.generation]));
    return plan.groups.some(
      ({ identity, generation }) => generations.get(identity.uid) !== generation,
    );
  }

  #describeCommit(): Promise<string | undefined> {
    this.#commit ??= describeCommit(this.#dependencies.workspace.folder);
    return this.#commit;
  }

  async #recordUnreachable(error: unknown): Promise<void> {
    const isEngine = error instanceof WgctlError && error.code.startsWith("engine-");
    if (!isEngine || this.#memory === undefined) return;
    const { workspace, now } = this.#dependencies;
    const document = makeUnreachableStatus(this.#memory, error.message, now());
    await writeStatus(workspace.stateFolder, document);
  }

  /** Why the run is over after a plan; undefined: it is not. */
  endingAfter(plan: Plan, interrupted: boolean): Ending | undefined {
    if (interrupted) return "interrupted";
    const isIdle = plan.actions.length === 0;
    if (
      isIdle &&
      plan.deferred.length === 0 &&
      plan.groups.every((each) => this.#isSettled(each))
    ) {
      return "settled";
    }
    if (this.#interrupts.stop.aborted) return "timed-out";
    const { once, wait } = this.#options;
    if (once && (isIdle || this.#passes > 0)) return "bounded";
    if (isIdle && (!wait || this.#actionsLeft() <= 0)) return "bounded";
    return undefined;
  }

  /** Nothing about the group will change by itself or by trying again. */
  #isSettled(group: GroupPlan): boolean {
    if (group.converged) return true;
    if (this.#setbacks.isResting(group.identity.uid)) return false;
    return group.waitingFor.length === 0 && group.dueAt === undefined;
  }

  /** Carries out a plan and takes in what came of it. */
  async act(plan: Plan): Promise<void> {
    const { engine, reporter, workspace, mintTaskId, ticks } = this.#dependencies;
    this.#passes += 1;
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
        commit: creates ? await this.#describeCommit() : undefined,
        pullProgress: (image, line) => reporter.notify({ kind: "pull-progress", image, line }),
        made: new Map(),
        startsAtOnce: Math.min(MOST_STARTS_AT_ONCE, STARTS_PER_CPU * (this.#identity?.cpus ?? 1)),
        stopsAtOnce: STOPS_AT_ONCE,
      },
      this.#interrupts,
    );
    this.#takeIn(ended, plan.now);
  }

  #takeIn(ended: readonly Ended[], now: number): void {
    this.#setbacks.note(ended, this.#dependencies.ticks());
    for (const { action, outcome } of ended) {
      if (outcome.kind !== "skipped") this.#attempted += 1;
      if (outcome.kind === "done") this.#done += 1;
      if (action.kind === "signal" && outcome.kind === "done")
        this.#signalled.add(action.target.id);
      if (action.kind === "create" && outcome.kind === "uncertain") {
        const { name, slot, revision } = action.worker;
        const record = { name, slot, revision, until: toIso(now + this.#uncertainMs()) };
        this.#uncertain[action.group] = [...(this.#uncertain[action.group] ?? []), record];
      }
    }
  }

  #uncertainMs(): number {
    const { least, most } = UNCERTAIN_MS;
    return Math.min(most, Math.max(least, 2 * this.#options.callDeadlineMs));
  }

  /** Waits for the engine to move, at most until something is due. */
  async wait(plan: Plan): Promise<void> {
    const { engine, reporter } = this.#dependencies;
    const waitingFor = plan.groups.flatMap(({ identity, waitingFor: phrases }) =>
      phrases.length === 0 ? [] : [`${identity.name}: ${phrases.join(", ")}`],
    );
    reporter.notify({ kind: "waiting", waitingFor });
    const dueAt = plan.groups.map((group) => group.dueAt ?? Number.POSITIVE_INFINITY);
    const untilDue = Math.min(...dueAt) - plan.now;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(untilDue, SHORTEST_PAUSE_MS));
    await engine.waitForChange(pause, this.#interrupts.stop);
  }

  /** The result of the run, judged by its last plan. */
  async conclude(plan: Plan, ending: Ending): Promise<ApplyResult> {
    const failures = this.#setbacks.failures();
    const hasFailures = plan.groups.some(
      (group) => !group.converged && failures[group.identity.uid] !== undefined,
    );
    const exit = applyExit(plan, ending, hasFailures, this.#options.detailedExitCode);
    const isUnstable = this.#options.verify && ending === "settled" && !(await this.#isStill(plan));
    return {
      exit: isUnstable ? gravest([exit, EXIT.retryable]) : exit,
      ending,
      plan,
      done: this.#done,
      passes: this.#passes,
      isUnstable,
    };
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
