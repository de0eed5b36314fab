// What the schema found -> problems with places, in words for a person. The only file that reads zod's issues.

import type * as z from "zod/mini";
import type { Problem } from "../core/model.ts";
import { Secrets } from "../core/secrets.ts";
import { problemAt, quote, spanOf } from "./problems.ts";
import type { IssueDetails } from "./schema/parts.ts";
import type { Source } from "./source.ts";
import { find, formatPath, type Node, type Path } from "./tree.ts";

type Issue = z.core.$ZodIssue;

/** Problems for the issues of one document; `base` is where the schema began to read. */
export function describeIssues(
  issues: readonly Issue[],
  source: Source,
  root: Node,
  base: Path = [],
): readonly Problem[] {
  const plain = issues.flatMap((issue) => flatten(issue, base, root));
  const meant = new Set(plain.flatMap((issue) => (issue.meant ? [formatPath(issue.meant)] : [])));
  return plain
    .filter((issue) => !(issue.missing && meant.has(formatPath(issue.path))))
    .map((issue) => problemAt(source, spanOf(root, issue.path, issue.at), issue.path, issue));
}

type Plain = {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly at?: "key" | "value";
  readonly missing?: true;
  /** The field that an unknown one was probably meant to be: that it is missing needs no second word. */
  readonly meant?: Path | undefined;
};

function flatten(issue: Issue, base: Path, root: Node): readonly Plain[] {
  const path = [
    ...base,
    ...issue.path.map((step) => (typeof step === "number" ? step : String(step))),
  ];
  if (issue.code === "custom") return [describeCustom(issue, path, root)];
  if (issue.code === "invalid_union") return flattenUnion(issue.errors, path, root);
  if (issue.code === "invalid_type") return [describeType([issue.expected], path, root)];
  return [{ path, message: issue.message }];
}

function describeCustom(issue: z.core.$ZodIssueCustom, path: Path, root: Node): Plain {
  const { hint, about, meant }: IssueDetails = issue.params ?? {};
  const hide = about === "value" ? hiderOf(path, root) : (text: string) => text;
  return {
    path,
    message: [subjectOf(about, path, root), hide(issue.message)].join(" ").trimStart(),
    hint: hint === undefined ? undefined : hide(hint),
    at: about === "key" || about === "name" ? "key" : "value",
    meant: meant === undefined ? undefined : [...path.slice(0, -1), meant],
  };
}

/** What a message begins with. Of a text with variables in it only what is written is ever shown. */
function subjectOf(about: IssueDetails["about"], path: Path, root: Node): string {
  const last = path.at(-1);
  if (about === "name" && typeof last === "string") return last;
  if (about === undefined || about === "key") return "";
  const node = find(root, path)?.node;
  return node?.kind === "text" ? quote(node.written ?? node.text) : String(last);
}

/** Takes out of what is said about a value what variables made of it. */
function hiderOf(path: Path, root: Node): (text: string) => string {
  const node = find(root, path)?.node;
  if (node?.kind !== "text" || node.sensitive === undefined) return (text) => text;
  const filled = new Secrets(new Map(), [node.text, ...node.sensitive]);
  return (text) => filled.hide(text);
}

/** The findings of the form that the value has; where it has none of them, which forms there are. */
function flattenUnion(
  branches: readonly (readonly Issue[])[],
  path: Path,
  root: Node,
): readonly Plain[] {
  const fitting = branches.find((branch) => !branch.some(isWrongForm));
  if (fitting !== undefined) return fitting.flatMap((issue) => flatten(issue, path, root));
  const forms = branches
    .flat()
    .flatMap((issue) => (issue.code === "invalid_type" ? [issue.expected] : []));
  return [describeType(forms, path, root)];
}

function isWrongForm(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.path.length === 0;
}

const forms: Readonly<Record<string, string>> = {
  string: "a single value",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  never: "nothing",
};
const kinds = { text: "a single value", list: "a list", map: "a mapping", empty: "empty" } as const;

function describeType(expected: readonly string[], path: Path, root: Node): Plain {
  const name = path.length === 0 ? "the document" : lastName(path);
  const node = find(root, path)?.node;
  if (node === undefined) return { path, message: `${name} is missing`, missing: true };
  const wanted = [...new Set(expected.map((form) => forms[form] ?? form))].join(" or ");
  if (node.kind === "empty") return { path, message: `${name} is empty`, hint: "give it a value" };
  return { path, message: `${name} is ${kinds[node.kind]}`, hint: `write ${wanted}` };
}

/** `image`; for an item of a list `an item of command`. */
function lastName(path: Path): string {
  const last = path.at(-1);
  return typeof last === "number" ? `an item of ${lastName(path.slice(0, -1))}` : String(last);
}
