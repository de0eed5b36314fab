// What manifests need of variables, told from what Compose has: its .env beside the compose file, and all of the shell.

import { dirname, join } from "node:path";
import { parseEnvFile } from "../dotenv.ts";
import type { ReadFile } from "./compose-file.ts";
import { type Draft, inNumber, listed } from "./draft.ts";
import { variablesOf } from "./texts.ts";
import { mapFrom, textsIn } from "./value.ts";

export type ComposeVariables = {
  /** Its `.env`, if there is one, as a person names it. */
  readonly file: string | undefined;
  readonly values: ReadonlyMap<string, string | undefined>;
};

/** Reads what Compose would; a file that is not there sets nothing. */
export function readComposeVariables(composePath: string, read: ReadFile): ComposeVariables {
  const source = read(join(dirname(composePath), ".env"));
  if ("message" in source) return { file: undefined, values: new Map() };
  return { file: source.file, values: parseEnvFile(source.text, () => undefined).values };
}

/** Sentences about the variables of these drafts; none where there are no variables. */
export function describeVariables(
  drafts: readonly Draft[],
  compose: ComposeVariables,
): readonly string[] {
  const isSet = (name: string) => compose.values.get(name) !== undefined;
  const texts = drafts.flatMap((draft) =>
    [
      draft.replicas,
      mapFrom(draft.origin, draft.template),
      mapFrom(draft.origin, draft.rest),
    ].flatMap((value) => [...textsIn(value)].map(({ text }) => text.text)),
  );
  const used = texts.map((text) => variablesOf(text, isSet));
  const sorted = (names: readonly string[]) => [...new Set(names)].sort();
  const fromFile = sorted(used.flatMap(({ names }) => names)).filter(isSet);
  const lacking = sorted(used.flatMap(({ lacks }) => lacks));
  const required = new Set(used.flatMap((one) => one.required));
  return [
    ...(fromFile.length === 0 ? [] : [describeFile(fromFile, compose.file ?? ".env")]),
    ...(lacking.length === 0 ? [] : [describeLacking(lacking, required)]),
  ];
}

function describeFile(names: readonly string[], file: string): string {
  const get = inNumber(names.length, "gets its value", "get their values");
  return `${listed(names)} ${get} from ${file} in Compose; wgctl reads .env beside wgctl.yaml, or this one with --env-file ${file}`;
}

function describeLacking(names: readonly string[], required: ReadonlySet<string>): string {
  const have = `${listed(names)} must be set: in .env beside wgctl.yaml, or in the shell and named with --env or spec.env`;
  const emptied = names.filter((name) => !required.has(name));
  if (emptied.length === 0) return have;
  const which = emptied.length === names.length ? "one" : `one of ${listed(emptied)}`;
  return `${have}; Compose takes ${which} that is not set for empty, wgctl does not`;
}
