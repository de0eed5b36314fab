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
import { isSettled, isVariable } from "./texts.ts";
import { type Fields, type Origin, type TextValue, textFrom, type Value } from "./value.ts";

export type CheckContext = {
  /** Absolute folder of the manifest. */
  readonly folder: string;
  readonly cwd: string;
  /** Whether a file that the manifest names, by its path there, is missing here. */
  readonly isMissing: (path: string) => boolean;
};

/** What is wrong with a draft, at the places of the compose file that it comes from. */
export function checkDraft(draft: Draft, uid: string, context: CheckContext): readonly Problem[] {
  const fields = knownFields(manifestFields(draft, uid), [], context);
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
    .filter(({ severity }) => severity === "error")
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

function knownFields(fields: Fields, path: Path, context: CheckContext): Fields {
  const known = new Map<string, Value>();
  for (const [name, value] of fields) {
    const one = knownValue(value, [...path, name], context);
    if (one !== undefined) known.set(name, one);
  }
  return known;
}

/** A value without what is not known; undefined where nothing is left. */
function knownValue(value: Value, path: Path, context: CheckContext): Value | undefined {
  const at = formatPath(path);
  if (value.kind === "empty")
    return at.includes(".environment") ? textFrom(value.origin, "variable") : value;
  if (value.kind === "map") {
    const entries = knownFields(value.entries, path, context);
    return isGone(value.entries.size, entries.size) || isMissing(entries, at, context)
      ? undefined
      : { ...value, entries };
  }
  if (value.kind === "list") {
    const items = value.items.flatMap(
      (item, index) => knownValue(item, [...path, index], context) ?? [],
    );
    return isGone(value.items.length, items.length) ? undefined : { ...value, items };
  }
  return knownText(value, at, context);
}

function isGone(before: number, after: number): boolean {
  return before > 0 && after === 0;
}

const FILES = /^spec\.(template\.env_file|secrets|configs)\b/;

function isMissing(entries: Fields, at: string, { isMissing: missing }: CheckContext): boolean {
  const path = entries.get("path") ?? entries.get("file");
  return FILES.test(at) && path?.kind === "text" && missing(path.text);
}

function knownText(value: TextValue, at: string, context: CheckContext): TextValue | undefined {
  if (isSettled(value.text)) {
    const isFile = /^spec\.template\.env_file(\[\d+\])?$/.test(at);
    if (isFile && context.isMissing(value.text)) return undefined;
    return at.endsWith(".environment") || !isBareName(value, at) ? value : named(value);
  }
  if (FREE.test(at)) return { ...value, text: filledIn(value.text) };
  return at === "spec.replicas" ? { ...value, text: "1" } : undefined;
}

/** A name without a value in a list of `NAME=value`. */
function isBareName({ text }: TextValue, at: string): boolean {
  return /^spec\.template\.environment\[\d+\]$/.test(at) && !text.includes("=");
}

function named(value: TextValue): TextValue {
  return { ...value, text: `${value.text}=variable` };
}

/** A path where a path may be meant, else a word. */
function filledIn(text: string): string {
  return splitVariables(text)
    .map((piece, index) => {
      const isUnset = isVariable(piece) && interpolate(piece, () => undefined).faults.length > 0;
      return isUnset ? `${index === 0 && /^\S+:\//.test(text) ? "/" : ""}variable` : piece;
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
