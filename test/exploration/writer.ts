// One run of `apply` over a shared simulated world, as on a machine of its own: its own files, its own way to the engine.

import { join } from "node:path";
import { apply } from "../../src/app/apply.ts";
import type { ApplyOptions } from "../../src/app/apply-types.ts";
import { recallForWriting } from "../../src/app/memory.ts";
import type { Reporter } from "../../src/app/reporter.ts";
import { WgctlError } from "../../src/core/errors.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import type { World } from "../../src/engine/simulated/world.ts";
import { readIfPresent } from "../../src/store/atomic-file.ts";
import { type Journal, openJournal } from "../../src/store/journal.ts";
import { UID } from "../support/build.ts";
import { Gate, type Waiting } from "./gate.ts";

export type WriterTerms = {
  /** Of the run. */
  readonly name: string;
  /** Whose process lock it holds: of a machine one run at a time is there. */
  readonly machine: string;
  readonly group: DesiredGroup;
  /** Observations until it is asked to stop. */
  readonly looks: number;
  /** Whether it takes the lease before it changes anything. */
  readonly leases: boolean;
};

const never = new AbortController().signal;
const quiet: Reporter = { notify: () => undefined, ask: async ({ byDefault }) => byDefault };
/** No clock runs out while calls wait to be let through. */
const noTimer = () => () => undefined;

export class Writer {
  readonly name: string;
  /** How it ended; undefined: it has not. */
  ending: string | undefined;
  readonly #gate: Gate;
  readonly #terms: WriterTerms;
  readonly #folder: string;
  readonly #world: World;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  /** What it was told of the lease and what failed: it remembers both to its end. */
  readonly #lasting: string[] = [];
  /** What it was told since its latest look. */
  #recent: string[] = [];
  #looks = 0;
  #lookedAt = { now: 0, wakeUps: 0 };
  #journal: Journal | undefined;

  constructor(world: World, folder: string, terms: WriterTerms) {
    this.name = terms.name;
    this.#world = world;
    this.#folder = folder;
    this.#terms = terms;
    this.#gate = new Gate(openSimulatedEngine({ world }), (call, what, answer) =>
      this.#hear(call, what, answer),
    );
    this.#ended = this.#run();
  }

  get waiting(): readonly Waiting[] {
    return this.ending === undefined ? this.#gate.waiting : [];
  }

  /** Resolves once it has ended, or can do nothing more until one of its calls is let through. */
  async quiet(): Promise<void> {
    if (this.ending !== undefined) return;
    await Promise.race([this.#gate.arrival(), this.#ended]);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** From here on it hears nothing and does nothing, as after a power cut. */
  die(): void {
    this.ending = "died";
    this.#journal?.close();
  }

  /**
   * What it goes on from, as text. Answers that came since its latest look count as a set: nothing that it decides
   * depends on the order of those.
   */
  get state(): string {
    if (this.ending !== undefined) return this.#files();
    const { now, wakeUps } = this.#lookedAt;
    const woken = this.#world.wakeUps > wakeUps;
    const waiting = this.waiting.map(({ call, what }) => `${call} ${what}`).sort();
    const recent = [...this.#recent].sort();
    return JSON.stringify([this.#looks, now, woken, waiting, recent, this.#lasting, this.#files()]);
  }

  /** What its files say, ids and times of lines left out. */
  #files(): string {
    const { open, signalled } = this.#journal?.pending ?? { open: [], signalled: [] };
    const intents = open.map(({ action, worker, container, until }) => [
      ...[action, worker, container, until],
    ]);
    const status = readIfPresent(join(this.#folder, "status.json")) ?? "";
    return JSON.stringify([this.ending ?? "", status, intents.sort(), [...signalled].sort()]);
  }

  #hear(call: Waiting["call"], what: string, answer: string): void {
    const line = `${call} ${what}: ${answer}`;
    if (call === "listWorkers") {
      this.#looks += 1;
      this.#lookedAt = { now: this.#world.now, wakeUps: this.#world.wakeUps };
      this.#recent = [];
      if (this.#looks >= this.#terms.looks) this.#stop.abort();
    }
    if (LASTING.includes(call) || /Error/.test(answer)) this.#lasting.push(line);
    else this.#recent.push(line);
  }

  async #run(): Promise<void> {
    try {
      const { ending, exit } = await this.#apply();
      this.ending ??= `${ending} ${exit}`;
    } catch (error) {
      if (!(error instanceof WgctlError)) throw error;
      this.ending ??= error.code;
    }
  }

  async #apply() {
    const { name, machine, group, leases } = this.#terms;
    const journal = openJournal(this.#folder, () => name);
    this.#journal = journal;
    const time = () => this.#world.now;
    return apply(
      OPTIONS,
      {
        ...{ engine: this.#gate.engine, reporter: quiet, workspace: this.#workspace(group) },
        ...{ journal, ticks: time, now: time, startTimer: noTimer },
        memory: await recallForWriting(this.#folder, quiet),
        mintTaskId: () => "task",
        ...(leases ? { lease: leaseOf(name, machine) } : {}),
      },
      { stop: this.#stop.signal, abort: never },
    );
  }

  #workspace(group: DesiredGroup) {
    return {
      ...{ project: undefined, groups: [group], declared: [UID], problems: [] },
      ...{ complete: true, narrowed: false, stateFolder: this.#folder },
      // No such folder, so that Git is not asked about it a thousand times.
      folder: join(this.#folder, "no-repository"),
    };
  }
}

/** Kept for the whole run: what it knows of the lease. */
const LASTING: readonly Waiting["call"][] = ["listClaims", "makeClaim", "dropClaim"];

function leaseOf(token: string, scope: string) {
  const facts = { pid: 1, user: "u", host: scope, command: "apply", startedAt: "" };
  const tenant = () => ({ token, facts, scope });
  return { projectUid: undefined, tenant, durationMs: LEASE_MS, waitMs: 0 };
}

/** How long the lease of a writer lasts. */
export const LEASE_MS = 60_000;

const OPTIONS: ApplyOptions = {
  ...{ prune: false, allowMassDelete: false, confirm: false, once: false, wait: true },
  ...{ allowOlder: true, verify: false, actionsPerPass: 100 },
  ...{ maxActions: Number.POSITIVE_INFINITY, timeoutMs: 600_000, callDeadlineMs: 30_000 },
  detailedExitCode: false,
};
