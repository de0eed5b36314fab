// The seccomp profiles that a template names by file. A profile is a part of the template, as Compose sends it too:
// what counts is what stands in the file, without its blanks.

import { resolve } from "node:path";
import type { Problem } from "../core/model.ts";
import type { EnvironmentContext } from "./environment.ts";
import { readSource } from "./files.ts";
import { compactJson, profileFile, profileOption, readSecurityOption } from "./forms/security.ts";
import { type Finding, problemAt, spanOf } from "./problems.ts";
import { find, type Path } from "./tree.ts";

export type Profiles = {
  /** Options that hold their profile, by those that name its file. */
  readonly options: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
};

const field: Path = ["spec", "template", "security_opt"];

/** Reads the profiles. What is wrong with the options themselves is the schema's to say. */
export function readProfiles({
  root,
  source,
  folder,
  cwd,
  variables,
}: EnvironmentContext): Profiles {
  const options = new Map<string, string>();
  const problems: Problem[] = [];
  const node = find(root, field)?.node;
  for (const [index, item] of (node?.kind === "list" ? node.items : []).entries()) {
    const option = item.kind === "text" ? readSecurityOption(item.text) : undefined;
    const file = option?.ok ? profileFile(option.value) : undefined;
    if (!option?.ok || file === undefined) continue;
    const path = resolve(folder, file);
    variables.noteFile(path);
    const profile = readProfile(path, cwd);
    if (typeof profile === "string") options.set(option.value, profileOption(profile));
    else
      problems.push(problemAt(source, spanOf(root, [...field, index]), [...field, index], profile));
  }
  return { options, problems };
}

/** Compact JSON, or why there is none. */
function readProfile(path: string, cwd: string): string | Finding {
  const source = readSource(path, cwd);
  if ("message" in source) return { message: `${source.place.file}: ${source.message}` };
  return (
    compactJson(source.text) ?? {
      message: `${source.file}: no JSON`,
      hint: "a seccomp profile is JSON; unconfined and builtin need no file",
    }
  );
}
