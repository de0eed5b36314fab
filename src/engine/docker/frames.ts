// The engine's way to send two streams as one: frames of an 8-byte header and what it announces.

import { nonsense } from "./failure.ts";

export type Piece = { readonly stream: "out" | "error"; readonly bytes: Buffer };

const HEADER_BYTES = 8;
const STREAMS: readonly (Piece["stream"] | undefined)[] = ["out", "out", "error"];

/** Takes chunks cut anywhere; holds no more of them than a header. */
export class FrameReader {
  #header = Buffer.alloc(0);
  #stream: Piece["stream"] = "out";
  #left = 0;

  /** The pieces in a chunk. Throws `engine-failed` for what is no frame. */
  take(chunk: Buffer): readonly Piece[] {
    const pieces: Piece[] = [];
    let rest = chunk;
    while (rest.length > 0) rest = this.#left > 0 ? this.#body(rest, pieces) : this.#head(rest);
    return pieces;
  }

  #body(rest: Buffer, pieces: Piece[]): Buffer {
    const bytes = rest.subarray(0, this.#left);
    pieces.push({ stream: this.#stream, bytes });
    this.#left -= bytes.length;
    return rest.subarray(bytes.length);
  }

  #head(rest: Buffer): Buffer {
    const wanted = HEADER_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, rest.subarray(0, wanted)]);
    if (this.#header.length === HEADER_BYTES) this.#open(this.#header);
    return rest.subarray(wanted);
  }

  #open(header: Buffer): void {
    const stream = STREAMS[header.readUInt8(0)];
    if (stream === undefined) throw nonsense("its log is not made of frames");
    this.#stream = stream;
    this.#left = header.readUInt32BE(4);
    this.#header = Buffer.alloc(0);
  }
}
