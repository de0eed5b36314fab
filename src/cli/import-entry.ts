// The options of `wgctl import`; apart from the others because program.ts is long enough.

import { type Command, Option } from "commander";
import { append, outputOptions } from "./options.ts";

type Done = (code: number) => void;

export function defineImport(command: Command, done: Done): void {
  command.action(async (file: string, options) => {
    const { importCommand } = await import("./commands/import.ts");
    done(await importCommand(file, options));
  });
  command
    .addOption(
      new Option("--service <name>", "service to import; repeatable")
        .argParser(append)
        .default([], "those that look like workers"),
    )
    .option("--out <folder>", "write a new file for each group there; standard output unless given")
    .addOption(
      new Option(
        "--image <service=reference>",
        "image of a service that Compose builds; repeatable",
      )
        .argParser(append)
        .default([], "none"),
    )
    .option("--project-name <name>", "the project's name to Compose, where it is another one")
    .option("--no-group", "keep copies such as worker1 and worker2 groups of their own");
  for (const option of outputOptions(["text"])) command.addOption(option);
}
