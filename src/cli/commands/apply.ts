// `wgctl apply`: brings the engine to what the manifests declare, under the lock of engine and project.

import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { apply } from "../../app/apply.ts";
import type { ApplyResult, ApplyOptions as RunOptions } from "../../app/apply-types.ts";
import { recallForWriting } from "../../app/memory.ts";
import type { Reporter } from "../../app/reporter.ts";
import { EXIT } from "../../app/verdict.ts";
import { hasCode } from "../../core/errors.ts";
import { openDockerEngine } from "../../engine/docker/open.ts";
import type { Engine } from "../../engine/engine.ts";
import { acquireLock, type HolderFacts } from "../../store/lock.ts";
import { renderApplyResult } from "../../view/apply-text.ts";
import { applyResultJson } from "../../view/documents-json.ts";
import { eventJson } from "../../view/json.ts";
import { print } from "../print.ts";
import {
  DEFAULT_ACTIONS_PER_PASS,
  openSession,
  type Session,
  type SessionOptions,
} from "../session.ts";
import { type SignalWatch, watchSignals } from "../signals.ts";

export type ApplyOptions = SessionOptions & {
  readonly yes: boolean;
  readonly prune?: boolean;
  readonly allowMassDelete: boolean;
  readonly once: boolean;
  readonly wait: boolean;
  readonly verify: boolean;
  readonly maxActions?: number;
  readonly timeout: number;
  readonly lockTimeout: number;
  readonly ifLocked: "fail" | "skip";
  readonly detailedExitcode: boolean;
};

export async function applyCommand(options: ApplyOptions): Promise<number> {
  const session = await openSession(options);
  const reporter = reporterFor(options, session);
  const watch = watchSignals((name) => {
    const message = `${name}: starting nothing more, waiting for calls under way; once more leaves at once`;
    reporter.notify({ kind: "notice", severity: "warning", message });
  });
  try {
    const exit = await applyUnderLock(options, session, reporter, watch);
    return watch.exitCode() ?? exit;
  } finally {
    watch.dispose();
  }
}

/** With `-o json` progress is the document: one event a line, the result last. */
function reporterFor(options: ApplyOptions, { host }: Session): Reporter {
  if (options.output !== "json") return host.reporter;
  return {
    notify: (event) => host.streams.out(`${JSON.stringify(eventJson(event))}\n`),
    ask: (question) => host.reporter.ask(question),
  };
}

async function applyUnderLock(
  options: ApplyOptions,
  session: Session,
  reporter: Reporter,
  watch: SignalWatch,
): Promise<number> {
  const { target, engineOptions, workspace } = session;
  const engine = openDockerEngine(target, engineOptions);
  try {
    const lock = await acquireLock(
      {
        endpoint: engine.endpoint,
        projectUid: workspace.project?.uid,
        facts: holderFacts(),
        timeoutMs: options.lockTimeout,
        onWait: (holder) => reporter.notify({ kind: "lock-waiting", holder }),
      },
      watch.interrupts.stop,
    );
    try {
      return await applyHolding(options, session, engine, reporter, watch);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!hasCode(error, "lock-held") || options.ifLocked !== "skip") throw error;
    reporter.notify({ kind: "notice", severity: "info", message: `${error.message}; skipped` });
    return EXIT.done;
  } finally {
    await engine.close();
  }
}

async function applyHolding(
  options: ApplyOptions,
  session: Session,
  engine: Engine,
  reporter: Reporter,
  watch: SignalWatch,
): Promise<number> {
  const { workspace, host } = session;
  const memory = await recallForWriting(workspace.stateFolder, reporter);
  const result = await apply(
    runOptions(options, session),
    {
      engine,
      reporter,
      workspace,
      memory,
      mintTaskId: randomUUID,
      ticks: () => performance.now(),
      now: Date.now,
    },
    watch.interrupts,
  );
  await printResult(result, options, host);
  return result.exit;
}

function runOptions(options: ApplyOptions, { host, workspace }: Session): RunOptions {
  return {
    prune: options.prune ?? workspace.project?.prune ?? false,
    allowMassDelete: options.allowMassDelete,
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
  { output }: ApplyOptions,
  { paint, streams }: Session["host"],
): Promise<void> {
  if (output === "json") {
    streams.out(`${JSON.stringify(applyResultJson(result))}\n`);
    return;
  }
  const document = {
    text: () => renderApplyResult(result, paint),
    data: () => applyResultJson(result),
  };
  await print(document, output, streams.out);
}

function holderFacts(): HolderFacts {
  return {
    pid: process.pid,
    user: userName(),
    host: hostname(),
    command: "wgctl apply",
    startedAt: new Date().toISOString(),
  };
}

/** A container may run under a uid without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
