// Standard output and error. stdout carries only the requested document; a reader that has gone ends nothing loudly.

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

export function openStreams(): Streams {
  return {
    out: quietWriter(process.stdout),
    err: quietWriter(process.stderr),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    inIsTerminal: process.stdin.isTTY === true,
    outWidth: process.stdout.columns,
    errWidth: process.stderr.columns,
  };
}

/** Writes until the other end closes, and drops the rest: a run under way goes on and ends with its own code. */
function quietWriter(stream: NodeJS.WriteStream): Write {
  let isClosed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    isClosed = true;
  });
  return (text) => {
    if (!isClosed) stream.write(text);
  };
}

/** All of standard input as UTF-8. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
