// The way into every command that talks to an engine: manifests read and judged, the engine found, nothing touched.

import { requireComplete, type Workspace } from "../app/workspace.ts";
import type { UsedVariable } from "../config/variables.ts";
import type { EngineSite } from "./engine-site.ts";
import { findSite } from "./find-site.ts";
import { type Host, openHost, showProblems } from "./host.ts";
import { openManifests } from "./manifests.ts";
import type { EngineOptions, ManifestOptions, OutputOptions } from "./options.ts";

export type SessionOptions = ManifestOptions & OutputOptions & EngineOptions;

export type Session = {
  readonly host: Host;
  readonly workspace: Workspace;
  readonly variables: readonly UsedVariable[];
  readonly site: EngineSite;
  /** Keeps the reading of the manifests for later runs: for those who may write. */
  readonly keepReading: () => Promise<void>;
};

/** Engine calls of one pass, where the project says nothing. */
export const DEFAULT_ACTIONS_PER_PASS = 100;

/** Opens a session; throws `invalid-input` where the manifests cannot be trusted to be whole. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const host = openHost(options);
  const manifests = await openManifests(options);
  showProblems(host, manifests.problems);
  requireComplete(manifests);
  const site = await findSite(options, manifests.project);
  const workspace = { ...manifests, stateFolder: site.stateFolder };
  const { variables, keep: keepReading } = manifests;
  return { host, workspace, variables, site, keepReading };
}
