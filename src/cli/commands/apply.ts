// `wgctl apply`: brings the engine to what the manifests declare, under the lock of engine and project.

import { randomUUID } from "node:crypto";
import { apply } from "../../app/apply.ts";
import type {
  ApplyDependencies,
  ApplyResult,
  ApplyOptions as RunOptions,
} from "../../app/apply-types.ts";
import { discreetEngine } from "../../app/discreet-engine.ts";
import { recallForWriting } from "../../app/memory.ts";
import type { Reporter } from "../../app/reporter.ts";
import { EXIT } from "../../app/verdict.ts";
import type { Json } from "../../core/canonical.ts";
import { hasCode, WgctlError } from "../../core/errors.ts";
import { type Journal, openJournal } from "../../store/journal.ts";
import { acquireLock, type Lock } from "../../store/lock.ts";
import { renderApplyResult } from "../../view/apply-text.ts";
import { applyFailureJson, applyResultJson } from "../../view/documents-json.ts";
import { eventJson } from "../../view/json.ts";
import type { OpenEngine } from "../engine-site.ts";
import { ERROR_EXITS } from "../exits.ts";
import { holderFacts } from "../holder.ts";
import { showFailure } from "../host.ts";
import { print } from "../print.ts";
import {
  DEFAULT_ACTIONS_PER_PASS,
  openSession,
  type Session,
  type SessionOptions,
} from "../session.ts";
import { type SignalWatch, watchSignals } from "../signals.ts";
import { openStreams } from "../streams.ts";

/** Of a UUID: as many as tell apart the runs that a journal holds. */
const RUN_DIGITS = 8;

export type ApplyOptions = SessionOptions & {
  readonly yes: boolean;
  readonly prune?: boolean;
  readonly allowMassDelete: boolean;
  readonly allowOlder: boolean;
  readonly retry: boolean;
  readonly once: boolean;
  readonly wait: boolean;
  readonly verify: boolean;
  readonly maxActions?: number;
  readonly timeout: number;
  readonly lockTimeout: number;
  readonly leaseDuration: number;
  readonly ifLocked: "fail" | "skip";
  readonly detailedExitcode: boolean;
};

/** One run of the command: what it was asked for, and what it talks to. */
type Running = {
  readonly options: ApplyOptions;
  readonly session: Session;
  readonly reporter: Reporter;
  readonly watch: SignalWatch;
};

export async function applyCommand(options: ApplyOptions): Promise<number> {
  try {
    return await applyWatched(options);
  } catch (error) {
    if (options.output === "json" && error instanceof WgctlError) {
      printLine(applyFailureJson("failed", ERROR_EXITS[error.code], error));
    }
    throw error;
  }
}

async function applyWatched(options: ApplyOptions): Promise<number> {
  const session = await openSession(options);
  const reporter = reporterFor(options, session);
  const watch = watchSignals((name) => {
    const message = `${name}: starting nothing more, waiting for calls under way; once more leaves at once`;
    reporter.notify({ kind: "notice", severity: "warning", message });
  });
  const running = { options, session, reporter, watch };
  try {
    return await applyUnderLock(running);
  } catch (error) {
    return interruptedExit(error, running);
  } finally {
    watch.dispose();
  }
}

/** A run that was asked to stop ends with the signal's code, whatever else went wrong; any other throws its error. */
function interruptedExit(error: unknown, { options, session, watch }: Running): number {
  const exit = watch.exitCode();
  if (exit === undefined || !(error instanceof WgctlError)) throw error;
  const { streams, errPaint } = session.host;
  if (!hasCode(error, "aborted")) showFailure(error, streams.err, errPaint);
  if (options.output === "json") printLine(applyFailureJson("interrupted", exit, error));
  return exit;
}

/** With `-o json` progress is the document: one event a line, the result last. */
function reporterFor(options: ApplyOptions, { host }: Session): Reporter {
  if (options.output !== "json") return host.reporter;
  return {
    notify: (event) => printLine(eventJson(event)),
    ask: (question, signal) => host.reporter.ask(question, signal),
  };
}

