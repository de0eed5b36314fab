// Stands between one process and the simulated engine: tells the witness of every call, and counts them. A process that
// is to die hears nothing any more, as after a power cut.

import type { Engine } from "../../src/engine/engine.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import type { Witness } from "./witness.ts";

/** The write at which a process dies, counted from 1, and whether it still reaches the engine. */
export type Death = { readonly at: number; readonly reached: boolean };

/** How long a process lives: to its end, to a write to the engine, or to a step of whatever kind. */
export type Life = { readonly dies?: Death | undefined; readonly lastStep?: number | undefined };

/** A look, or a moment at which something is sent, heard or written down. */
export type Step = "look" | "act";

/** One process's way to the engine. */
export class Watched {
  /** Moments between which a death makes a difference: a look, a write sent, its answer heard, a line of the journal. */
  readonly steps: Step[] = [];
  /** Writes that were tried. */
  writes = 0;
  looks = 0;
  readonly engine: Engine;
  /** Resolves when the process dies. */
  readonly died: Promise<"died">;
  readonly #witness: Witness;
  readonly #life: Life;
  readonly #dead = new AbortController();

  constructor(witness: Witness, life: Life, onLook: (looks: number) => void) {
    this.#witness = witness;
    this.#life = life;
    this.died = new Promise((resolve) => {
      this.#dead.signal.addEventListener("abort", () => resolve("died"));
    });
    const inner = openSimulatedEngine({ world: witness.world });
    this.engine = this.#watch(inner, () => {
      this.looks += 1;
      onLook(this.looks);
    });
  }

  /** The process has died. */
  get isDead(): boolean {
    return this.#dead.signal.aborted;
  }

  /** Takes one step more, and dies instead where the one before was its last. */
  step(step: Step): void {
    if (this.steps.length === this.#life.lastStep) this.#die();
    else this.steps.push(step);
  }

  #watch(inner: Engine, onLook: () => void): Engine {
    const read = this.#read.bind(this);
    const write = this.#write.bind(this);
    const witness = this.#witness;
    return {
      endpoint: inner.endpoint,
      identify: (s) => read(s, (t) => inner.identify(t)),
      listWorkers: (s, isMeant) => {
        onLook();
        this.step("look");
        return read(s, (t) => inner.listWorkers(t, isMeant));
      },
      inspectWorker: (id, s) => read(s, (t) => inner.inspectWorker(id, t)),
      findId: (meant, s) => read(s, (t) => inner.findId(meant, t)),
      resolveImages: (names, s, platforms) =>
        read(s, (t) => inner.resolveImages(names, t, platforms)),
      findDigest: (name, s) => read(s, (t) => inner.findDigest(name, t)),
      findHolders: (names, s) => read(s, (t) => inner.findHolders(names, t)),
      findMissingNetworks: (names, s) => read(s, (t) => inner.findMissingNetworks(names, t)),
      findSignalled: (ids, since, s) => read(s, (t) => inner.findSignalled(ids, since, t)),
      readLogs: (id, lines, s) => read(s, (t) => inner.readLogs(id, lines, t)),
      readTemplate: (id, s) => read(s, (t) => inner.readTemplate(id, t)),
      listClaims: (prefix, s) => read(s, (t) => inner.listClaims(prefix, t)),
      waitForChange: (ms, s) => read(s, (t) => inner.waitForChange(ms, t)),
      close: () => inner.close(),
      createWorker: (request, s) =>
        write(
          s,
          () => witness.create(request),
          (t) => inner.createWorker(request, t),
        ),
      startWorker: (id, s) =>
        write(
          s,
          () => witness.start(id),
          (t) => inner.startWorker(id, t),
        ),
      renameWorker: (id, name, s) =>
        write(
          s,
          () => witness.retire(id),
          (t) => inner.renameWorker(id, name, t),
        ),
      setRestartPolicy: (id, policy, s) =>
        write(
          s,
          () => witness.touch(policy, id),
          (t) => inner.setRestartPolicy(id, policy, t),
        ),
      updateLimits: (id, limits, s) =>
        write(
          s,
          () => witness.touch("limits", id),
          (t) => inner.updateLimits(id, limits, t),
        ),
      execInWorker: (id, argv, s) =>
        write(
          s,
          () => witness.touch("exec", id),
          (t) => inner.execInWorker(id, argv, t),
        ),
      signalWorker: (id, name, s) =>
        write(
          s,
          () => witness.signal(id, name),
          (t) => inner.signalWorker(id, name, t),
        ),
      removeWorker: (id, s) =>
        write(
          s,
          () => witness.touch("remove", id),
          (t) => inner.removeWorker(id, t),
        ),
      pullImage: (image, tell, s, platform) =>
        write(
          s,
          () => {},
          (t) => inner.pullImage(image, tell, t, platform),
        ),
      makeClaim: (claim, s) =>
        write(
          s,
          () => {},
          (t) => inner.makeClaim(claim, t),
        ),
      dropClaim: (name, s) =>
        write(
          s,
          () => {},
          (t) => inner.dropClaim(name, t),
        ),
    };
  }

  async #read<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#dead.signal.aborted) return silence();
    try {
      return await call(AbortSignal.any([signal, this.#dead.signal]));
    } finally {
      this.#witness.look();
      if (this.#dead.signal.aborted) await silence();
    }
  }

  async #write<T>(
    signal: AbortSignal,
    judge: () => void,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#dead.signal.aborted) return silence();
    this.writes += 1;
    this.step("act");
    const { dies } = this.#life;
    const isLast = this.writes === dies?.at;
    if (isLast && !dies?.reached) this.#die();
    if (this.#dead.signal.aborted) return silence();
    judge();
    try {
      return await this.#read(signal, call);
    } finally {
      this.step("act");
      if (isLast) this.#die();
      if (this.#dead.signal.aborted) await silence();
    }
  }

  #die(): void {
    this.#dead.abort();
  }
}

/** What a dead process hears. */
function silence(): Promise<never> {
  return new Promise(() => {});
}
