// A group kept by `apply` on a simulated engine: each call is one run, in virtual time, with the state folder between.

import { rm } from "node:fs/promises";
import { apply } from "../../../src/app/apply.ts";
import type { ApplyOptions, ApplyResult } from "../../../src/app/apply-types.ts";
import { recallForWriting } from "../../../src/app/memory.ts";
import type { ProgressEvent, Reporter } from "../../../src/app/reporter.ts";
import type { GroupSpec } from "../../../src/core/model.ts";
import { plainName } from "../../../src/core/names.ts";
import type { Template } from "../../../src/core/template.ts";
import { openSimulatedEngine } from "../../../src/engine/simulated/open.ts";
import { type Container, containersOf, type World } from "../../../src/engine/simulated/world.ts";
import { openJournal } from "../../../src/store/journal.ts";
import { buildDesired, UID } from "../../support/build.ts";
import { IMAGE } from "./bench.ts";

export type Change = Partial<Omit<GroupSpec, "template">> & {
  readonly template?: Partial<Template>;
};

/** What was seen right after one engine call. */
type Sample = { readonly running: number; readonly existing: number };

/** Stopped and kept, for return or for inspection: it takes nobody's place. */
function isAside({ name, state }: Container): boolean {
  return state.kind === "exited" && /[.](kept|failed)-[0-9]+$/.test(name);
}

export class Deployment {
  readonly samples: Sample[] = [];
  /** Calls that failed, over all runs. */
  failures = 0;
  readonly #world: World;
  readonly #stateFolder: string;
  #tasks = 0;
  #runs = 0;

  constructor(world: World, stateFolder: string) {
    this.#world = world;
    this.#stateFolder = stateFolder;
  }

  /** Runs `apply` for a group of five that is changed so. */
  async apply(change: Change = {}, options: Partial<ApplyOptions> = {}): Promise<ApplyResult> {
    const engine = openSimulatedEngine({ world: this.#world });
    const reporter: Reporter = {
      notify: (event) => this.#watch(event),
      ask: async ({ byDefault }) => byDefault,
    };
    const never = new AbortController().signal;
    return apply(
      { ...OPTIONS, ...options },
      {
        ...{ engine, reporter, workspace: this.#workspace(change) },
        memory: await recallForWriting(this.#stateFolder, reporter),
        journal: openJournal(this.#stateFolder, () => `run-${++this.#runs}`),
        mintTaskId: () => `task-${++this.#tasks}`,
        ...{ ticks: () => engine.ticks(), now: () => engine.ticks() },
      },
      { stop: never, abort: never },
    );
  }

  #workspace({ template, ...spec }: Change) {
    const group = buildDesired({ replicas: 5, ...spec, template: { image: IMAGE, ...template } });
    return {
      ...{ project: undefined, groups: [group], declared: [UID], problems: [] },
      ...{ complete: true, narrowed: false },
      ...{ stateFolder: this.#stateFolder, folder: this.#stateFolder },
    };
  }

  #watch(event: ProgressEvent): void {
    if (event.kind !== "action-ended") return;
    if (event.outcome.kind === "failed") this.failures += 1;
    const all = containersOf(this.#world);
    const running = all.filter(({ state }) => state.kind === "running").length;
    this.samples.push({ running, existing: all.filter((each) => !isAside(each)).length });
  }

  /** Forgets what wgctl wrote. */
  async loseFiles(): Promise<void> {
    await rm(this.#stateFolder, { recursive: true, force: true });
  }

  /** The containers, each as `slot state`, by slot. */
  lines(): readonly string[] {
    return this.containers()
      .map(({ labels, state }) => `${labels["dev.wgctl.slot"]} ${state.kind}`)
      .sort();
  }

  /** Names without phases, by slot. */
  names(): readonly string[] {
    return this.containers()
      .map(({ name }) => plainName(name))
      .sort();
  }

  containers(): readonly Container[] {
    return containersOf(this.#world);
  }
}

const OPTIONS: ApplyOptions = {
  ...{ prune: false, allowMassDelete: false, confirm: false, once: false, wait: true },
  allowOlder: false,
  ...{ verify: true, actionsPerPass: 100, maxActions: Number.POSITIVE_INFINITY },
  ...{ timeoutMs: 20_000, callDeadlineMs: 30_000, detailedExitCode: false },
};
