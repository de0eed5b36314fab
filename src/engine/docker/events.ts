// The engine's event history: which containers were sent a signal. Never a source of state.

import type { Call, DockerClient } from "./client.ts";
import { readInfo } from "./lookups.ts";
import { at, parseJson, readText, root } from "./wire.ts";

// Some 70 bytes each in the address, which may be a megabyte long.
const IDS_PER_CALL = 500;

/**
 * Those of the given containers that were sent any signal since then (ms), as far as the history goes back:
 * Docker keeps the last 256 events of all kinds.
 */
export async function findSignalled(
  client: DockerClient,
  ids: readonly string[],
  since: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const until = await readClock(client, signal);
  const found = new Set<string>();
  for (let start = 0; start < ids.length; start += IDS_PER_CALL) {
    const call = killsOf(ids.slice(start, start + IDS_PER_CALL), since, until);
    const { text } = await client.call(call, signal);
    for (const id of actorsIn(text)) found.add(id);
  }
  return ids.filter((id) => found.has(id));
}

// The history ends at once only for a time that has passed, and must reach up to this moment, so it takes
// the one clock of the engine that is finer than a second.
async function readClock(client: DockerClient, signal: AbortSignal): Promise<string> {
  const text = readText(at(await readInfo(client, signal), "SystemTime"));
  const fraction = /\.(\d{1,9})/.exec(text)?.[1] ?? "";
  return `${Math.floor(Date.parse(text) / 1000)}.${fraction.padEnd(9, "0")}`;
}

function killsOf(ids: readonly string[], since: number, until: string): Call {
  return {
    method: "GET",
    path: "/events",
    query: {
      // To the millisecond: what was sent to the process before this one may have been in the same second.
      since: `${Math.floor(since / 1000)}.${String(since % 1000).padStart(3, "0")}`,
      until,
      filters: JSON.stringify({ type: ["container"], event: ["kill"], container: ids }),
    },
    what: "read the engine's event history",
  };
}

function actorsIn(lines: string): readonly string[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => readText(at(root(parseJson(line), "event"), "Actor", "ID")));
}
