// The program as a function: arguments in, exit code out. The only place that turns an error into words.

import { CommanderError } from "commander";
import { EXIT } from "../app/verdict.ts";
import { createPaint, decideColor, type Paint } from "../view/style.ts";
import { showFailure } from "./host.ts";
import { buildProgram } from "./program.ts";
import { guardOutput, openStreams, type Write } from "./streams.ts";

/** Runs wgctl with the arguments after its name; resolves with the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const output = guardOutput();
  const code = await run(argv);
  const failure = await output.settle();
  if (failure === undefined) return code;
  const { err, paint } = openErr();
  err(`${paint("alert", "error:")} cannot write to standard output: ${failure.code}\n`);
  return code === EXIT.done || code === EXIT.changesPending ? EXIT.retryable : code;
}

async function run(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  try {
    const program = buildProgram(argv, (exit) => {
      code = exit;
    });
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what was wrong; a request for help or the version is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.userMustAct;
    const { err, paint } = openErr();
    return showFailure(error, err, paint);
  }
}

function openErr(): { readonly err: Write; readonly paint: Paint } {
  const { err, errIsTerminal } = openStreams();
  return { err, paint: createPaint(decideColor("auto", process.env, errIsTerminal)) };
}
