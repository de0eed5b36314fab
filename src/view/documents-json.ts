// The other documents that machines get: status, the result of an apply, what validate found.

import type { ApplyResult } from "../app/apply-types.ts";
import type { StatusReport } from "../app/status.ts";
import type { Json } from "../core/canonical.ts";
import type { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem } from "../core/model.ts";
import { planJson } from "./json.ts";

const FORMAT_VERSION = 1;

/** The status document, and whether its facts are the engine's or only the file's. */
export function statusJson({ document, source, trouble }: StatusReport): Json {
  return {
    ...document,
    formatVersion: FORMAT_VERSION,
    kind: "Status",
    factsFrom: source,
    trouble: trouble === undefined ? null : { code: trouble.code, message: trouble.message },
  };
}

/** The last event of an apply; a run that was interrupted has its signal's exit code. */
export function applyResultJson(result: ApplyResult, exitCode: number): Json {
  return {
    formatVersion: FORMAT_VERSION,
    event: "result",
    exitCode,
    ending: result.ending,
    converged: result.plan.groups.every((group) => group.converged),
    actionsDone: result.done,
    passes: result.passes,
    verified: !result.isUnstable,
    plan: planJson(result.plan),
  };
}

/** The last event of an apply that came to no plan, or lost sight of the engine. */
export function applyFailureJson(
  ending: "failed" | "skipped" | "interrupted",
  exitCode: number,
  { code, message }: WgctlError,
): Json {
  return {
    formatVersion: FORMAT_VERSION,
    event: "result",
    exitCode,
    ending,
    converged: false,
    trouble: { code, message },
  };
}

/** What validate found: the groups by name, and every problem with its place. */
export function manifestsJson(
  groups: readonly DesiredGroup[],
  problems: readonly Problem[],
  valid: boolean,
): Json {
  return {
    formatVersion: FORMAT_VERSION,
    kind: "Validation",
    valid,
    groups: groups.map(({ identity, kind }) => ({ ...identity, valid: kind === "valid" })),
    problems: problems.map(({ place, ...problem }) => ({ ...problem, ...place })),
  };
}
