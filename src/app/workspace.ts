// What a run works on, however it was found: the groups, the project they belong to, and where state is kept.

import { suggest } from "../config/suggest.ts";
import { WgctlError } from "../core/errors.ts";
import type { DesiredGroup, Problem, Project } from "../core/model.ts";
import { guardPrune } from "../core/prune.ts";

export type Workspace = {
  readonly project: Project | undefined;
  /** The groups of this run, after --group and --exclude. */
  readonly groups: readonly DesiredGroup[];
  /** UIDs of every group that the files declare. */
  readonly declared: readonly string[];
  readonly problems: readonly Problem[];
  /** False when a file or an identity could not be read: then nothing may be touched. */
  readonly complete: boolean;
  /** The run was narrowed by -f, --group, --exclude or standard input, so absence means nothing. */
  readonly narrowed: boolean;
  readonly stateFolder: string;
  /** Folder whose Git commit says where the manifests come from. */
  readonly folder: string;
};

/** Throws `invalid-input` where the files cannot be trusted to say what exists. */
export function requireComplete(workspace: Pick<Workspace, "complete">): void {
  if (workspace.complete) return;
  throw new WgctlError(
    "invalid-input",
    "the manifests cannot be read whole, so nothing was touched",
    {
      hint: "mend the problems shown",
    },
  );
}

/** Chooses groups by `name` or `namespace/name`. A pattern that matches nothing is `bad-usage`. */
export function selectGroups(
  groups: readonly DesiredGroup[],
  only: readonly string[],
  except: readonly string[],
): readonly DesiredGroup[] {
  for (const name of [...only, ...except]) requireKnown(groups, name);
  return groups.filter((group) => {
    const isMeant = (name: string) => matches(group, name);
    return (only.length === 0 || only.some(isMeant)) && !except.some(isMeant);
  });
}

function requireKnown(groups: readonly DesiredGroup[], name: string): void {
  if (groups.some((group) => matches(group, name))) return;
  throw new WgctlError("bad-usage", `there is no group ${name}`, { hint: hintNames(groups, name) });
}

function hintNames(groups: readonly DesiredGroup[], name: string): string {
  if (groups.length === 0) return "no manifest declares a group";
  const known = groups.map(({ identity }) => identity.name).sort();
  const near = suggest(name, [...known, ...groups.map(fullName)]);
  return near === undefined ? `the groups are ${known.join(", ")}` : `did you mean ${near}?`;
}

/** Each group by its name; a name that several namespaces have, or none, is `bad-usage`. Without repeats. */
export function requireGroups(
  groups: readonly DesiredGroup[],
  names: readonly string[],
): readonly DesiredGroup[] {
  return [...new Set(names.map((name) => requireGroup(groups, name)))];
}

function requireGroup(groups: readonly DesiredGroup[], name: string): DesiredGroup {
  requireKnown(groups, name);
  const [meant, ...others] = groups.filter((group) => matches(group, name));
  if (meant !== undefined && others.length === 0) return meant;
  const names = [meant, ...others].flatMap((group) => (group === undefined ? [] : fullName(group)));
  throw new WgctlError("bad-usage", `${name} is the name of ${names.length} groups`, {
    hint: `name the one that is meant: ${names.join(" or ")}`,
  });
}

function fullName({ identity }: DesiredGroup): string {
  return `${identity.namespace}/${identity.name}`;
}

function matches(group: DesiredGroup, name: string): boolean {
  return group.identity.name === name || fullName(group) === name;
}

/** Checks whether pruning may go ahead with what the run knows; throws `refused` or `bad-usage`. */
export function guardPruning(
  workspace: Workspace,
  orphans: number,
  allowMassDelete: boolean,
): void {
  guardPrune({
    complete:
      workspace.complete && workspace.problems.every(({ severity }) => severity !== "error"),
    narrowed: workspace.narrowed,
    hasProject: workspace.project !== undefined,
    declared: workspace.declared.length,
    orphans,
    allowMassDelete,
  });
}
