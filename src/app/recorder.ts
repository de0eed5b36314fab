// Keeps the status file: writes what a plan's observation says, where that is anything new.

import { WgctlError } from "../core/errors.ts";
import type { Plan } from "../core/plan/types.ts";
import { makeStatus, makeUnreachableStatus } from "../core/status.ts";
import type { StatusDocument } from "../core/status-types.ts";
import { describeCommit } from "../store/git.ts";
import { writeStatus } from "../store/status-file.ts";
import type { Ledger } from "./ledger.ts";
import type { Workspace } from "./workspace.ts";

export class Recorder {
  readonly #workspace: Workspace;
  readonly #endpoint: string;
  #memory: StatusDocument | undefined;
  #commit: Promise<string | undefined> | undefined;

  constructor(workspace: Workspace, endpoint: string, memory: StatusDocument | undefined) {
    this.#workspace = workspace;
    this.#endpoint = endpoint;
    this.#memory = memory;
  }

  /** What was written last, by this run or an earlier one. */
  get memory(): StatusDocument | undefined {
    return this.#memory;
  }

  /** Git commit of the manifests. Asked once, and only when needed: it takes longer than a run with nothing to do. */
  commit(): Promise<string | undefined> {
    this.#commit ??= describeCommit(this.#workspace.folder);
    return this.#commit;
  }

  async record(
    plan: Plan,
    engineId: string,
    { setbacks, watch }: Pick<Ledger, "setbacks" | "watch">,
  ): Promise<void> {
    const { project, narrowed, stateFolder } = this.#workspace;
    const document = makeStatus(plan, {
      engine: { id: engineId, endpoint: this.#endpoint },
      project: project === undefined ? null : { name: project.name, uid: project.uid },
      previous: this.#memory,
      narrowed,
      commit: this.#hasNewGeneration(plan) ? await this.commit() : undefined,
      failures: setbacks.failures(),
      imagesChecked: watch.settled,
    });
    await writeStatus(stateFolder, document);
    this.#memory = document;
  }

  #hasNewGeneration(plan: Plan): boolean {
    const known = new Map(this.#memory?.groups.map((each) => [each.uid, each.generation]));
    return plan.groups.some(({ identity, generation }) => known.get(identity.uid) !== generation);
  }

  /** An engine that cannot be observed makes every condition Unknown; any other error changes nothing. */
  async recordUnreachable(error: unknown, now: number): Promise<void> {
    const isEngine = error instanceof WgctlError && error.code.startsWith("engine-");
    if (!isEngine || this.#memory === undefined) return;
    const document = makeUnreachableStatus(this.#memory, error.message, now);
    await writeStatus(this.#workspace.stateFolder, document);
  }
}
