// Runs of apply on an engine in memory, with a journal in a folder that goes with the test.

import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { apply } from "../../src/app/apply.ts";
import type { ApplyOptions, ApplyResult } from "../../src/app/apply-types.ts";
import { recallForWriting } from "../../src/app/memory.ts";
import type { ProgressEvent, Reporter } from "../../src/app/reporter.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { openJournal } from "../../src/store/journal.ts";
import { mortal } from "../simulation/mortal-journal.ts";
import type { FakeEngine } from "../support/fake-engine.ts";
import { worker } from "../support/scene.ts";

const OPTIONS: ApplyOptions = {
  ...{ prune: false, allowMassDelete: false, allowOlder: true, confirm: false, once: false },
  ...{ wait: true, verify: false, actionsPerPass: 100, maxActions: Number.POSITIVE_INFINITY },
  ...{ timeoutMs: 60_000, callDeadlineMs: 30_000, detailedExitCode: false },
};

/** A worker that a change of its command is to replace. */
export const outdated = (slot: number) =>
  worker(slot, { spec: { template: { command: ["old"] } } });

export class JournaledRuns {
  readonly folder: string;
  readonly warnings: string[] = [];
  readonly events: ProgressEvent[] = [];
  #runs = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<JournaledRuns> {
    const folder = await mkdtemp(join(tmpdir(), "wgctl-apply-journal-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return new JournaledRuns(folder);
  }

  get file(): string {
    return join(this.folder, "journal.ndjson");
  }

  /** One run; `beforeWrite` comes before each write to the journal. */
  async run(
    engine: FakeEngine,
    groups: readonly DesiredGroup[],
    beforeWrite: () => void = () => undefined,
    changes: Partial<ApplyOptions> = {},
  ): Promise<ApplyResult> {
    const reporter = this.#reporter();
    const journal = openJournal(this.folder, () => `run-${++this.#runs}`);
    const never = new AbortController().signal;
    try {
      return await apply(
        { ...OPTIONS, ...changes },
        {
          ...{ engine, reporter, workspace: this.#workspace(groups) },
          memory: await recallForWriting(this.folder, reporter),
          journal: mortal(journal, () => false, beforeWrite),
          mintTaskId: () => "task",
          ...{ ticks: () => engine.now, now: () => engine.now },
        },
        { stop: never, abort: never },
      );
    } finally {
      journal.close();
    }
  }

  #reporter(): Reporter {
    return {
      notify: (event) => {
        this.events.push(event);
        if (event.kind === "notice" && event.severity === "warning")
          this.warnings.push(event.message);
      },
      ask: async () => true,
    };
  }

  #workspace(groups: readonly DesiredGroup[]) {
    const { folder } = this;
    return {
      ...{ project: undefined, groups, problems: [], complete: true, narrowed: false },
      ...{ declared: groups.map(({ identity }) => identity.uid), stateFolder: folder, folder },
    };
  }
}

/** Sees each create and each stop signal at the moment it arrives. */
export function spyOn(engine: FakeEngine, onCall: (call: "create" | "signal") => void): FakeEngine {
  const { createWorker, signalWorker } = engine;
  engine.createWorker = (...args) => {
    onCall("create");
    return createWorker.apply(engine, args);
  };
  engine.signalWorker = (...args) => {
    onCall("signal");
    return signalWorker.apply(engine, args);
  };
  return engine;
}
