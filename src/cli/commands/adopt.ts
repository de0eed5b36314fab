// `wgctl adopt`: has a group take over containers that somebody else made. It writes them into the manifest, applies the
// group, and takes them out again once they are gone; a run that is killed in between leaves the rest to any apply.

import {
  type Adopter,
  type Adoption,
  adoptEdit,
  claim,
  isOver,
  requireAdopter,
} from "../../app/adopt.ts";
import { discreetReader } from "../../app/discreet-engine.ts";
import { EXIT } from "../../app/verdict.ts";
import { requireGroups } from "../../app/workspace.ts";
import { WgctlError } from "../../core/errors.ts";
import type { Plan } from "../../core/plan/types.ts";
import type { EngineReader } from "../../engine/engine.ts";
import { renderAdoption } from "../../view/adopt-text.ts";
import { renderFileDiff } from "../../view/diff-text.ts";
import { renderPlan } from "../../view/plan-text.ts";
import { groupTitle } from "../../view/text.ts";
import { saveEdited } from "../edited-file.ts";
import { type Edited, prepareAll } from "../edited-manifests.ts";
import { openSession, type Session } from "../session.ts";
import { type ApplyOptions, applyCommand } from "./apply.ts";
import { makePlan } from "./plan.ts";

export type AdoptOptions = Omit<ApplyOptions, "group" | "exclude" | "prune"> & {
  readonly from: readonly string[];
  readonly dryRun: boolean;
  /** False: the manifest is written, and the rest is for a later apply. */
  readonly apply: boolean;
};

const NEVER = new AbortController().signal;

export async function adoptCommand(name: string, options: AdoptOptions): Promise<number> {
  const session = await openSession({ ...options, group: [], exclude: [] });
  const [meant] = requireGroups(session.workspace.groups, [name]);
  if (meant === undefined) throw new Error("a group that is required is there");
  const adopter = requireAdopter(meant);
  const adoption = await look(session, adopter, options);
  if (adoption.isNew && !(await declare(session, adoption, options))) return EXIT.done;
  const { out } = session.host.streams;
  const title = groupTitle(adopter.identity);
  if (options.dryRun || !options.apply) {
    if (!options.dryRun) out(`${title}: the next apply replaces them.\n`);
    return EXIT.done;
  }
  return carryOut(session, adoption, options);
}

/** Claims the containers and shows them with the plan that would follow. */
async function look(session: Session, adopter: Adopter, options: AdoptOptions): Promise<Adoption> {
  const { host, site, workspace } = session;
  const opened = await site.openReader();
  try {
    const { reader } = opened;
    const adoption = await claim(reader, adopter, options.from, workspace.groups, NEVER);
    const plan = await planOf(reader, session, adoption, options);
    host.streams.out(renderAdoption(adoption, host.paint));
    host.streams.out(`\n${renderPlan(plan, { paint: host.paint, wide: false })}`);
    return adoption;
  } finally {
    await opened.reader.close();
  }
}

/** The plan of the group alone, as if its manifest said already what it is to adopt. */
function planOf(
  reader: EngineReader,
  session: Session,
  { adopter }: Adoption,
  options: AdoptOptions,
): Promise<Plan> {
  const groups = [adopter];
  const workspace = { ...session.workspace, groups, narrowed: true };
  const only = { ...options, group: [], exclude: [], prune: false };
  return makePlan(discreetReader(reader, groups), { ...session, workspace }, only);
}

/** Writes the manifest, where that is meant; false: nothing was written. */
async function declare(
  { host }: Session,
  { adopter }: Adoption,
  options: AdoptOptions,
): Promise<boolean> {
  const { out } = host.streams;
  const edit = await prepareEdit({ host }, adopter, adopter.adopt);
  out(`\n${renderFileDiff(edit.edited.file, edit.edited.text, edit.text, host.paint)}\n`);
  if (options.dryRun || !(await isConfirmed(host, options))) {
    out("Nothing was written.\n");
    return false;
  }
  await saveEdited(edit.edited, edit.text);
  return true;
}

async function isConfirmed({ reporter, streams }: Session["host"], options: AdoptOptions) {
  if (options.yes) return true;
  if (streams.inIsTerminal) {
    return reporter.ask({ text: "replace these containers by workers?", byDefault: false }, NEVER);
  }
  throw new WgctlError("refused", "nobody has confirmed that these containers are to be replaced", {
    hint: "add --yes, or run it in a terminal",
  });
}

async function prepareEdit(
  { host }: Pick<Session, "host">,
  group: Adopter,
  ids: readonly string[],
): Promise<Edited> {
  const { file } = group.place;
  const manifest = { file, groups: [group], edits: [adoptEdit(group, ids)] };
  const [edit] = (await prepareAll(host, [manifest])) ?? [];
  if (edit !== undefined) return edit;
  throw new WgctlError("refused", `cannot edit spec.adopt in ${file}`, {
    hint: "mend the problems shown",
  });
}

/** Applies the group, as `wgctl apply --group` does, and tidies up where that has led to an end. */
async function carryOut(
  session: Session,
  { adopter, isNew }: Adoption,
  options: AdoptOptions,
): Promise<number> {
  const { namespace, name } = adopter.identity;
  const group = [`${namespace}/${name}`];
  const yes = options.yes || isNew;
  const exit = await applyCommand({ ...options, group, exclude: [], prune: false, yes });
  if (exit === EXIT.done) await tidyUp(session, adopter);
  return exit;
}

async function tidyUp(session: Session, adopter: Adoption["adopter"]): Promise<void> {
  const { host, site } = session;
  const opened = await site.openReader();
  const title = groupTitle(adopter.identity);
  try {
    if (!(await isOver(opened.reader, adopter.adopt, NEVER))) {
      host.streams.out(`${title}: spec.adopt stays until all that it names are gone.\n`);
      return;
    }
  } finally {
    await opened.reader.close();
  }
  const edit = await prepareEdit(session, adopter, []);
  await saveEdited(edit.edited, edit.text);
  host.streams.out(`${title}: adopted; spec.adopt is out of the manifest again.\n`);
}
