// Where variables come from: `.env` or --env-file, and of the shell only what is named, so that a cron job and a hand
// run see the same values. Remembers which were used.

import { join, resolve } from "node:path";
import type { Problem } from "../core/model.ts";
import { parseEnvFile } from "./dotenv.ts";
import { readSource } from "./files.ts";
import type { Finding } from "./problems.ts";
import { parseRawEnvFile } from "./raw-env.ts";

export type VariableRequest = {
  /** `--env-file` values, later ones winning; empty: `.env` in `folder`, if there is one. */
  readonly envFiles: readonly string[];
  /** The environment wgctl itself runs in. */
  readonly shell: Readonly<Record<string, string | undefined>>;
  /** Names that may be taken from the shell; it then wins over files. */
  readonly names: readonly string[];
};

export type UsedVariable = { readonly name: string; readonly from: "shell" | "file" };

export type Variables = {
  /** A value, remembered as used. */
  readonly lookup: (name: string) => string | undefined;
  /** How one that is not set could be; `otherwise` names another way out. */
  readonly hintFor: (name: string, otherwise?: string) => string;
  /** Sorted by name. */
  readonly used: () => readonly UsedVariable[];
  /** Takes note of a further file that values came from, or would if it were there. */
  readonly noteFile: (path: string) => void;
  /** Absolute paths of all such files, missing ones included. */
  readonly files: () => readonly string[];
  readonly problems: readonly Problem[];
};

/** Reads the files of variables. A missing `.env` is none; a missing --env-file is a problem. */
export function loadVariables(request: VariableRequest, folder: string, cwd: string): Variables {
  const { shell, envFiles } = request;
  const allowed = new Set(request.names);
  const fromShell = (name: string) => (allowed.has(name) ? shell[name] : undefined);
  const paths = (envFiles.length > 0 ? envFiles : [join(folder, ".env")]).map((path) =>
    resolve(cwd, path),
  );
  const { values, problems } = readFiles(paths, envFiles.length > 0, fromShell, cwd);
  const noted = new Set(paths);
  const used = new Map<string, UsedVariable>();
  return {
    problems,
    lookup: (name) => {
      const shellValue = fromShell(name);
      const value = shellValue ?? values.get(name);
      if (value !== undefined)
        used.set(name, { name, from: shellValue === undefined ? "file" : "shell" });
      return value;
    },
    hintFor: (name, otherwise) =>
      shell[name] !== undefined && !allowed.has(name)
        ? `the shell has it: allow it with --env ${name}, or with spec.env: [${name}] in wgctl.yaml`
        : `set it in .env${otherwise === undefined ? "" : `, or ${otherwise}`}`,
    used: () => [...used.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    noteFile: (path) => noted.add(path),
    files: () => [...noted],
  };
}

type FileValues = {
  readonly values: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
};

function readFiles(
  paths: readonly string[],
  required: boolean,
  fromShell: (name: string) => string | undefined,
  cwd: string,
): FileValues {
  const values = new Map<string, string>();
  const problems: Problem[] = [];
  for (const path of paths) {
    const read = readEnvFile(path, cwd, (name) => fromShell(name) ?? values.get(name));
    if (read.kind === "read") problems.push(...read.problems);
    else if (required) problems.push(read.problem);
    if (read.kind === "read")
      for (const [name, value] of read.values) if (value !== undefined) values.set(name, value);
  }
  return { values, problems };
}

export type EnvFileReading =
  | {
      readonly kind: "read";
      readonly values: ReadonlyMap<string, string | undefined>;
      /** Values of variables that stand inside values. */
      readonly parts: readonly string[];
      readonly problems: readonly Problem[];
    }
  | { readonly kind: "unreadable"; readonly problem: Problem };

/** Reads one file of variables. Its problems have no frame, which could show a secret. */
export function readEnvFile(
  path: string,
  cwd: string,
  lookup: (name: string) => string | undefined,
  format: "compose" | "raw" = "compose",
): EnvFileReading {
  const source = readSource(path, cwd);
  if ("message" in source) return { kind: "unreadable", problem: source };
  const { values, parts, faults } =
    format === "raw" ? parseRawEnvFile(source.text) : parseEnvFile(source.text, lookup);
  const problems = faults.map(({ line, message, hint }) =>
    problemOfLine(source.file, line, { message, hint }),
  );
  return { kind: "read", values, parts, problems };
}

function problemOfLine(file: string, line: number, { message, hint }: Finding): Problem {
  const place = { file, line, column: 1 };
  return { severity: "error", place, path: "", message, ...(hint !== undefined && { hint }) };
}
