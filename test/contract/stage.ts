// One engine per test, and the few moves that all parts of the contract are made of.

import { test } from "vitest";
import type { RunFacts, WorkerFacts } from "../../src/core/observed.ts";
import type { Template } from "../../src/core/template.ts";
import type { Fixture, OpenFixture } from "./fixture.ts";
import { KINDS, kindLabels, type WorkerKind } from "./workers.ts";

export const never = new AbortController().signal;

const DEADLINE_MS = 30_000;
const LOOK_AGAIN_MS = 100;

type Wish = Partial<Template> & { readonly name?: string };

export class Stage {
  readonly #fixture: Fixture;
  #names = 0;

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  get engine() {
    return this.#fixture.engine;
  }

  get hands() {
    return this.#fixture.hands;
  }

  get run() {
    return this.#fixture.run;
  }

  get image() {
    return this.#fixture.image;
  }

  clock(): number {
    return this.#fixture.clock();
  }

  newName(): string {
    this.#names += 1;
    return `${this.run}-${this.#names}`;
  }

  /** Our labels on a worker of that name and kind. */
  labels(name: string, kind: WorkerKind = "steady"): Readonly<Record<string, string>> {
    return { "dev.wgctl.uid": this.run, "dev.wgctl.name": name, ...kindLabels(kind) };
  }

  create(kind: WorkerKind = "steady", { name = this.newName(), ...wish }: Wish = {}) {
    const template = { image: this.image, ...KINDS[kind].template, ...wish };
    return this.engine.createWorker({ name, labels: this.labels(name, kind), template }, never);
  }

  async start(kind: WorkerKind = "steady", wish: Wish = {}): Promise<string> {
    const id = await this.create(kind, wish);
    await this.engine.startWorker(id, never);
    return id;
  }

  /** Starts a worker that can be asked to stop from then on. */
  async startListening(kind: WorkerKind = "steady", wish: Wish = {}): Promise<string> {
    const id = await this.start(kind, wish);
    await this.hands.listens(id);
    return id;
  }

  async facts(id: string): Promise<WorkerFacts> {
    const found = await this.engine.inspectWorker(id, never);
    if (found === undefined) throw new Error(`${id} is gone`);
    return found.facts;
  }

  /** Waits until a condition gives something, and answers with it. */
  async until<T>(what: string, condition: () => Promise<T | undefined | false>): Promise<T> {
    const deadline = this.clock() + DEADLINE_MS;
    while (this.clock() < deadline) {
      const value = await condition();
      if (value !== undefined && value !== false) return value;
      await this.engine.waitForChange(LOOK_AGAIN_MS, never);
    }
    throw new Error(`still not so: ${what}`);
  }

  /** Waits until a container is in a state, and answers with its facts. */
  async untilRun<K extends RunFacts["kind"]>(
    id: string,
    kind: K,
    holds: (run: Extract<RunFacts, { kind: K }>, facts: WorkerFacts) => boolean = () => true,
  ): Promise<WorkerFacts & { readonly run: Extract<RunFacts, { kind: K }> }> {
    const isKind = (run: RunFacts): run is Extract<RunFacts, { kind: K }> => run.kind === kind;
    return this.until(`${id} is ${kind}`, async () => {
      const facts = await this.facts(id);
      const { run } = facts;
      return isKind(run) && holds(run, facts) && { ...facts, run };
    });
  }

  /** Lets time pass, and answers with what a container is after it. */
  async after(milliseconds: number, id: string): Promise<WorkerFacts> {
    const end = this.clock() + milliseconds;
    await this.until("that time has passed", async () => this.clock() >= end);
    return this.facts(id);
  }

  /** Waits for a change, and answers with the milliseconds it took. */
  async wait(milliseconds: number, signal = never): Promise<number> {
    const began = this.clock();
    await this.engine.waitForChange(milliseconds, signal);
    return this.clock() - began;
  }

  /** Waits until nothing of the past wakes any more. */
  async settle(): Promise<void> {
    await this.until("calm", async () => {
      await this.engine.listWorkers(never);
      return (await this.wait(300)) >= 290;
    });
  }

  /** Our workers, as a listing shows them. */
  async listed(): Promise<readonly WorkerFacts[]> {
    const { workers } = await this.engine.listWorkers(never);
    return workers.filter(({ labels }) => labels["dev.wgctl.uid"] === this.run);
  }
}

/** A test function whose tests each get a stage of their own. */
export function testOn(open: OpenFixture) {
  return test.extend<{ readonly stage: Stage }>({
    // vitest wants to see which other fixtures are used; `task` is always there.
    stage: async ({ task: _ }, use) => {
      const fixture = await open();
      await use(new Stage(fixture));
      await fixture.close();
    },
  });
}
