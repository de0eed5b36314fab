// `wgctl restart` and `wgctl delete`: edit the manifests of groups, one key in each. No engine is asked or changed:
// that is for the next apply.

import { type HandVerb, planByHand } from "../../app/by-hand.ts";
import { EXIT } from "../../app/verdict.ts";
import { requireComplete, requireGroups } from "../../app/workspace.ts";
import type { DesiredGroup, Problem } from "../../core/model.ts";
import { aftermathLine, settledLine } from "../../view/by-hand-text.ts";
import { renderFileDiff } from "../../view/diff-text.ts";
import { saveEdited } from "../edited-file.ts";
import { prepareAll } from "../edited-manifests.ts";
import { type Host, openHost, showProblems } from "../host.ts";
import { openManifests } from "../manifests.ts";
import type { OutputOptions, SourceOptions } from "../options.ts";

export type RestartOptions = SourceOptions & OutputOptions & { readonly dryRun: boolean };
export type DeleteOptions = RestartOptions & { readonly yes: boolean };

const NEVER = new AbortController().signal;

export function restartCommand(names: readonly string[], options: RestartOptions): Promise<number> {
  return editByHand("restart", names, options, async () => true);
}

export function deleteCommand(names: readonly string[], options: DeleteOptions): Promise<number> {
  return editByHand("delete", names, options, ({ reporter, streams }) =>
    streams.inIsTerminal && !options.yes
      ? reporter.ask({ text: "write this into the manifest?", byDefault: false }, NEVER)
      : Promise.resolve(true),
  );
}

async function editByHand(
  verb: HandVerb,
  names: readonly string[],
  options: RestartOptions,
  isMeant: (host: Host) => Promise<boolean>,
): Promise<number> {
  const host = openHost(options);
  const { out } = host.streams;
  const groups = await chooseGroups(host, names, options);
  if (groups === undefined) return EXIT.userMustAct;
  const { manifests, settled } = planByHand(verb, groups, Date.now());
  const edits = await prepareAll(host, manifests);
  if (edits === undefined) return EXIT.userMustAct;
  for (const { edited, text } of edits)
    out(`${renderFileDiff(edited.file, edited.text, text, host.paint)}\n`);
  out(settled.map(settledLine).join(""));
  if (edits.length === 0) return EXIT.done;
  if (options.dryRun || !(await isMeant(host))) {
    out("Nothing was written.\n");
    return EXIT.done;
  }
  for (const { edited, text, groups: changed } of edits) {
    await saveEdited(edited, text);
    out(changed.map((group) => aftermathLine(verb, group)).join(""));
  }
  return EXIT.done;
}

/** The groups that are meant; undefined where something is wrong with a manifest of theirs, which is then shown. */
async function chooseGroups(
  host: Host,
  names: readonly string[],
  options: SourceOptions,
): Promise<readonly DesiredGroup[] | undefined> {
  const manifests = await openManifests({ ...options, group: [], exclude: [] });
  if (!manifests.complete) showProblems(host, manifests.problems);
  requireComplete(manifests);
  const groups = requireGroups(manifests.groups, names);
  const files = new Set(groups.map(({ place }) => place.file));
  const ofFiles = manifests.problems.filter(({ place }) => files.has(place.file));
  const ofGroups = groups.flatMap((group) => (group.kind === "invalid" ? group.problems : []));
  const wrong = [...new Set([...ofFiles, ...ofGroups])].filter(isError);
  showProblems(host, wrong);
  return wrong.length === 0 ? groups : undefined;
}

function isError({ severity }: Problem): boolean {
  return severity === "error";
}
