// The environment of a worker, put together as Compose does: files in their order, then what the template sets, and
// names without a value from the variables of the run.

import { resolve } from "node:path";
import type { Problem } from "../core/model.ts";
import { problemAt, quote, spanOf } from "./problems.ts";
import { type EnvFileDraft, envFiles } from "./schema/env-file.ts";
import type { Source } from "./source.ts";
import { find, type Node, type Path, toPlain } from "./tree.ts";
import { readEnvFile, type Variables } from "./variables.ts";

export type JoinedEnvironment = {
  readonly values: Readonly<Record<string, string>>;
  /** Names whose values came from outside the manifest. */
  readonly fromOutside: ReadonlySet<string>;
  /** Values of variables that stand inside values of files. */
  readonly parts: readonly string[];
  readonly problems: readonly Problem[];
};

export type EnvironmentContext = {
  readonly root: Node;
  readonly source: Source;
  /** Absolute folder that paths of files begin at. */
  readonly folder: string;
  readonly cwd: string;
  readonly variables: Variables;
};

type Joining = {
  readonly values: Map<string, string>;
  readonly fromOutside: Set<string>;
  readonly parts: string[];
  readonly problems: Problem[];
};

const templatePath = ["spec", "template"] as const;

/**
 * Reads the files and joins everything. What cannot be had is a problem at its place; what is wrong with the
 * fields themselves is the schema's to say.
 */
export function joinEnvironment(context: EnvironmentContext): JoinedEnvironment {
  const joining: Joining = { values: new Map(), fromOutside: new Set(), parts: [], problems: [] };
  const path = [...templatePath, "env_file"];
  const node = find(context.root, path)?.node;
  const files = envFiles.safeParse(node && toPlain(node)).data ?? [];
  for (const [index, file] of files.entries())
    joinFile(file, node?.kind === "list" ? [...path, index] : path, joining, context);
  for (const pair of pairsIn(context.root)) joinPair(pair, joining, context);
  return { ...joining, values: Object.fromEntries(joining.values) };
}

function joinFile(file: EnvFileDraft, at: Path, joining: Joining, context: EnvironmentContext) {
  const { variables, folder, cwd } = context;
  const lookup = (name: string) => variables.lookup(name) ?? joining.values.get(name);
  const path = resolve(folder, file.path);
  variables.noteFile(path);
  const read = readEnvFile(path, cwd, lookup, file.format);
  if (read.kind === "unreadable") {
    const { place, message } = read.problem;
    if (file.required) addProblem(at, `${place.file}: ${message}`, undefined, joining, context);
    return;
  }
  joining.problems.push(...read.problems);
  joining.parts.push(...read.parts);
  for (const [name, value] of read.values) {
    if (value === undefined) joinFromOutside(name, name, at, joining, context);
    else joining.values.set(name, value);
    joining.fromOutside.add(name);
  }
}

type Pair = {
  readonly name: string;
  readonly value: string | undefined;
  readonly path: Path;
  /** The name as it may be shown. */
  readonly shown: string;
};

/** What the template sets itself, as far as it is of the right form. */
function pairsIn(root: Node): readonly Pair[] {
  const path = [...templatePath, "environment"];
  const node = find(root, path)?.node;
  if (node?.kind === "map")
    return [...node.entries].flatMap(([name, { value }]): Pair[] => {
      const common = { name, shown: name, path: [...path, name] };
      if (value.kind === "empty") return [{ ...common, value: undefined }];
      return value.kind === "text" ? [{ ...common, value: value.text }] : [];
    });
  const items = node?.kind === "list" ? node.items : [];
  return items.flatMap((item, index): Pair[] => {
    if (item.kind !== "text") return [];
    const [name = "", ...rest] = item.text.split("=");
    const shown = item.sensitive ? quote(item.written ?? "") : name;
    const value = rest.length === 0 ? undefined : rest.join("=");
    return [{ name, value, shown, path: [...path, index] }];
  });
}

function joinPair(
  { name, value, path, shown }: Pair,
  joining: Joining,
  context: EnvironmentContext,
) {
  if (value === undefined) return joinFromOutside(name, shown, path, joining, context);
  joining.values.set(name, value);
  joining.fromOutside.delete(name);
}

function joinFromOutside(
  name: string,
  shown: string,
  path: Path,
  joining: Joining,
  context: EnvironmentContext,
): void {
  const value = context.variables.lookup(name);
  joining.fromOutside.add(name);
  if (value !== undefined) joining.values.set(name, value);
  else {
    const otherwise = `write an empty value: ""`;
    const hint = shown === name ? context.variables.hintFor(name, otherwise) : undefined;
    const message = `${shown} has no value here, and no such variable is set`;
    addProblem(path, message, hint, joining, context);
  }
}

function addProblem(
  path: Path,
  message: string,
  hint: string | undefined,
  joining: Joining,
  { source, root }: EnvironmentContext,
): void {
  joining.problems.push(problemAt(source, spanOf(root, path), path, { message, hint }));
}
