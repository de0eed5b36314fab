// Runs a command inside a container, for its exit code alone: what it says is read and thrown away.

import { setTimeout as sleep } from "node:timers/promises";
import type { DockerClient } from "./client.ts";
import { readChunks } from "./exchange.ts";
import { nonsense } from "./failure.ts";
import { at, isAbsent, readFlag, readNumber, readText } from "./wire.ts";

/** The engine closes the output a moment before it notes the exit code. */
const LOOK_AGAIN_MS = 20;

/**
 * Runs a command in a running container and answers with its exit code: 126 or 127 where it cannot be run.
 * The call's deadline is for all of it; a command that outlives it is `engine-timeout` and goes on.
 */
export function execInWorker(
  client: DockerClient,
  id: string,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const what = `run ${argv[0] ?? "nothing"} in the container ${id.slice(0, 12)}`;
  const work = async (inner: AbortSignal) => {
    const exec = await create(client, id, argv, what, inner);
    await runToEnd(client, exec, what, inner);
    return exitCode(client, exec, what, inner);
  };
  return client.bounded(what, signal, work, "it did not end");
}

async function create(
  client: DockerClient,
  id: string,
  argv: readonly string[],
  what: string,
  signal: AbortSignal,
): Promise<string> {
  const path = `/containers/${encodeURIComponent(id)}/exec`;
  const body = { Cmd: argv, AttachStdout: true, AttachStderr: true };
  const { wire } = await client.read({ method: "POST", path, body, what }, signal);
  return readText(at(wire, "Id"));
}

/** Attached, so that the answer ends with the command. */
async function runToEnd(
  client: DockerClient,
  exec: string,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `/exec/${encodeURIComponent(exec)}/start`;
  const body = { Detach: false, Tty: false };
  const answer = await client.stream({ method: "POST", path, body, what }, signal);
  for await (const _ of readChunks(answer, signal));
}

async function exitCode(
  client: DockerClient,
  exec: string,
  what: string,
  signal: AbortSignal,
): Promise<number> {
  const path = `/exec/${encodeURIComponent(exec)}/json`;
  for (;;) {
    const { wire } = await client.read({ method: "GET", path, what }, signal);
    const code = at(wire, "ExitCode");
    if (!isAbsent(code)) return readNumber(code);
    if (!readFlag(at(wire, "Running"))) throw nonsense(`${what}: it ended without an exit code`);
    await sleep(LOOK_AGAIN_MS);
  }
}