function printLine(value: Json): void {
  openStreams().out(`${JSON.stringify(value)}\n`);
}

async function applyUnderLock(running: Running): Promise<number> {
  const { options, session, reporter, watch } = running;
  const { site, workspace } = session;
  const startedAt = new Date();
  try {
    const lock = await acquireLock(
      {
        endpoint: site.endpoint,
        projectUid: site.lockedBy === "engine" ? undefined : workspace.project?.uid,
        facts: () => holderFacts(startedAt),
        timeoutMs: options.lockTimeout,
        onWait: (holder) => reporter.notify({ kind: "lock-waiting", holder }),
      },
      watch.interrupts.stop,
    );
    try {
      return await applyHolding(lock, running);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!hasCode(error, "lock-held") || options.ifLocked !== "skip") throw error;
    reporter.notify({ kind: "notice", severity: "info", message: `${error.message}; skipped` });
    if (options.output === "json") printLine(applyFailureJson("skipped", EXIT.done, error));
    return EXIT.done;
  }
}

async function applyHolding(lock: Lock, running: Running): Promise<number> {
  const opened = await running.session.site.openEngine();
  try {
    return await applyOn(opened, lock, running);
  } finally {
    await opened.engine.close();
  }
}

async function applyOn(
  { engine, clock }: OpenEngine,
  lock: Lock,
  { options, session, reporter, watch }: Running,
): Promise<number> {
  const { workspace, host } = session;
  const memory = await recallForWriting(workspace.stateFolder, reporter);
  const result = await withJournal(workspace.stateFolder, (journal) =>
    apply(
      runOptions(options, session),
      {
        engine: discreetEngine(engine, workspace.groups),
        reporter,
        workspace,
        memory,
        journal,
        ...leaseOf(lock, options, session),
        mintTaskId: () => randomUUID(),
        ...clock,
      },
      watch.interrupts,
    ),
  );
  await session.keepReading();
  const exit = watch.exitCode() ?? result.exit;
  await printResult(result, exit, options, host);
  return exit;
}

/** Opens the journal for as long as the work takes. */
async function withJournal<T>(folder: string, work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = openJournal(folder, () => randomUUID().slice(0, RUN_DIGITS));
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

/** What only one process can have open needs no lease. */
function leaseOf(
  lock: Lock,
  { leaseDuration, lockTimeout }: ApplyOptions,
  { site, workspace }: Session,
): Pick<ApplyDependencies, "lease"> {
  if (site.lockedBy === "engine") return {};
  const startedAt = new Date();
  return {
    lease: {
      projectUid: workspace.project?.uid,
      tenant: () => ({ token: randomUUID(), facts: holderFacts(startedAt), scope: lock.scope() }),
      durationMs: leaseDuration,
      waitMs: lockTimeout,
    },
  };
}

function runOptions(options: ApplyOptions, { host, workspace }: Session): RunOptions {
  return {
    prune: options.prune ?? workspace.project?.prune ?? false,
    allowMassDelete: options.allowMassDelete,
    allowOlder: options.allowOlder,
    retry: options.retry,
    confirm: host.streams.inIsTerminal && !options.yes,
    once: options.once,
    wait: options.wait,
    verify: options.verify,
    actionsPerPass: workspace.project?.actionsPerPass ?? DEFAULT_ACTIONS_PER_PASS,
    maxActions: options.maxActions ?? Number.POSITIVE_INFINITY,
    timeoutMs: options.timeout,
    callDeadlineMs: options.requestTimeout,
    detailedExitCode: options.detailedExitcode,
  };
}

async function printResult(
  result: ApplyResult,
  exit: number,
  { output }: ApplyOptions,
  { paint, streams }: Session["host"],
): Promise<void> {
  const data = () => applyResultJson(result, exit);
  if (output === "json") printLine(data());
  else await print({ text: () => renderApplyResult(result, paint), data }, output, streams.out);
}
