// What every command has at hand: streams, colours, a reporter, and one way to print a document or a failure.

import { createInterface } from "node:readline/promises";
import type { Reporter } from "../app/reporter.ts";
import { WgctlError } from "../core/errors.ts";
import type { Problem } from "../core/model.ts";
import { createPlainReporter } from "../view/plain-reporter.ts";
import { renderProblems } from "../view/problems-text.ts";
import { createPaint, decideColor, type Paint } from "../view/style.ts";
import { ERROR_EXITS } from "./exits.ts";
import type { OutputOptions } from "./options.ts";
import { openStreams, type Streams } from "./streams.ts";

export type Host = {
  readonly streams: Streams;
  /** Colours of standard output and of standard error. */
  readonly paint: Paint;
  readonly errPaint: Paint;
  readonly reporter: Reporter;
};

export function openHost(options: OutputOptions): Host {
  const streams = openStreams();
  const paintFor = (isTerminal: boolean) =>
    createPaint(decideColor(options.color, process.env, isTerminal));
  const errPaint = paintFor(streams.errIsTerminal);
  const reporter = createPlainReporter({
    write: streams.err,
    readAnswer: streams.inIsTerminal ? readLine : undefined,
    paint: errPaint,
    verbosity: options.quiet ? "quiet" : options.verbose ? "verbose" : "normal",
  });
  return { streams, paint: paintFor(streams.outIsTerminal), errPaint, reporter };
}

/** One line of standard input; undefined at its end, or once the signal fires. */
export async function readLine(signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, signal });
  try {
    const { value } = await lines[Symbol.asyncIterator]().next();
    return value;
  } finally {
    lines.close();
  }
}

/** Shows problems of manifests where people look for them: on standard error. */
export function showProblems(host: Host, problems: readonly Problem[]): void {
  host.streams.err(renderProblems(problems, host.errPaint));
}

/** Says what went wrong and returns the exit code. No stack ever reaches a person who did not ask for it. */
export function showFailure(error: unknown, write: (text: string) => void, paint: Paint): number {
  if (error instanceof WgctlError) {
    const hint = error.hint === undefined ? "" : `  ${error.hint}\n`;
    write(`${paint("alert", "error:")} ${error.message}\n${hint}`);
    return ERROR_EXITS[error.code];
  }
  const text = error instanceof Error ? error.message : String(error);
  write(
    `${paint("alert", "error:")} this is a defect in wgctl: ${text}\n  set WGCTL_DEBUG=1 to see where, and report it\n`,
  );
  if (process.env["WGCTL_DEBUG"] && error instanceof Error) write(`${error.stack}\n`);
  return 1;
}
