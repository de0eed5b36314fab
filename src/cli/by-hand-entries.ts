// The options of the commands that edit manifests by hand; apart from the others because program.ts is long enough.

import type { Command } from "commander";
import { outputOptions, sourceOptions } from "./options.ts";

type Done = (code: number) => void;

export function defineRestart(command: Command, done: Done): void {
  command.action(async (names: readonly string[], options) => {
    const { restartCommand } = await import("./commands/by-hand.ts");
    done(await restartCommand(names, options));
  });
  addOptions(command);
}

export function defineDelete(command: Command, done: Done): void {
  command.action(async (names: readonly string[], options) => {
    const { deleteCommand } = await import("./commands/by-hand.ts");
    done(await deleteCommand(names, options));
  });
  command.option("-y, --yes", "do not ask", false);
  addOptions(command);
}

function addOptions(command: Command): void {
  command.option("--dry-run", "show the edit and write nothing", false);
  for (const option of [...sourceOptions(), ...outputOptions(["text"])]) command.addOption(option);
}
