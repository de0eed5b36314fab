// Stands between one writer and the simulated engine: every call waits there until it is let through, so that whoever
// holds the gates decides in which order things happen. Judges nothing.

import type { Engine } from "../../src/engine/engine.ts";
import type { CallName } from "../../src/engine/simulated/script.ts";

/** A call that waits to be let through. */
export type Waiting = {
  readonly call: CallName | "waitForChange";
  /** Tells it from every other call that the writer could make at that moment. */
  readonly what: string;
  /** Lets it through; resolves once the writer has heard the answer, unless it is to hear nothing. */
  readonly pass: (isHeard: boolean) => Promise<void>;
};

/** Told of a call's answer before the writer hears it. */
export type OnAnswer = (call: Waiting["call"], what: string, answer: string) => void;

export class Gate {
  readonly engine: Engine;
  readonly waiting: Waiting[] = [];
  readonly #onAnswer: OnAnswer;
  #onArrival: () => void = () => undefined;

  constructor(inner: Engine, onAnswer: OnAnswer) {
    this.#onAnswer = onAnswer;
    this.engine = this.#guard(inner);
  }

  /** Resolves once a call waits. */
  async arrival(): Promise<void> {
    if (this.waiting.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#onArrival = resolve;
    });
  }

  /** What never changes is asked for without waiting: images, networks, the engine itself. */
  #guard(inner: Engine): Engine {
    const hold = this.#hold.bind(this);
    return {
      ...inner,
      listWorkers: (s, isMeant) => hold("listWorkers", "", () => inner.listWorkers(s, isMeant)),
      inspectWorker: (id, s) => hold("inspectWorker", id, () => inner.inspectWorker(id, s)),
      findHolders: (names, s) =>
        hold("findHolders", names.join(), () => inner.findHolders(names, s)),
      findSignalled: (ids, since, s) =>
        hold("findSignalled", ids.join(), () => inner.findSignalled(ids, since, s)),
      listClaims: (prefix, s) => hold("listClaims", "", () => inner.listClaims(prefix, s)),
      waitForChange: (ms, s) => hold("waitForChange", "", () => inner.waitForChange(ms, s)),
      createWorker: (request, s) =>
        hold("createWorker", request.name, () => inner.createWorker(request, s)),
      startWorker: (id, s) => hold("startWorker", id, () => inner.startWorker(id, s)),
      renameWorker: (id, name, s) =>
        hold("renameWorker", id, () => inner.renameWorker(id, name, s)),
      setRestartPolicy: (id, policy, s) =>
        hold("setRestartPolicy", id, () => inner.setRestartPolicy(id, policy, s)),
      updateLimits: (id, limits, s) =>
        hold("updateLimits", id, () => inner.updateLimits(id, limits, s)),
      execInWorker: (id, argv, s) =>
        hold("execInWorker", `${id} ${argv.join(" ")}`, () => inner.execInWorker(id, argv, s)),
      readLogs: (id, lines, s) => hold("readLogs", id, () => inner.readLogs(id, lines, s)),
      signalWorker: (id, name, s) =>
        hold("signalWorker", `${id} ${name}`, () => inner.signalWorker(id, name, s)),
      removeWorker: (id, s) => hold("removeWorker", id, () => inner.removeWorker(id, s)),
      makeClaim: (claim, s) => hold("makeClaim", claim.name, () => inner.makeClaim(claim, s)),
      dropClaim: (name, s) => hold("dropClaim", name, () => inner.dropClaim(name, s)),
    };
  }

  #hold<T>(call: Waiting["call"], what: string, make: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const pass = async (isHeard: boolean) => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        try {
          const value = await make();
          this.#onAnswer(call, what, JSON.stringify(value ?? null));
          if (isHeard) resolve(value);
        } catch (error) {
          this.#onAnswer(call, what, String(error));
          if (isHeard) reject(error);
        }
      };
      const waiting = { call, what, pass };
      this.waiting.push(waiting);
      this.#onArrival();
    });
  }
}
