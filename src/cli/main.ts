// The program as a function: arguments in, exit code out. The only place that turns an error into words.

import { CommanderError } from "commander";
import { EXIT } from "../app/verdict.ts";
import { createPaint, decideColor } from "../view/style.ts";
import { showFailure } from "./host.ts";
import { buildProgram } from "./program.ts";
import { openStreams } from "./streams.ts";

/** Runs wgctl with the arguments after its name; resolves with the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  try {
    const program = buildProgram((exit) => {
      code = exit;
    });
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what was wrong; a request for help or the version is no error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.userMustAct;
    const streams = openStreams();
    const paint = createPaint(decideColor("auto", process.env, streams.errIsTerminal));
    return showFailure(error, streams.err, paint);
  }
}
