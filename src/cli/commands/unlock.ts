// `wgctl unlock`: shows who has the lease of this project on the engine, and ends it where a person says so.

import { leaseInForce, releaseLease } from "../../app/unlock.ts";
import { EXIT } from "../../app/verdict.ts";
import { WgctlError } from "../../core/errors.ts";
import { describeLease, type Lease } from "../../core/lease.ts";
import type { Project } from "../../core/model.ts";
import type { EngineSite } from "../engine-site.ts";
import { findSite } from "../find-site.ts";
import { holderFacts } from "../holder.ts";
import { type Host, openHost, showProblems } from "../host.ts";
import { openProject, workingFolder } from "../open.ts";
import type { EngineOptions, OutputOptions } from "../options.ts";

export type UnlockOptions = EngineOptions & OutputOptions & { readonly yes: boolean };

const NEVER = new AbortController().signal;
const PROCESS_LOCK =
  "the lock of a host cannot be broken and need not be: it ends with the process that holds it";

export async function unlockCommand(options: UnlockOptions): Promise<number> {
  const host = openHost(options);
  const project = await requireProject(host);
  const site = await findSite(options, project);
  const { out } = host.streams;
  const lease = await find(site, project);
  const where = `the lease of ${project?.name ?? "unnamed projects"} on ${site.endpoint}`;
  host.reporter.notify({ kind: "notice", severity: "info", message: PROCESS_LOCK });
  if (lease === undefined) {
    out(`Nobody holds ${where}.\n`);
    return EXIT.done;
  }
  out(`Held: ${where}\n  by ${describeLease(lease)}\n`);
  if (!(await isMeant(options, host))) {
    out("Nothing was changed.\n");
    return EXIT.done;
  }
  await release(site, project, lease);
  out("Released. If its run is still there, it ends before its next pass.\n");
  return EXIT.done;
}

/** A project that cannot be read must not be taken for none: they have different leases. */
async function requireProject(host: Host): Promise<Project | undefined> {
  const { project, problems } = await openProject(workingFolder());
  showProblems(host, problems);
  if (project !== undefined || problems.length === 0) return project;
  throw new WgctlError("invalid-input", "the project cannot be read, so its lease is not known", {
    hint: "mend the problems shown",
  });
}

async function find(site: EngineSite, project: Project | undefined): Promise<Lease | undefined> {
  const { reader } = await site.openReader();
  try {
    return await leaseInForce(reader, project?.uid, NEVER);
  } finally {
    await reader.close();
  }
}

async function isMeant({ yes }: UnlockOptions, { reporter, streams }: Host): Promise<boolean> {
  if (yes) return true;
  if (!streams.inIsTerminal) {
    throw new WgctlError("refused", "the lease is held, and nobody is here to be asked", {
      hint: "make sure that its run is gone, and add --yes",
    });
  }
  const text = "is that run gone, and may its lease be ended?";
  return reporter.ask({ text, byDefault: false }, NEVER);
}

async function release(
  site: EngineSite,
  project: Project | undefined,
  shown: Lease,
): Promise<void> {
  const { engine } = await site.openEngine();
  try {
    const by = holderFacts(new Date(), "wgctl unlock");
    if (await releaseLease(engine, project?.uid, shown, by, NEVER)) return;
  } finally {
    await engine.close();
  }
  throw new WgctlError("lock-held", "the lease is another one by now, and was left alone", {
    hint: "look again with `wgctl unlock`",
  });
}
