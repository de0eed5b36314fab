// Lints: what is valid and probably not meant. They warn and block nothing. An annotation silences them by name.

import type { Problem } from "../../core/model.ts";
import { problemAt, quote, spanOf } from "../problems.ts";
import type { SpecDraft } from "../schema/spec-fields.ts";
import type { Source } from "../source.ts";
import { hintFor } from "../suggest.ts";
import { find, type Node, type Path, texts } from "../tree.ts";
import { judgeCommandTimeout } from "./command-timeout.ts";
import { judgeDefaultGrace } from "./default-grace.ts";
import { judgeBlindCheck, judgeLateCheck } from "./health-lints.ts";
import { judgeLeftForGood } from "./left-for-good.ts";
import type { LintFinding } from "./lint.ts";
import { judgeSharedVolumes } from "./shared-volumes.ts";

/**
 * `every-run`: it goes wrong sooner or later, so that every run says it. `advice`: true of most manifests and harmless
 * in many, so that only `validate` says it, which somebody reads.
 */
type Occasion = "every-run" | "advice";

type Lint = {
  readonly on: Occasion;
  readonly judge: (spec: SpecDraft) => readonly LintFinding[];
};

const LINTS: Readonly<Record<string, Lint>> = {
  "short-grace": { on: "every-run", judge: judgeCommandTimeout },
  "late-health-check": { on: "every-run", judge: judgeLateCheck },
  "default-grace": { on: "advice", judge: judgeDefaultGrace },
  "blind-health-check": { on: "advice", judge: judgeBlindCheck },
  "left-for-good": { on: "advice", judge: judgeLeftForGood },
  "shared-volume": { on: "advice", judge: judgeSharedVolumes },
};

/** Every lint by its name. */
export const lintNames: readonly string[] = Object.keys(LINTS);

/** What only `validate` says, where nothing is wrong. */
export function isAdvice({ lint }: Problem): boolean {
  return lint !== undefined && LINTS[lint]?.on === "advice";
}

const annotation: Path = ["metadata", "annotations", "wgctl.dev/ignore"];

/** What the lints say of a valid spec; `root` is its document with variables filled in. */
export function lintGroup(
  spec: SpecDraft,
  root: Node,
  source: Source,
  withAdvice: boolean,
): readonly Problem[] {
  const { names, problems } = readIgnored(root, source);
  const chosen = Object.entries(LINTS).filter(
    ([name, { on }]) => !names.includes(name) && (withAdvice || on === "every-run"),
  );
  const found = chosen.flatMap(([lint, { judge }]) =>
    judge(spec)
      .filter(({ repeats = [] }) => !repeats.some((path) => isFromVariable(root, path)))
      .map(({ path, message, hint }) => ({
        ...problemAt(source, spanOf(root, path), path, { severity: "warning", message, hint }),
        lint,
      })),
  );
  return [...problems, ...found];
}

/** Names in the annotation; one that is none is probably misspelt. */
function readIgnored(
  root: Node,
  source: Source,
): { readonly names: readonly string[]; readonly problems: readonly Problem[] } {
  const node = find(root, annotation)?.node;
  const words = node?.kind === "text" ? node.text.split(/[\s,]+/) : [];
  const names = words.filter((word) => word !== "");
  const unknown = names.filter((name) => !lintNames.includes(name));
  const problems = unknown.map((name) =>
    problemAt(source, spanOf(root, annotation), annotation, {
      severity: "warning",
      message: `there is no lint ${quote(name)} to ignore`,
      hint: hintFor(name, lintNames),
    }),
  );
  return { names, problems };
}

/** What variables made of these texts must not be shown. */
function isFromVariable(root: Node, path: Path): boolean {
  const node = find(root, path)?.node;
  return node !== undefined && [...texts(node)].some((text) => text.node.sensitive !== undefined);
}
