// An engine in memory, just real enough for the use cases: names are unique, a worker obeys its stop signal, and any
// call can be held back or made to fail before or after it took effect. Time passes only while a run waits.

import { WgctlError } from "../../src/core/errors.ts";
import type { ResourceLimits, Snapshot, WorkerFacts } from "../../src/core/observed.ts";
import type { Template } from "../../src/core/template.ts";
import type {
  Claim,
  CreateRequest,
  Engine,
  EngineIdentity,
  LabelTest,
  Listing,
} from "../../src/engine/engine.ts";
import { IMAGE, NOW, OTHER_IMAGE } from "./scene.ts";

/** What calls are called in faults, holds and `calls`. */
export type CallName =
  | "create"
  | "start"
  | "rename"
  | "policy"
  | "signal"
  | "limits"
  | "exec"
  | "logs"
  | "template"
  | "remove"
  | "pull"
  | "digest"
  | "inspect"
  | "list"
  | "claims"
  | "claim"
  | "drop";

type Fault = { readonly error: Error; readonly when: "before" | "after" };

export class FakeEngine implements Engine {
  readonly endpoint = "fake://engine";
  now = NOW;
  id = "FAKE";
  images: Record<string, string | null> = { "mailer:1": IMAGE, "mailer:2": OTHER_IMAGE };
  /** Digests by reference: of the images here, and what the registry has. */
  digests: Record<string, readonly string[]> = {};
  registry: Record<string, string> = {};
  /** Platforms of images here, where they are told. */
  platforms: Record<string, string> = {};
  /** References that the registry was asked for. */
  readonly asked: string[] = [];
  missingNetworks: readonly string[] = [];
  /** Writes in the order in which they began: `create mailer-1-1f2e3d4c`. */
  readonly calls: string[] = [];
  /** Most calls of one name that were ever in flight together. */
  readonly most = new Map<CallName, number>();
  /** Names of workers that do not stop when asked. */
  readonly stubborn = new Set<string>();
  /** What commands run in workers come to, by their first word: 0 unless told. */
  readonly commands = new Map<string, number>();
  /** What workers have written, by the beginning of their names. */
  readonly logs = new Map<string, readonly string[]>();
  /** What containers were asked for, by id. */
  readonly templates = new Map<string, Template>();
  /** Sees every wait, after time has moved. */
  onWait: () => void = () => undefined;
  readonly #containers = new Map<string, WorkerFacts>();
  /** Labels by name. */
  readonly claims = new Map<string, Claim["labels"]>();
  readonly #faults = new Map<CallName, Fault[]>();
  readonly #holds = new Map<CallName, (() => void)[]>();
  readonly #flying = new Map<CallName, number>();
  #made = 0;

  constructor(workers: readonly WorkerFacts[] = []) {
    for (const worker of workers) this.put(worker);
  }

  /** Puts a container there, or changes the one with its id, as others than wgctl would. */
  put(worker: WorkerFacts): void {
    this.#containers.set(worker.id, worker);
  }

