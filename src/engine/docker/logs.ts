// The last lines a container wrote. However much it wrote, no more than these lines is held, each cut to a readable length.

import { hasCode } from "../../core/errors.ts";
import type { DockerClient } from "./client.ts";
import { readChunks } from "./exchange.ts";
import { FrameReader } from "./frames.ts";
import { LineCutter } from "./line-cutter.ts";
import { at, readFlag } from "./wire.ts";

/**
 * The last lines of both streams, oldest first. None where the log driver cannot be read.
 * A log that is still being written ends where it stood.
 */
export function readLogs(
  client: DockerClient,
  id: string,
  lines: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const what = `read the log of the container ${id.slice(0, 12)}`;
  return client.bounded(what, signal, async (inner) => {
    try {
      return await readTail(client, id, lines, what, inner);
    } catch (error) {
      if (hasCode(error, "engine-rejected")) return [];
      throw error;
    }
  });
}

async function readTail(
  client: DockerClient,
  id: string,
  lines: number,
  what: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `/containers/${encodeURIComponent(id)}`;
  const { wire } = await client.read({ method: "GET", path: `${path}/json`, what }, signal);
  const query = { stdout: "1", stderr: "1", tail: String(lines) };
  const log = await client.stream({ method: "GET", path: `${path}/logs`, query, what }, signal);
  const cutter = new LineCutter(lines);
  // A terminal has one stream, and the engine then sends it as it is.
  const frames = readFlag(at(wire, "Config", "Tty")) ? undefined : new FrameReader();
  for await (const chunk of readChunks(log, signal)) {
    if (frames === undefined) cutter.take("raw", chunk);
    else for (const { stream, bytes } of frames.take(chunk)) cutter.take(stream, bytes);
  }
  return cutter.end();
}
