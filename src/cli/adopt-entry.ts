// The options of `wgctl adopt`: those of an apply of one group, and what it adopts.

import { type Command, Option } from "commander";
import { duration, engineOptions, outputOptions, positive, sourceOptions } from "./options.ts";

type Done = (code: number) => void;

/** What an apply can be told besides, and an adoption is never meant for. */
const FIXED = {
  ...{ allowMassDelete: false, allowOlder: false, retry: false, verify: false, wait: true },
  ...{ ifLocked: "fail", detailedExitcode: false },
} as const;

export function defineAdopt(command: Command, done: Done): void {
  command.action(async (name: string, options) => {
    const { adoptCommand } = await import("./commands/adopt.ts");
    done(await adoptCommand(name, { ...FIXED, ...options }));
  });
  command
    .addOption(
      new Option(
        "--from <container...>",
        "containers to adopt, by id or name; none: go on",
      ).default([], "those in spec.adopt"),
    )
    .option("-y, --yes", "do not ask", false)
    .option("--dry-run", "show the containers, the plan and the edit, and write nothing", false)
    .option("--no-apply", "only edit the manifest; the next apply does the rest")
    .option("--once", "one pass, without waiting", false)
    .addOption(positive("--max-actions <n>", "engine calls of the whole run at most"));
  const options = [
    ...sourceOptions(),
    duration("--timeout <duration>", "start nothing new after this").default(600_000, "10m"),
    duration("--lock-timeout <duration>", "wait for another run").default(0, "0s"),
    duration(
      "--lease-duration <duration>",
      "how long a killed run keeps other machines out",
      3_000,
    ).default(60_000, "60s"),
    ...engineOptions(),
    ...outputOptions(["text"]),
  ];
  for (const option of options) command.addOption(option);
}
