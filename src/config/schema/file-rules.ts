// Rules about the files that workers see: each is declared, and each has a place of its own.

import { suggest } from "../suggest.ts";
import type { FileField, FileUseDraft } from "./file-mounts.ts";
import type { Complain, Sound } from "./parts.ts";
import type { SpecDraft } from "./spec-fields.ts";

type SoundSpec = Sound<SpecDraft>;
type Use = Sound<FileUseDraft> | undefined;

const FIELDS = { secrets: "secret", configs: "config" } as const satisfies Record<
  FileField,
  string
>;

export function judgeFiles(spec: SoundSpec, complain: Complain): void {
  const taken = new Set(targetsOfMounts(spec));
  for (const field of ["secrets", "configs"] as const) {
    for (const [index, use] of (spec.template?.[field] ?? []).entries()) {
      const path = ["template", field, index];
      if (use?.source !== undefined) judgeSource(use.source, field, spec, path, complain);
      judgeTarget(use, taken, path, complain);
    }
  }
}

function targetsOfMounts({ template }: SoundSpec): readonly (string | undefined)[] {
  return [...(template?.volumes ?? []), ...(template?.tmpfs ?? [])].map((mount) => mount?.target);
}

function judgeSource(
  source: string,
  field: FileField,
  spec: SoundSpec,
  path: readonly (string | number)[],
  complain: Complain,
): void {
  // What is declared in a wrong way has been spoken of.
  if (field in spec && spec[field] === undefined) return;
  const known = Object.keys(spec[field] ?? {});
  if (known.includes(source)) return;
  const near = suggest(source, known);
  const declaration = `declare it: spec.${field}: {${source}: {file: ./${source}}}`;
  complain(path, `no ${FIELDS[field]} ${JSON.stringify(source)} is declared in spec.${field}`, {
    hint: near === undefined ? declaration : `did you mean ${JSON.stringify(near)}?`,
  });
}

function judgeTarget(
  use: Use,
  taken: Set<string | undefined>,
  path: readonly (string | number)[],
  complain: Complain,
): void {
  if (use?.target === undefined) return;
  if (taken.has(use.target))
    complain(path, `a second mount at ${use.target}`, {
      hint: "keep one, or write another target",
    });
  taken.add(use.target);
}
