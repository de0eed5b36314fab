// Stands before an engine and takes sensitive values out of its words: an engine may quote the command it could not
// start. What comes through here may be printed and stored. Changes no call and no decision.

import { WgctlError } from "../core/errors.ts";
import { uidOf } from "../core/labels.ts";
import type { DesiredGroup } from "../core/model.ts";
import type { ResourceLimits, WorkerFacts } from "../core/observed.ts";
import { sealForeign, sealsIn } from "../core/seal.ts";
import { Secrets } from "../core/secrets.ts";
import type { Template } from "../core/template.ts";
import type {
  Claim,
  CreateRequest,
  Engine,
  EngineReader,
  LabelTest,
  Listing,
} from "../engine/engine.ts";

const UNSHOWN = "the engine's words are not shown: they may hold a sensitive value";
const UNSHOWN_LOG = "its words are not shown: they may hold a sensitive value";

/** The reader with the secrets of these groups hidden in whatever it says. */
export function discreetReader(
  reader: EngineReader,
  groups: readonly DesiredGroup[],
): EngineReader {
  return new DiscreetReader(reader, new Veil(groups));
}

/** The engine with the secrets of these groups hidden in whatever it says. */
export function discreetEngine(engine: Engine, groups: readonly DesiredGroup[]): Engine {
  return new DiscreetEngine(engine, new Veil(groups));
}

class Veil {
  readonly #groups: readonly DesiredGroup[];
  #secrets: Secrets;

