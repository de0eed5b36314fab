// Runs the built CLI on a pseudo terminal, as a person has it, and types when it asks. Needs `script` of util-linux.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../../scripts/lib/process.mjs";
import { cliEnvironment, ensureBuilt } from "./cli.ts";

export type TerminalResult = {
  /** Exit code of wgctl. */
  readonly code: number;
  /** Everything the terminal showed. */
  readonly screen: string;
};

const DEADLINE_MS = 30_000;

/**
 * Types `keys` once the question stands there, of a list the next each time that `question` does; `\u0003` is Ctrl-C,
 * `\u0004` the end of the input. Shell redirections such as `>out` take a stream away from the terminal.
 */
export async function runOnTerminal(
  args: readonly string[],
  keys: string | readonly string[],
  cwd: string,
  redirections = "",
  question = "[y/N]",
): Promise<TerminalResult> {
  await ensureBuilt();
  const words = [process.execPath, join(ROOT, "bin/wgctl.js"), ...args].map(quote);
  const command = [...words, redirections].join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd,
    env: { ...cliEnvironment(cwd), TERM: "xterm" },
    timeout: DEADLINE_MS,
    killSignal: "SIGKILL",
  });
  let screen = "";
  const answers = [keys].flat();
  let answered = 0;
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    screen += text;
    const answer = answers[answered];
    if (answer === undefined || screen.split(question).length - 1 <= answered) return;
    answered += 1;
    child.stdin.write(answer);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 137, screen }));
  });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
