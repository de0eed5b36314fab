// Commands run inside a container, as its life scripts them: what each comes to, and what it does to the worker.

import { record } from "./history.ts";
import { lifeOf } from "./life.ts";
import { requestQuiet } from "./quiet.ts";
import { refusal, requireContainer } from "./refusal.ts";
import type { Command } from "./script.ts";
import { findContainer, type Running, type World } from "./world.ts";

/** True for a command that never ends. */
export function hangs(world: World, id: string, argv: readonly string[]): boolean {
  const container = findContainer(world, id);
  if (container?.state.kind !== "running") return false;
  return commandOf(lifeOf(world, container).commands, argv).hangs === true;
}

/** Runs a command, which takes no time, and answers with its exit code. Throws `engine-conflict` where nothing runs. */
export function execute(world: World, id: string, argv: readonly string[]): number {
  const what = `run ${argv[0] ?? "nothing"} in the container ${id.slice(0, 12)}`;
  const container = requireContainer(world, id, what);
  const { state } = container;
  if (state.kind !== "running") {
    throw refusal("engine-conflict", what, `container ${container.id} is ${state.kind}`);
  }
  const command = commandOf(lifeOf(world, container).commands, argv);
  for (const event of ["exec_create", "exec_start", "exec_die"]) record(world, container, event);
  const code = exitCode(command, state, world.now);
  if (command.quiets) requestQuiet(world, container, state);
  return code;
}

function commandOf(commands: Readonly<Record<string, Command>> = {}, argv: readonly string[]) {
  const [word = ""] = argv;
  return (Object.hasOwn(commands, word) ? commands[word] : undefined) ?? {};
}

function exitCode({ code = 0, later }: Command, running: Running, now: number): number {
  if (later === undefined) return code;
  const since = later.since === "quiet" ? running.quietAt : running.startedAt;
  return since !== undefined && now >= since + later.after * 1000 ? later.code : code;
}
