// Whether a draft is a valid group, by the same reader that plans and applies ask. What depends on variables that only
// a run knows, or on files that are not here, is left to that run.

import type { Problem } from "../../core/model.ts";
import { readGroup } from "../document.ts";
import { splitVariables } from "../interpolation.ts";
import { readFilePath } from "../schema/file-mounts.ts";
import { makeSource } from "../source.ts";
import { formatPath, type Path } from "../tree.ts";
import type { Variables } from "../variables.ts";
import { parseYaml } from "../yaml.ts";

import type { Draft } from "./draft.ts";
import { manifestFields } from "./manifest-text.ts";
import { noComments, printDocument } from "./print.ts";
import { isSettled } from "./texts.ts";
import {
  type EmptyValue,
  type Fields,
  fieldsOf,
  mapScalars,
  type Origin,
  problemOf,
  type TextValue,
  textFrom,
  textOf,
  type Value,
} from "./value.ts";

export type CheckContext = {
  /** Absolute folder of the manifest. */
  readonly folder: string;
  readonly cwd: string;
};

/**
 * What may stand for a variable without a value; the n-th variable gets the n-th of its kind. A field that is right
 * with any of them may be right in a run.
 */
const STAND_INS: readonly ((index: number) => string)[] = [
  (index) => `variable${index}`,
  (index) => String(index + 1),
  () => "1",
  () => "1s",
  () => "64m",
  (index) => `/variable${index}`,
  () => "true",
  () => "127.0.0.1",
  () => "SIGTERM",
  () => "always",
  () => "linux/amd64",
];

/** What is wrong with a draft, at the places of the compose file that it comes from. */
export function checkDraft(draft: Draft, uid: string, context: CheckContext): readonly Problem[] {
  const fields = manifestFields(draft, uid);
  let wrong: readonly Problem[] | undefined;
  for (const standIn of STAND_INS) {
    const problems = checkWith(fields, standIn, draft, context);
    const paths = new Set(problems.map(({ path }) => path));
    wrong = wrong?.filter(({ path }) => paths.has(path)) ?? problems;
    if (wrong.length === 0) break;
  }
  return (wrong ?? []).map((problem) => atOrigin(problem, draft));
}

function checkWith(
  fields: Fields,
  standIn: (index: number) => string,
  draft: Draft,
  context: CheckContext,
): readonly Problem[] {
  const known = knownFields(fields, new Map(), standIn);
  const source = makeSource("manifest", printDocument(known, noComments));
  const [document] = parseYaml(source);
  if (document?.root === undefined) return [unreadable(draft)];
  const { problems } = readGroup(document.root, document.problems, source, {
    ...context,
    home: () => "/",
    variables: unknownVariables,
    advice: false,
  });
  const isUsable = mountedFiles(draft).every((path) => readFilePath(path).ok);
  return problems
    .filter(({ severity }) => severity === "error")
    .filter(({ path }) => !(isUsable && MOUNTED_FILES.test(path)));
}

/** The paths of the files of secrets and configs. */
function mountedFiles({ rest }: Draft): readonly string[] {
  return ["secrets", "configs"].flatMap((kind) =>
    [...fieldsOf(rest.get(kind)).values()].flatMap(
      (one) => textOf(fieldsOf(one).get("file")) ?? [],
    ),
  );
}

function unreadable({ origin, services }: Draft): Problem {
  const message = "it holds a text that cannot be written into a manifest";
  return problemOf(origin, ["services", services.join()], { message });
}

/** A run has its own variables; here all are unset, and those that need a value have a stand-in. */
const unknownVariables: Variables = {
  lookup: () => undefined,
  hintFor: (name) => `set ${name}`,
  used: () => [],
  noteFile: () => undefined,
  files: () => [],
  problems: [],
};

/** Paths of files that the reader opens; for secrets and configs it takes no device, so what it says of them is not asked. */
const ENV_FILES = /^spec\.template\.env_file(\[\d+\](\.path)?)?$/;
const MOUNTED_FILES = /^spec\.(secrets|configs)\..*\.file$/;
const PROFILES = /^spec\.template\.security_opt\[/;
const ENVIRONMENT = /^spec\.template\.environment[.[]/;
const EMPTY_FILE = "/dev/null";

/** The fields with a value for whatever has none here. */
function knownFields(
  fields: Fields,
  indexes: Map<string, number>,
  standIn: (index: number) => string,
): Fields {
  const fill = (text: string) => fillIn(text, indexes, standIn);
  return new Map(
    [...fields].map(([name, value]) => [
      name,
      mapScalars(value, [name], (one, at) => knownScalar(one, at, fill)),
    ]),
  );
}

function knownScalar(
  value: TextValue | EmptyValue,
  at: string,
  fill: (text: string) => string,
): Value {
  if (value.kind === "empty") return ENVIRONMENT.test(at) ? textFrom(value.origin, "") : value;
  const { text } = value;
  if (ENV_FILES.test(at) && text !== "" && !text.includes("{{"))
    return { ...value, text: EMPTY_FILE };
  if (PROFILES.test(at))
    return { ...value, text: text.replace(/^(seccomp[=:]).*/, "$1unconfined") };
  const isBareName = ENVIRONMENT.test(at) && at.endsWith("]") && !text.includes("=");
  return { ...value, text: isBareName ? `${text}=` : fill(text) };
}

/** A text with a stand-in for each variable that it cannot do without. */
function fillIn(
  text: string,
  indexes: Map<string, number>,
  standIn: (index: number) => string,
): string {
  if (isSettled(text)) return text;
  return splitVariables(text)
    .map((piece) => {
      if (isSettled(piece)) return piece;
      if (!indexes.has(piece)) indexes.set(piece, indexes.size);
      return standIn(indexes.get(piece) ?? 0);
    })
    .join("");
}

const TEMPLATE = ["spec", "template"];

/** The same problem in the compose file: at the field that it comes from, else at the service. */
function atOrigin({ path, message, hint }: Problem, draft: Draft): Problem {
  const fields: readonly (readonly [Path, Value])[] = [
    ...[...draft.template].map(([name, value]) => [[...TEMPLATE, name], value] as const),
    ...[...draft.rest].map(([name, value]) => [["spec", name], value] as const),
    [["spec", "replicas"], draft.replicas],
  ];
  const found = fields.find(([at]) => isBelow(path, formatPath(at)));
  const origin: Origin = found?.[1].origin ?? draft.origin;
  const inside = path.replace(/^spec\.(template\.)?/, "");
  const way = "if workers can do without it, import from a copy of the file that is without it";
  return {
    ...problemOf(origin, [], { message, hint: hint ?? way }),
    path: `services.${draft.services.join()}.${inside}`,
  };
}

function isBelow(path: string, above: string): boolean {
  return (
    path === above || ([".", "["].includes(path.charAt(above.length)) && path.startsWith(above))
  );
}
