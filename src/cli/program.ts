// The commands and their options. Each command's code is loaded only when it runs.

import { Command, Help, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { defineAdopt } from "./adopt-entry.ts";
import { defineDelete, defineRestart } from "./by-hand-entries.ts";
import { defineImport } from "./import-entry.ts";
import {
  duration,
  engineOptions,
  groupOption,
  manifestOptions,
  outputOptions,
  positive,
} from "./options.ts";
import { writeErr } from "./streams.ts";

type Done = (code: number) => void;

type CommandEntry = {
  /** Name and arguments. */
  readonly usage: string;
  readonly description: string;
  /** Adds options and action. */
  readonly define: (command: Command, done: Done) => void;
};

const COMMANDS: readonly CommandEntry[] = [
  {
    usage: "init [folder]",
    description: "write a project with an example group",
    define: defineInit,
  },
  {
    usage: "uid [files...]",
    description: "print a new UID, or write the missing ones into files",
    define: defineUid,
  },
  {
    usage: "validate",
    description: "say everything that is wrong with the manifests",
    define: defineValidate,
  },
  {
    usage: "schema",
    description: "print the JSON Schema of manifests, for editors",
    define: defineSchema,
  },
  {
    usage: "plan",
    description: "show what apply would do, and why; writes nothing",
    define: definePlan,
  },
  {
    usage: "apply",
    description: "bring the engine to what the manifests declare",
    define: defineApply,
  },
  {
    usage: "status",
    description: "show how the groups are doing; writes nothing",
    define: defineStatus,
  },
  {
    usage: "restart <groups...>",
    description: "edit manifests so that the next apply replaces all workers of these groups",
    define: defineRestart,
  },
  {
    usage: "delete <groups...>",
    description: "edit manifests so that the next apply takes these groups down",
    define: defineDelete,
  },
  {
    usage: "adopt <group>",
    description: "replace containers that somebody else made by workers of a group",
    define: defineAdopt,
  },
  {
    usage: "import <composefile>",
    description: "make manifests of services of a compose file",
    define: defineImport,
  },
  {
    usage: "history",
    description: "show what was done and what came of it; needs no engine",
    define: defineHistory,
  },
  {
    usage: "unlock",
    description: "end the lease of a run on another machine that is gone",
    define: defineUnlock,
  },
];

/**
 * Builds the program for these arguments; `done` is told the exit code of the command that ran.
 * Only the command that is called gets its options, because making them all takes longer than parsing.
 */
export function buildProgram(argv: readonly string[], done: Done): Command {
  const program = new Command("wgctl")
    .description("Keeps groups of identical container workers at the state declared in YAML.")
    .version(manifest.version)
    .configureOutput({ writeErr })
    .configureHelp({ sortSubcommands: false, optionDescription })
    .showHelpAfterError("(wgctl help COMMAND shows its options)")
    .exitOverride();
  const called = COMMANDS.find(({ usage }) => usage.split(" ")[0] === argv[0]);
  for (const entry of COMMANDS) {
    const command = program.command(entry.usage).description(entry.description);
    if (called === undefined || called === entry) entry.define(command, done);
  }
  return program;
}

/** That a switch is off unless given goes without saying. */
function optionDescription(option: Option): string {
  return option.isBoolean() ? option.description : new Help().optionDescription(option);
}

function defineInit(command: Command, done: Done): void {
  command
    .option("--name <name>", "name of the project")
    .option("--image <reference>", "image of the example's workers")
    .action(async (folder: string | undefined, options) => {
      const { initCommand } = await import("./commands/init.ts");
      done(await initCommand(folder ?? ".", options));
    });
  addOptions(command, outputOptions(["text"]));
}

function defineUid(command: Command, done: Done): void {
  command
    .option("--write", "edit the files: one line for each missing uid, all else as it is", false)
    .action(async (files: readonly string[], options) => {
      const { uidCommand } = await import("./commands/uid.ts");
      done(await uidCommand(files, options));
    });
  addOptions(command, outputOptions(["text"]));
}

function defineSchema(command: Command, done: Done): void {
  command.action(async () => {
    const { schemaCommand } = await import("./commands/schema.ts");
    done(schemaCommand());
  });
}

function defineValidate(command: Command, done: Done): void {
  command.action(async (options) => {
    const { validateCommand } = await import("./commands/validate.ts");
    done(await validateCommand(options));
  });
  addOptions(command, [...manifestOptions(), ...outputOptions(["text", "json", "yaml"])]);
}

function definePlan(command: Command, done: Done): void {
  command.action(async (options) => {
    const { planCommand } = await import("./commands/plan.ts");
    done(await planCommand(options));
  });
  addOptions(command, common());
  addPruneOptions(command);
  command
    .addOption(allowOlder())
    .addOption(retry())
    .option("--detailed-exitcode", "exit 2 when changes are pending", false);
}

function defineApply(command: Command, done: Done): void {
  command.action(async (options) => {
    const { applyCommand } = await import("./commands/apply.ts");
    done(await applyCommand(options));
  });
  addOptions(command, common());
  command.option("-y, --yes", "do not ask", false);
  addPruneOptions(command);
  command
    .addOption(allowOlder())
    .addOption(retry())
    .option("--once", "one pass, without waiting", false)
    .option("--no-wait", "end as soon as nothing more can be done right now")
    .option("--verify", "plan again at the end; fail when that is not empty", false)
    .addOption(positive("--max-actions <n>", "engine calls of the whole run at most"))
    .addOption(
      duration("--timeout <duration>", "start nothing new after this").default(600_000, "10m"),
    )
    .addOption(duration("--lock-timeout <duration>", "wait for another run").default(0, "0s"))
    .addOption(
      duration(
        "--lease-duration <duration>",
        "how long a killed run keeps other machines out",
        3_000,
      ).default(60_000, "60s"),
    )
    .addOption(
      new Option("--if-locked <action>", "when another run holds the lock, exit 5 or 0")
        .choices(["fail", "skip"])
        .default("fail"),
    )
    .option("--detailed-exitcode", "exit 2 when more is to be done", false);
}

function defineStatus(command: Command, done: Done): void {
  command.action(async (options) => {
    const { statusCommand } = await import("./commands/status.ts");
    done(await statusCommand(options));
  });
  addOptions(command, common());
  command.option("--detailed-exitcode", "exit 2 when not everything is converged", false);
}

function defineHistory(command: Command, done: Done): void {
  command.action(async (options) => {
    const { historyCommand } = await import("./commands/history.ts");
    done(await historyCommand(options));
  });
  addOptions(command, [
    groupOption(),
    positive("-n, --limit <n>", "only the newest so many actions"),
    ...engineOptions(),
    ...outputOptions(["text", "json", "yaml"]),
  ]);
}

function defineUnlock(command: Command, done: Done): void {
  command.action(async (options) => {
    const { unlockCommand } = await import("./commands/unlock.ts");
    done(await unlockCommand(options));
  });
  addOptions(command, [...engineOptions(), ...outputOptions(["text"])]);
  command.option("-y, --yes", "do not ask", false);
}

function common(): readonly Option[] {
  return [
    ...manifestOptions(),
    ...engineOptions(),
    ...outputOptions(["text", "wide", "json", "yaml"]),
  ];
}

function addPruneOptions(command: Command): void {
  command
    .option("--prune", "remove the workers of groups that left the project")
    .option("--no-prune", "leave them, whatever the project says")
    .option("--allow-mass-delete", "let prune take more than half of the groups", false);
}

function allowOlder(): Option {
  const flag = "act on workers that a newer commit made than the one checked out here";
  return new Option("--allow-older", flag).default(false);
}

function retry(): Option {
  return new Option("--retry", "try a revision again that has failed").default(false);
}

function addOptions(command: Command, options: readonly Option[]): void {
  for (const option of options) command.addOption(option);
}
