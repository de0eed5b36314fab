// short-grace: the command itself names a time in which its program ends its work, and the worker is killed before.
// Only programs and options whose meaning is certain; what runs in a shell is not looked into.

import { basename } from "node:path";
import type { SpecDraft } from "../schema/spec-fields.ts";
import { DEFAULT_GRACE, type LintFinding } from "./lint.ts";

type Program = {
  /** What must stand among the arguments too. */
  readonly verb?: string;
  /** Options that take seconds. */
  readonly options: readonly string[];
};

const PROGRAMS: Readonly<Record<string, Program>> = {
  // Jobs that still run then are given back to the queue.
  sidekiq: { options: ["-t", "--timeout"] },
  // The most that one task may take; a stop waits for the tasks under way.
  celery: { verb: "worker", options: ["--time-limit"] },
  artisan: { verb: "queue:work", options: ["--timeout"] },
  // Requests that still run then are cut off by the program itself.
  gunicorn: { options: ["--graceful-timeout"] },
  uvicorn: { options: ["--timeout-graceful-shutdown"] },
};

/** Words before the program that start it and change nothing about its arguments. */
const LAUNCHERS = new Set(
  "bundle exec poetry pipenv uv run python python3 php ruby tini dumb-init env -- -m -g".split(" "),
);

export function judgeCommandTimeout({ template }: SpecDraft): readonly LintFinding[] {
  const { command, entrypoint, stop_grace_period, stop_signal } = template;
  const grace = stop_grace_period ?? DEFAULT_GRACE;
  const named = namedTimeout([...(entrypoint ?? []), ...(command ?? [])]);
  if (named === undefined || named.seconds <= grace || stop_signal === "SIGKILL") return [];
  return [
    {
      path: ["spec", "template", "command"],
      repeats: [
        ["spec", "template", "command"],
        ["spec", "template", "entrypoint"],
      ],
      message: `${named.program} has up to ${named.seconds}s to end its work (${named.option}), and is killed after ${grace}s`,
      hint: `set stop_grace_period to more than ${named.seconds}s`,
    },
  ];
}

export type NamedTimeout = {
  readonly program: string;
  readonly option: string;
  readonly seconds: number;
};

/** The time that a command line gives its program to end its work; undefined where it names none for certain. */
export function namedTimeout(words: readonly string[]): NamedTimeout | undefined {
  const at = words.findIndex((word) => !LAUNCHERS.has(basename(word)));
  const name = basename(words[at] ?? "");
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  const given = words.slice(at + 1);
  if (program === undefined || (program.verb !== undefined && !given.includes(program.verb)))
    return undefined;
  const timeouts = given.flatMap((word, index) => {
    const option = program.options.find((one) => word === one || word.startsWith(`${one}=`));
    if (option === undefined) return [];
    const value = word === option ? (given[index + 1] ?? "") : word.slice(option.length + 1);
    return /^\d+(\.\d+)?$/.test(value) ? [{ program: name, option, seconds: Number(value) }] : [];
  });
  return timeouts.at(-1);
}
