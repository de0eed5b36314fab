// Bytes of several streams to the last whole lines of them all, in the order in which they ended.

/** What a person reads of a line; a worker may write megabytes without an end. */
const LONGEST_LINE_BYTES = 1_000;
const NEWLINE = 0x0a;

export class LineCutter {
  readonly #most: number;
  readonly #open = new Map<string, Buffer>();
  readonly #lines: string[] = [];

  /** Keeps the last so many lines. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes what comes next on a stream. */
  take(stream: string, bytes: Buffer): void {
    let rest = bytes;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#finish(this.#grow(stream, rest.subarray(0, end)));
      this.#open.delete(stream);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#open.set(stream, this.#grow(stream, rest));
  }

  /** The lines; what a stream ended with is one too. */
  end(): readonly string[] {
    for (const bytes of this.#open.values()) this.#finish(bytes);
    this.#open.clear();
    return this.#lines;
  }

  /** One byte more than is shown, to know that there is more. */
  #grow(stream: string, bytes: Buffer): Buffer {
    const before = this.#open.get(stream) ?? Buffer.alloc(0);
    const room = LONGEST_LINE_BYTES + 1 - before.length;
    return room <= 0 ? before : Buffer.concat([before, bytes.subarray(0, room)]);
  }

  #finish(bytes: Buffer): void {
    this.#lines.push(textOf(bytes));
    if (this.#lines.length > this.#most) this.#lines.shift();
  }
}

function textOf(bytes: Buffer): string {
  const shown = bytes.subarray(0, LONGEST_LINE_BYTES).toString("utf8").replace(/\r$/, "");
  return bytes.length > LONGEST_LINE_BYTES ? `${shown.replace(/\uFFFD+$/, "")}...` : shown;
}