  get workers(): readonly WorkerFacts[] {
    return [...this.#containers.values()];
  }

  /** How many take a place: stopped and kept, for return or for inspection, a worker takes none. */
  get existing(): number {
    const isAside = ({ name, run }: WorkerFacts) =>
      run.kind === "exited" && /[.](kept|failed)-[0-9]+$/.test(name);
    return this.workers.filter((each) => !isAside(each)).length;
  }

  /** Names and run states, sorted: the world in a form to compare. */
  get world(): readonly string[] {
    return this.workers.map(({ name, run }) => `${name} ${run.kind}`).sort();
  }

  /** The snapshot an observation would make now. */
  snapshot(): Snapshot {
    const { now, workers, images, missingNetworks } = this;
    const nothing = { unknown: [], signalled: [], holders: {}, probes: {} };
    return { now, workers, images, missingNetworks, ...nothing };
  }

  /** The next so many calls fail, before or after they took effect. */
  fail(call: CallName, error: Error, when: Fault["when"] = "before", times = 1): void {
    const faults = Array.from({ length: times }, () => ({ error, when }));
    this.#faults.set(call, [...(this.#faults.get(call) ?? []), ...faults]);
  }

  /** Holds calls back from now on; the returned function lets the oldest of them go on. */
  hold(call: CallName): () => void {
    const held: (() => void)[] = [];
    this.#holds.set(call, held);
    return () => held.shift()?.();
  }

  /** Calls held back at this moment. */
  held(call: CallName): number {
    return this.#holds.get(call)?.length ?? 0;
  }

  async #call<T>(call: CallName, signal: AbortSignal, effect: () => T): Promise<T> {
    const flying = (this.#flying.get(call) ?? 0) + 1;
    this.#flying.set(call, flying);
    this.most.set(call, Math.max(flying, this.most.get(call) ?? 0));
    try {
      await this.#pass(call, signal);
      const fault = this.#faults.get(call)?.shift();
      if (fault?.when === "before") throw fault.error;
      const result = effect();
      if (fault !== undefined) throw fault.error;
      return result;
    } finally {
      this.#flying.set(call, (this.#flying.get(call) ?? 0) - 1);
    }
  }

  async #pass(call: CallName, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new WgctlError("aborted", "aborted");
    const held = this.#holds.get(call);
    if (held === undefined) return;
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new WgctlError("aborted", "aborted")));
      held.push(resolve);
    });
  }

  #find(id: string): WorkerFacts {
    const found = this.#containers.get(id);
    if (found === undefined) throw new WgctlError("engine-not-found", `no container ${id}`);
    return found;
  }

  async identify(): Promise<EngineIdentity> {
    return { id: this.id, version: "1", cpus: 2, memory: 1 };
  }

  async listWorkers(signal: AbortSignal, isMeant: LabelTest = () => true): Promise<Listing> {
    return this.#call("list", signal, () => ({
      now: this.now,
      workers: this.workers.filter(
        ({ labels }) => labels["dev.wgctl.uid"] !== undefined && isMeant(labels),
      ),
      unknown: [],
    }));
  }

  async inspectWorker(idOrName: string, signal: AbortSignal) {
    return this.#call("inspect", signal, () => {
      const facts = this.workers.find(({ id, name }) => id === idOrName || name === idOrName);
      return facts && { now: this.now, facts };
    });
  }

  async findId(meant: string): Promise<string | undefined> {
    return this.workers.find(({ id, name }) => id.startsWith(meant) || name === meant)?.id;
  }

  async resolveImages(references: readonly string[]) {
    return Object.fromEntries(
      references.map((name) => {
        const id = this.images[name];
        const platform = this.platforms[name];
        const digests = this.digests[name] ?? [];
        return [name, id ? { id, digests, ...(platform && { platform }) } : null];
      }),
    );
  }

  async findDigest(reference: string, signal: AbortSignal): Promise<string> {
    this.asked.push(reference);
    return this.#call("digest", signal, () => {
      const digest = this.registry[reference];
      if (digest === undefined) throw new WgctlError("engine-not-found", "manifest unknown");
      return digest;
    });
  }

  async findHolders(names: readonly string[]) {
    const held = this.workers.filter(({ name }) => names.includes(name));
    return Object.fromEntries(held.map(({ name, id, labels }) => [name, { id, labels }]));
  }

  async findMissingNetworks(names: readonly string[]) {
    return names.filter((name) => this.missingNetworks.includes(name));
  }

  async findSignalled() {
    return [];
  }

  async readLogs(id: string, lines: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#call("logs", signal, () => {
      const { name } = this.#find(id);
      const log = [...this.logs].find(([beginning]) => name.startsWith(beginning));
      return (log?.[1] ?? []).slice(-lines);
    });
  }

  async readTemplate(idOrName: string, signal: AbortSignal): Promise<Template | undefined> {
    return this.#call("template", signal, () => this.templates.get(idOrName));
  }

  async listClaims(prefix: string, signal: AbortSignal) {
    return this.#call("claims", signal, () => ({
      now: this.now,
      claims: [...this.claims]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, labels]) => ({ name, labels })),
    }));
  }

  async makeClaim({ name, labels }: Claim, signal: AbortSignal): Promise<void> {
    return this.#call("claim", signal, () => {
      if (!this.claims.has(name)) this.claims.set(name, labels);
    });
  }

  async dropClaim(name: string, signal: AbortSignal): Promise<void> {
    return this.#call("drop", signal, () => {
      this.claims.delete(name);
    });
  }

  async waitForChange(milliseconds: number): Promise<void> {
    this.now += Math.max(1_000, milliseconds);
    this.onWait();
  }

  async close(): Promise<void> {}

  async createWorker({ name, labels, template }: CreateRequest, signal: AbortSignal) {
    this.calls.push(`create ${name}`);
    return this.#call("create", signal, () => {
      if (this.workers.some((each) => each.name === name))
        throw new WgctlError("engine-conflict", `the name ${name} is in use`);
      const imageId = this.images[template.image];
      if (!imageId) throw new WgctlError("engine-not-found", `no image ${template.image}`);
      this.#made += 1;
      const id = `made-${this.#made}`;
      const networks = Object.keys(template.networks ?? {});
      const restartPolicy = template.restart ?? "no";
      const run = { kind: "created" } as const;
      const createdAt = this.now;
      this.put({
        id,
        name,
        labels,
        imageId,
        createdAt,
        run,
        restartCount: 0,
        restartPolicy,
        limits: limitsIn(template),
        networks,
      });
      return id;
    });
  }

  async startWorker(id: string, signal: AbortSignal): Promise<void> {
    this.calls.push(`start ${this.#containers.get(id)?.name}`);
    return this.#call("start", signal, () =>
      this.put({ ...this.#find(id), run: { kind: "running", startedAt: this.now } }),
    );
  }

  async renameWorker(id: string, name: string, signal: AbortSignal): Promise<void> {
    this.calls.push(`rename ${this.#containers.get(id)?.name}`);
    return this.#call("rename", signal, () => this.put({ ...this.#find(id), name }));
  }

  async setRestartPolicy(id: string, restartPolicy: string, signal: AbortSignal): Promise<void> {
    this.calls.push(`policy ${this.#containers.get(id)?.name} ${restartPolicy}`);
    return this.#call("policy", signal, () => this.put({ ...this.#find(id), restartPolicy }));
  }

  async updateLimits(id: string, limits: ResourceLimits, signal: AbortSignal): Promise<void> {
    this.calls.push(`limits ${this.#containers.get(id)?.name}`);
    return this.#call("limits", signal, () => {
      const worker = this.#find(id);
      this.put({ ...worker, limits: { ...worker.limits, ...limits } });
    });
  }

  async execInWorker(id: string, argv: readonly string[], signal: AbortSignal): Promise<number> {
    this.calls.push(`exec ${this.#containers.get(id)?.name} ${argv.join(" ")}`);
    return this.#call("exec", signal, () => {
      const { run } = this.#find(id);
      if (run.kind !== "running") throw new WgctlError("engine-conflict", "it does not run");
      return this.commands.get(argv[0] ?? "") ?? 0;
    });
  }

  async signalWorker(id: string, name: string, signal: AbortSignal): Promise<void> {
    this.calls.push(`signal ${this.#containers.get(id)?.name} ${name}`);
    return this.#call("signal", signal, () => {
      const worker = this.#find(id);
      if (worker.run.kind !== "running") throw new WgctlError("engine-conflict", "it does not run");
      const isStubborn = [...this.stubborn].some((each) => worker.name.startsWith(each));
      const isStop = ["SIGKILL", "SIGTERM", worker.stopSignal].includes(name);
      if (!isStop || (name !== "SIGKILL" && isStubborn)) return;
      const { startedAt } = worker.run;
      const exitCode = name === "SIGKILL" ? 137 : 0;
      const finishedAt = this.now;
      this.put({
        ...worker,
        run: { kind: "exited", startedAt, finishedAt, exitCode, oomKilled: false },
      });
    });
  }

  async removeWorker(id: string, signal: AbortSignal, stays?: "volumes"): Promise<void> {
    const but = stays === undefined ? "" : ` but ${stays}`;
    this.calls.push(`remove ${this.#containers.get(id)?.name}${but}`);
    return this.#call("remove", signal, () => {
      if (this.#containers.get(id)?.run.kind === "running")
        throw new WgctlError("engine-conflict", "it runs");
      this.#containers.delete(id);
    });
  }

  async pullImage(
    reference: string,
    progress: (line: string) => void,
    signal: AbortSignal,
    platform?: string,
  ) {
    this.calls.push(`pull ${reference}${platform === undefined ? "" : ` for ${platform}`}`);
    return this.#call("pull", signal, () => {
      progress("done");
      this.images = { ...this.images, [reference]: IMAGE };
      this.digests = { ...this.digests, [reference]: [this.registry[reference] ?? "sha256:d1"] };
    });
  }
}

function limitsIn({ cpus, mem_limit: memory, pids_limit: pids }: Template): ResourceLimits {
  return { ...(cpus && { cpus }), ...(memory && { memory }), ...(pids && { pids }) };
}
