// Options as commander gives them, checked and in the units the program works with.

import { InvalidArgumentError, Option } from "commander";
import { readDuration } from "../config/forms/numbers.ts";

export type OutputFormat = "text" | "json" | "yaml" | "wide";

/** What every command that reads manifests takes. */
export type ManifestOptions = SourceOptions & {
  readonly group: readonly string[];
  readonly exclude: readonly string[];
};

/** Where manifests come from. */
export type SourceOptions = {
  readonly file: readonly string[];
  /** Files of variables, and shell variables that manifests may read. */
  readonly envFile: readonly string[];
  readonly env: readonly string[];
};

/** What every command that prints takes. */
export type OutputOptions = {
  readonly output: OutputFormat;
  readonly color: "auto" | "always" | "never";
  readonly quiet: boolean;
  readonly verbose: boolean;
};

/** What every command that talks to an engine takes. */
export type EngineOptions = {
  readonly engine: "docker" | "simulated";
  /** Of the simulated engine: the file of its world, and milliseconds that pass there before anything else. */
  readonly world?: string;
  readonly advance?: number;
  readonly host?: string;
  readonly context?: string;
  readonly stateDir?: string;
  readonly requestTimeout: number;
};

/** The longest wait that Node's timers can count. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Collects the values of a repeatable option. */
export function append(value: string, all: readonly string[]): readonly string[] {
  return [...all, filled(value)];
}

/** An unset variable of a script must not choose everything. */
function filled(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

/** Options that choose manifests and groups. */
export function manifestOptions(): readonly Option[] {
  const [file, ...variables] = sourceOptions();
  const exclude = new Option("--exclude <name>", "leave this group out; repeatable")
    .argParser(append)
    .default([], "none");
  return [file, groupOption(), exclude, ...variables];
}

/** Options that say where manifests come from, the files first. */
export function sourceOptions(): readonly [Option, ...Option[]] {
  return [
    new Option("-f, --file <path>", "manifest file, folder, or - for standard input; repeatable")
      .argParser(append)
      .default([], "the project's manifests"),
    new Option("--env-file <path>", "file of variables for manifests; repeatable")
      .argParser(append)
      .default([], ".env of the project"),
    new Option("--env <name>", "shell variable that manifests may read; repeatable")
      .argParser(append)
      .default([], "those the project lists"),
  ];
}

/** The option that chooses groups. */
export function groupOption(): Option {
  return new Option("--group <name>", "only this group, as name or namespace/name; repeatable")
    .argParser(append)
    .default([], "all");
}

export function outputOptions(formats: readonly OutputFormat[]): readonly Option[] {
  return [
    new Option("-o, --output <format>", "format of standard output")
      .choices(formats)
      .default("text"),
    new Option("--color <when>", "colours").choices(["auto", "always", "never"]).default("auto"),
    new Option("-q, --quiet", "no progress on standard error").default(false),
    new Option("-v, --verbose", "more on standard error").default(false),
  ];
}

export function engineOptions(): readonly Option[] {
  return [
    orFrom(
      "WGCTL_ENGINE",
      new Option("--engine <type>", "docker, or simulated: a world in a file, in virtual time")
        .choices(["docker", "simulated"])
        .default("docker"),
    ),
    new Option(
      "--world <file>",
      "the simulated world, made by the first apply; world.json where status is kept unless given",
    ).argParser(filled),
    duration("--advance <duration>", "let that much time pass in the simulated world first"),
    new Option("--host <url>", "engine to talk to, unix://, tcp:// or ssh://"),
    new Option("--context <name>", "docker context to use"),
    orFrom("WGCTL_STATE_DIR", new Option("--state-dir <folder>", "where status is kept")),
    duration("--request-timeout <duration>", "deadline of one engine call", 1).default(
      30_000,
      "30s",
    ),
  ];
}

/** The option, also read from a variable where that is not empty. */
function orFrom(variable: string, option: Option): Option {
  return process.env[variable] === "" ? option : option.env(variable);
}

/** An option that takes a duration as Compose writes it, in milliseconds; `least` is in milliseconds too. */
export function duration(flags: string, description: string, least = 0): Option {
  return new Option(flags, description).argParser((text) => {
    const reading = readDuration(text);
    if (!reading.ok || reading.value * 1000 < least)
      throw new InvalidArgumentError("Write it as 90s or 10m.");
    return Math.min(reading.value * 1000, LONGEST_WAIT_MS);
  });
}

/** An option that takes a whole number from 1. */
export function positive(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new InvalidArgumentError("Write a whole number from 1.");
    return Number(text);
  });
}
