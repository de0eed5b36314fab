// YAML text -> documents as trees, with everything YAML can get wrong told in plain words. Knows nothing of manifests.

import { type Document, isCollection, isScalar, parseAllDocuments, visit } from "yaml";
import type { Problem } from "../core/model.ts";
import { type Finding, problemAt } from "./problems.ts";
import type { Source, Span } from "./source.ts";
import type { Node } from "./tree.ts";
import { readTree } from "./yaml-tree.ts";
import { explainSyntax } from "./yaml-words.ts";

/**
 * One document. `root` is undefined where its syntax is wrong; with other problems it is there, and what they
 * are about is empty in it.
 */
export type YamlDocument = {
  readonly root: Node | undefined;
  readonly problems: readonly YamlProblem[];
};

export type YamlProblem = { readonly span: Span; readonly problem: Problem };

/** All documents of a file that are not empty; tags that are not `known` are problems. Never throws. */
export function parseYaml(source: Source, known: readonly string[] = []): readonly YamlDocument[] {
  const documents = parseAllDocuments(source.text, {
    version: "1.2",
    schema: "core",
    // Both are done while the tree is read: `merge` would hide a second `<<`, and `uniqueKeys` takes quadratic time.
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  return Array.isArray(documents)
    ? documents.flatMap((one) => readDocument(one, source, known))
    : [];
}

function readDocument(
  document: Document.Parsed,
  source: Source,
  known: readonly string[],
): YamlDocument[] {
  // Later errors of a document are mostly consequences of its first.
  const error = document.errors[0];
  if (error !== undefined) {
    const span: Span = { start: error.pos[0], end: error.pos[1] };
    const opening = findOpening(document, span.start);
    const { at, ...finding } = explainSyntax(error.code, error.message, source, span, opening);
    return [
      { root: undefined, problems: [{ span: at, problem: problemAt(source, at, [], finding) }] },
    ];
  }
  if (document.contents === null) return [];
  const problems: YamlProblem[] = [];
  const report = (span: Span, finding: Finding) =>
    problems.push({ span, problem: problemAt(source, span, [], finding) });
  const root = readTree(document.contents, report, known);
  return root.kind === "empty" && problems.length === 0 ? [] : [{ root, problems }];
}

/** Where the innermost quote or bracket begins that is still open at an offset. */
function findOpening(document: Document.Parsed, offset: number): Span | undefined {
  let start: number | undefined;
  visit(document, {
    Node: (_, node) => {
      const quoted =
        isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE");
      const bracketed = isCollection(node) && node.flow === true;
      if (!(quoted || bracketed) || !node.range) return;
      if (node.range[0] <= offset && node.range[2] >= offset) start = node.range[0];
    },
  });
  return start === undefined ? undefined : { start, end: start + 1 };
}
