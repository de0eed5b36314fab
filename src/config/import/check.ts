// Whether a draft is a valid group, by the same reader that plans and applies ask. What depends on variables that only
// a run knows, or on files that are not here, is left to that run.

import type { Problem } from "../../core/model.ts";
import { readGroup } from "../document.ts";
import { interpolate, splitVariables } from "../interpolation.ts";
import { makeSource } from "../source.ts";
import { formatPath, type Path } from "../tree.ts";
import type { Variables } from "../variables.ts";
import { parseYaml } from "../yaml.ts";
import { problemOf } from "./compose-file.ts";
import type { Draft } from "./draft.ts";
import { manifestFields } from "./manifest-text.ts";
import { noComments, printDocument } from "./print.ts";
import { isSettled } from "./texts.ts";
import { type Fields, type Origin, type TextValue, textFrom, type Value } from "./value.ts";

export type CheckContext = {
  /** Absolute folder of the manifest. */
  readonly folder: string;
  readonly cwd: string;
};

/** What is wrong with a draft, at the places of the compose file that it comes from. */
export function checkDraft(draft: Draft, uid: string, context: CheckContext): readonly Problem[] {
  const fields = knownFields(manifestFields(draft, uid), []);
  const source = makeSource("manifest", printDocument(fields, noComments));
  const [document] = parseYaml(source);
  if (document?.root === undefined) return [unreadable(draft)];
  const { problems } = readGroup(document.root, document.problems, source, {
    ...context,
    home: () => "/",
    variables: unknownVariables,
    advice: false,
  });
  return problems
    .filter(({ severity, path }) => severity === "error" && !MOUNTED_FILES.test(path))
    .map((problem) => atOrigin(problem, draft));
}

function unreadable({ origin, services }: Draft): Problem {
  const message = "it holds a text that cannot be written into a manifest";
  return problemOf(origin, ["services", services.join()], { message });
}

/** A run has its own variables; here all are unset, and nothing that needs one is asked about. */
const unknownVariables: Variables = {
  lookup: () => undefined,
  hintFor: (name) => `set ${name}`,
  used: () => [],
  noteFile: () => undefined,
  files: () => [],
  problems: [],
};

/** Fields whose text may be anything, so that a word in place of a variable changes nothing about them. */
const FREE =
  /^spec\.template\.(environment|labels|command|entrypoint|image|volumes|healthcheck\.test)\b/;
/** Paths of files that the reader opens; for secrets and configs it takes no device, so what it says of them is not asked. */
const ENV_FILES = /^spec\.template\.env_file(\[\d+\](\.path)?)?$/;
const MOUNTED_FILES = /^spec\.(secrets|configs)\..*\.file$/;
const EMPTY_FILE = "/dev/null";

function knownFields(fields: Fields, path: Path): Fields {
  const known = new Map<string, Value>();
  for (const [name, value] of fields) {
    const one = knownValue(value, [...path, name]);
    if (one !== undefined) known.set(name, one);
  }
  return known;
}

/** A value without what is not known; undefined where nothing is left. */
function knownValue(value: Value, path: Path): Value | undefined {
  const at = formatPath(path);
  switch (value.kind) {
    case "empty":
      return isVariable(at) ? textFrom(value.origin, WORD) : value;
    case "map": {
      const entries = knownFields(value.entries, path);
      return isGone(value.entries.size, entries.size) ? undefined : { ...value, entries };
    }
    case "list": {
      const items = value.items.flatMap((item, index) => knownValue(item, [...path, index]) ?? []);
      return isGone(value.items.length, items.length) ? undefined : { ...value, items };
    }
    case "text":
      return knownText(value, at);
  }
}

function isGone(before: number, after: number): boolean {
  return before > 0 && after === 0;
}

/** A variable of the environment, in either form. */
function isVariable(at: string): boolean {
  return /^spec\.template\.environment[.[]/.test(at);
}

function knownText(value: TextValue, at: string): TextValue | undefined {
  const { text } = value;
  if (ENV_FILES.test(at)) return { ...value, text: EMPTY_FILE };
  if (at.startsWith("spec.template.security_opt"))
    return { ...value, text: text.replace(/^(seccomp[=:]).*/, "$1unconfined") };
  if (!isSettled(text)) {
    if (FREE.test(at)) return { ...value, text: filledIn(text) };
    return at === "spec.replicas" ? { ...value, text: "1" } : undefined;
  }
  const isBareName = isVariable(at) && at.endsWith("]") && !text.includes("=");
  return isBareName ? { ...value, text: `${text}=${WORD}` } : value;
}

const WORD = "variable";

/** A path where a path may be meant, else a word. */
function filledIn(text: string): string {
  const isMount = /^\S+:\//.test(text);
  return splitVariables(text)
    .map((piece, index) => {
      const isUnset = interpolate(piece, () => undefined).faults.some(
        ({ kind }) => kind === "unset",
      );
      return isUnset ? `${index === 0 && isMount ? "/" : ""}${WORD}` : piece;
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
