// Standard output and error. stdout carries only the requested document; a reader that has gone ends nothing loudly.

import { isatty } from "node:tty";
import { WgctlError } from "../core/errors.ts";

export type Write = (text: string) => void;

export type Streams = {
  readonly out: Write;
  readonly err: Write;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly inIsTerminal: boolean;
  /** Columns of the terminal behind stdout; undefined where there is none. */
  readonly outWidth: number | undefined;
  readonly errWidth: number | undefined;
};

/** Node makes a stream when it is first named, which takes longer than asking the system what is behind it. */
export function openStreams(): Streams {
  const [inIsTerminal, outIsTerminal, errIsTerminal] = [isatty(0), isatty(1), isatty(2)];
  return {
    out: (text) => process.stdout.write(text),
    err: writeErr,
    outIsTerminal,
    errIsTerminal,
    inIsTerminal,
    outWidth: outIsTerminal ? process.stdout.columns : undefined,
    errWidth: errIsTerminal ? process.stderr.columns : undefined,
  };
}

/** Writes to standard error. A stream that takes nothing any more ends nothing. */
export function writeErr(text: string): void {
  if (text === "") return;
  // There is nowhere left to say that it failed.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => undefined);
  process.stderr.write(text);
}

export type OutputGuard = {
  /** Waits until all is written or lost; answers with what kept standard output from taking a document. */
  settle(): Promise<NodeJS.ErrnoException | undefined>;
};

/**
 * Keeps a stream that cannot be written to from ending the program: a run under way goes on and ends with its own
 * code. A reader that has gone wanted no more; a disk that is full has lost a document.
 */
export function guardOutput(): OutputGuard {
  let failure: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    const isReaderGone = ["EPIPE", "EIO", "ERR_STREAM_DESTROYED"].includes(error.code ?? "");
    if (!isReaderGone) failure ??= error;
  });
  return {
    settle: async () => {
      await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
      return failure;
    },
  };
}

/** All of standard input; `invalid-input` where it is not UTF-8. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new WgctlError("invalid-input", "standard input is not UTF-8 text", { cause });
  }
}