  constructor(groups: readonly DesiredGroup[]) {
    this.#groups = groups;
    this.#secrets = Secrets.union(
      groups.flatMap((group) => (group.kind === "valid" && group.secrets ? [group.secrets] : [])),
    );
  }

  /** What a container that somebody else made was given is hidden as well, from when a group that adopts it has it read. */
  learn(id: string, template: Template): void {
    for (const group of this.#groups) {
      if (group.kind !== "valid" || group.adopt?.includes(id) !== true) continue;
      const { secrets } = sealForeign(template, group.spec.template, group.identity.uid);
      this.#secrets = Secrets.union([this.#secrets, secrets]);
    }
  }

  hide(text: string): string {
    return this.#secrets.hide(text);
  }

  async over<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw error instanceof WgctlError ? this.#overError(error) : error;
    }
  }

  /** A cause holds the same words and goes with them. */
  #overError(error: WgctlError): WgctlError {
    const message = this.hide(error.message);
    if (message === error.message) return error;
    return new WgctlError(
      error.code,
      message,
      error.hint === undefined ? {} : { hint: error.hint },
    );
  }

  overWorker(facts: WorkerFacts): WorkerFacts {
    const { run, labels } = facts;
    if (!("error" in run) || run.error === undefined) return facts;
    return {
      ...facts,
      run: { ...run, error: this.#knows(labels) ? this.hide(run.error) : UNSHOWN },
    };
  }

  /** No facts: it is gone by now. */
  overLog(lines: readonly string[], facts: WorkerFacts | undefined): readonly string[] {
    if (lines.length === 0) return [];
    if (facts === undefined || !this.#knows(facts.labels)) return [UNSHOWN_LOG];
    return lines.map((line) => this.hide(line));
  }

  /**
   * A worker may be older than the secrets that are known now; then none of its words can be trusted. Of a container that
   * somebody else made nobody has ever said what is secret.
   */
  #knows(labels: WorkerFacts["labels"]): boolean {
    if (uidOf(labels) === undefined) return false;
    return Object.values(labels)
      .flatMap(sealsIn)
      .every((seal) => this.#secrets.knows(seal));
  }
}

class DiscreetReader implements EngineReader {
  readonly #reader: EngineReader;
  readonly #veil: Veil;

  constructor(reader: EngineReader, veil: Veil) {
    this.#reader = reader;
    this.#veil = veil;
  }

  get endpoint(): string {
    return this.#reader.endpoint;
  }

  identify(signal: AbortSignal) {
    return this.#veil.over(this.#reader.identify(signal));
  }

  async listWorkers(signal: AbortSignal, isMeant?: LabelTest): Promise<Listing> {
    const listing = await this.#veil.over(this.#reader.listWorkers(signal, isMeant));
    return { ...listing, workers: listing.workers.map((facts) => this.#veil.overWorker(facts)) };
  }

  async inspectWorker(idOrName: string, signal: AbortSignal) {
    const found = await this.#veil.over(this.#reader.inspectWorker(idOrName, signal));
    return found && { ...found, facts: this.#veil.overWorker(found.facts) };
  }

  findId(meant: string, signal: AbortSignal) {
    return this.#veil.over(this.#reader.findId(meant, signal));
  }

  resolveImages(
    references: readonly string[],
    signal: AbortSignal,
    platforms?: Readonly<Record<string, string>>,
  ) {
    return this.#veil.over(this.#reader.resolveImages(references, signal, platforms));
  }

  findDigest(reference: string, signal: AbortSignal) {
    return this.#veil.over(this.#reader.findDigest(reference, signal));
  }

  findHolders(names: readonly string[], signal: AbortSignal) {
    return this.#veil.over(this.#reader.findHolders(names, signal));
  }

  findMissingNetworks(names: readonly string[], signal: AbortSignal) {
    return this.#veil.over(this.#reader.findMissingNetworks(names, signal));
  }

  findSignalled(ids: readonly string[], since: number, signal: AbortSignal) {
    return this.#veil.over(this.#reader.findSignalled(ids, since, signal));
  }

  /** Holds what the container was given as it is: whoever asks for it hides what may be sensitive. */
  async readTemplate(idOrName: string, signal: AbortSignal) {
    const template = await this.#veil.over(this.#reader.readTemplate(idOrName, signal));
    if (template !== undefined) this.#veil.learn(idOrName, template);
    return template;
  }

  listClaims(prefix: string, signal: AbortSignal) {
    return this.#veil.over(this.#reader.listClaims(prefix, signal));
  }

  /** A worker's own words, which may hold what it was given. */
  async readLogs(id: string, lines: number, signal: AbortSignal): Promise<readonly string[]> {
    const log = await this.#veil.over(this.#reader.readLogs(id, lines, signal));
    const found = await this.#veil.over(this.#reader.inspectWorker(id, signal));
    return this.#veil.overLog(log, found?.facts);
  }

  waitForChange(milliseconds: number, signal: AbortSignal): Promise<void> {
    return this.#reader.waitForChange(milliseconds, signal);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

class DiscreetEngine extends DiscreetReader implements Engine {
  readonly #engine: Engine;
  readonly #veil: Veil;

  constructor(engine: Engine, veil: Veil) {
    super(engine, veil);
    this.#engine = engine;
    this.#veil = veil;
  }

  createWorker(request: CreateRequest, signal: AbortSignal): Promise<string> {
    return this.#veil.over(this.#engine.createWorker(request, signal));
  }

  startWorker(id: string, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.startWorker(id, signal));
  }

  renameWorker(id: string, name: string, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.renameWorker(id, name, signal));
  }

  setRestartPolicy(id: string, policy: string, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.setRestartPolicy(id, policy, signal));
  }

  updateLimits(id: string, limits: ResourceLimits, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.updateLimits(id, limits, signal));
  }

  execInWorker(id: string, argv: readonly string[], signal: AbortSignal): Promise<number> {
    return this.#veil.over(this.#engine.execInWorker(id, argv, signal));
  }

  signalWorker(id: string, name: string, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.signalWorker(id, name, signal));
  }

  removeWorker(id: string, signal: AbortSignal, stays?: "volumes"): Promise<void> {
    return this.#veil.over(this.#engine.removeWorker(id, signal, stays));
  }

  makeClaim(claim: Claim, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.makeClaim(claim, signal));
  }

  dropClaim(name: string, signal: AbortSignal): Promise<void> {
    return this.#veil.over(this.#engine.dropClaim(name, signal));
  }

  pullImage(
    reference: string,
    progress: (line: string) => void,
    signal: AbortSignal,
    platform?: string,
  ): Promise<void> {
    const told = (line: string) => progress(this.#veil.hide(line));
    return this.#veil.over(this.#engine.pullImage(reference, told, signal, platform));
  }
}
