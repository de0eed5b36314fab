// Tells a story: each run of `apply` is a process of its own over one simulated world, with the state folder between.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { apply } from "../../src/app/apply.ts";
import type { ApplyOptions, ApplyResult } from "../../src/app/apply-types.ts";
import { recallForWriting } from "../../src/app/memory.ts";
import type { Reporter } from "../../src/app/reporter.ts";
import { WgctlError } from "../../src/core/errors.ts";
import { encodeLabels } from "../../src/core/labels.ts";
import type { DesiredGroup, DrainPolicy } from "../../src/core/model.ts";
import type { Template } from "../../src/core/template.ts";
import { endByItself, removeByForce, stopByHand } from "../../src/engine/simulated/hands.ts";
import { openSimulatedEngine } from "../../src/engine/simulated/open.ts";
import { restartEngine } from "../../src/engine/simulated/restart-engine.ts";
import { advance } from "../../src/engine/simulated/time.ts";
import { newWorld, type World } from "../../src/engine/simulated/world.ts";
import { openJournal } from "../../src/store/journal.ts";
import { buildDesired, buildIdentity, buildLabels, UID } from "../support/build.ts";
import { mortal } from "./mortal-journal.ts";
import type { Manifest, Story, StoryEvent } from "./scenario.ts";
import { type Life, type Step, Watched } from "./watched.ts";
import { Witness } from "./witness.ts";

const never = new AbortController().signal;

/** What a process did; without a result it died, or lost sight of the engine. */
export type Ended = {
  readonly writes: number;
  readonly steps: readonly Step[];
  readonly result?: ApplyResult;
};

type Run = Life & {
  readonly looks: number;
  readonly budget: number;
  /** Asks for another try of what has failed. */
  readonly retry?: boolean;
};

export class Telling {
  readonly world: World;
  readonly witness: Witness;
  readonly #folder: string;
  readonly #earlier: Manifest[] = [];
  /** Ids of what somebody else made and the group adopts. */
  readonly #adopted: readonly string[];
  #manifest: Manifest;
  #tasks = 0;
  #runs = 0;

  private constructor(world: World, folder: string, first: Manifest, others: Others) {
    this.world = world;
    this.#folder = folder;
    this.#manifest = first;
    this.#adopted = others.adopted;
    this.witness = new Witness(world, this.#declared(), others.foreign);
  }

  /** A world with bystanders and both images, and with what the group adopts. */
  static async begin({ first, adopts = 0 }: Story, folder: string): Promise<Telling> {
    const tags = { "mailer:1": "sha256:1111", "mailer:2": "sha256:2222" };
    const world = newWorld({ tags });
    const foreign = [...(await bystanders(world)), ...(await shops(world, ["shop-0"]))];
    const names = Array.from({ length: adopts }, (_, index) => `shop-${index + 1}`);
    const telling = new Telling(world, folder, first, {
      foreign,
      adopted: await shops(world, names),
    });
    // Whoever is taken over has been there for a while.
    if (adopts > 0) advance(world, 60_000);
    return telling;
  }

  #declared(): Valid {
    const group = declared(this.#manifest);
    return this.#adopted.length === 0 ? group : { ...group, adopt: this.#adopted };
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  async tell(event: StoryEvent): Promise<void> {
    switch (event.kind) {
      case "run":
        await this.run(event);
        break;
      case "edit":
        this.#edit({ ...this.#manifest, ...event.change });
        break;
      case "revert":
        this.#edit(this.#earlier.pop() ?? this.#manifest);
        break;
      case "live":
        this.world.lives.unshift(event.life);
        break;
      case "fault":
        this.world.faults.push(structuredClone(event.fault));
        break;
      case "hand":
        this.#byHand(event.what, event.pick);
        break;
      case "engine":
        restartEngine(this.world, event.how);
        break;
      case "lose-files":
        await rm(this.#folder, { recursive: true, force: true });
        this.witness.forgetPending();
        break;
      case "pass":
        advance(this.world, event.seconds * 1000);
    }
    this.witness.look();
  }

  #edit(next: Manifest): void {
    this.#earlier.push(this.#manifest);
    this.#manifest = next;
    this.witness.declare(this.#declared());
  }

  #byHand(what: "remove" | "stop" | "crash", pick: number): void {
    const there = this.witness.existing();
    const one = there[pick % Math.max(1, there.length)];
    if (one === undefined) return;
    if (what === "remove") removeByForce(this.world, one.id);
    if (one.state.kind !== "running") return;
    if (what === "stop") stopByHand(this.world, one.id);
    if (what === "crash") endByItself(this.world, one.id, { code: 1 });
  }

  /** From here on nothing goes wrong any more. */
  calm(): void {
    this.world.faults.length = 0;
    this.world.lives.length = 0;
  }

  /** One process. Answers with its writes, and its result where it lived to give one. */
  async run({ looks, budget, retry = false, ...life }: Run): Promise<Ended> {
    const stop = new AbortController();
    const watched = new Watched(this.witness, life, (count) => {
      if (count >= looks) stop.abort();
    });
    const result = await Promise.race([
      this.#apply(watched, stop.signal, { budget, retry }).catch(engineError),
      watched.died,
    ]);
    const { writes, steps } = watched;
    const done = { writes, steps };
    return result === "died" || result === undefined ? done : { ...done, result };
  }

  async #apply(
    watched: Watched,
    stop: AbortSignal,
    { budget, retry }: { readonly budget: number; readonly retry: boolean },
  ): Promise<ApplyResult> {
    const reporter: Reporter = {
      notify: (event) => {
        if (event.kind === "pass-planned") this.witness.planned(event.plan);
      },
      ask: async ({ byDefault }) => byDefault,
    };
    const time = () => this.world.now;
    const { engine } = watched;
    const journal = openJournal(this.#folder, () => `run-${++this.#runs}`);
    return apply(
      { ...OPTIONS, actionsPerPass: budget, retry },
      {
        ...{ engine, reporter, workspace: this.#workspace(), ticks: time, now: time },
        memory: await recallForWriting(this.#folder, reporter),
        journal: mortal(
          journal,
          () => watched.isDead,
          () => watched.step("act"),
        ),
        mintTaskId: () => `task-${++this.#tasks}`,
      },
      { stop, abort: never },
    );
  }

  #workspace() {
    return {
      ...{ project: undefined, groups: [this.#declared()], declared: [UID], problems: [] },
      ...{ complete: true, narrowed: false, stateFolder: this.#folder },
      // No such folder, so that Git is not asked about it a thousand times.
      folder: join(this.#folder, "no-repository"),
    };
  }
}

/** An engine that cannot be observed is a way for a run to end; anything else is a defect. */
function engineError(error: unknown): undefined {
  if (error instanceof WgctlError && error.code.startsWith("engine-")) return undefined;
  throw error;
}

type Valid = DesiredGroup & { readonly kind: "valid" };
type Others = { readonly foreign: readonly string[]; readonly adopted: readonly string[] };

function declared(manifest: Manifest): Valid {
  const { replicas, nonce, isDeleted, strategy, maxUnavailable, maxSurge } = manifest;
  const { isDrained, minReadySeconds, onFailure } = manifest;
  const group = buildDesired({
    ...{ replicas, restartNonce: nonce, template: templateOf(manifest) },
    rollout: {
      ...{ strategy, maxUnavailable, maxSurge, minReadySeconds },
      ...{ healthyDeadlineSeconds: 30, paused: false },
      ...{ progressDeadlineSeconds: 600, onFailure },
    },
    ...(isDrained ? { drain: DRAIN } : {}),
  });
  if (group.kind !== "valid") throw new Error("a built group is valid");
  return { ...group, deletionTimestamp: isDeleted ? "2026-01-01T00:00:00Z" : undefined };
}

const DRAIN: DrainPolicy = {
  quiet: { kind: "signal", signal: "TSTP" },
  waitFor: { exec: ["bin/idle"], timeoutSeconds: 6 },
};

function templateOf({ image, queue, restart, isChecked, graceSeconds }: Manifest): Template {
  const healthcheck = { test: ["CMD", "true"], interval: 1, retries: 2 };
  return {
    ...{ image, restart, environment: { QUEUE: queue } },
    ...(isChecked ? { healthcheck } : {}),
    ...(graceSeconds === undefined ? {} : { stop_grace_period: graceSeconds }),
  };
}

/** Containers under our labels that are not the group's: another's, a copy, and one with half its labels. */
async function bystanders(world: World): Promise<readonly string[]> {
  const engine = openSimulatedEngine({ world });
  const other = buildIdentity({ uid: "somebody-else" });
  const labels = [
    encodeLabels(buildLabels({ group: other, name: "bystander-1" })),
    encodeLabels(buildLabels()),
    { "dev.wgctl.uid": UID },
  ];
  const ids: string[] = [];
  for (const [index, each] of labels.entries()) {
    const template = { image: "mailer:1", restart: "always" };
    const name = `bystander-${index + 1}`;
    const id = await engine.createWorker({ name, labels: each, template }, never);
    await engine.startWorker(id, never);
    ids.push(id);
  }
  return ids;
}

/** Containers without a label of ours, by their names: what somebody else runs. */
async function shops(world: World, names: readonly string[]): Promise<readonly string[]> {
  const engine = openSimulatedEngine({ world });
  const template = { image: "mailer:1", restart: "unless-stopped", environment: { QUEUE: "shop" } };
  const ids: string[] = [];
  for (const name of names) {
    const id = await engine.createWorker({ name, labels: { shop: "1" }, template }, never);
    await engine.startWorker(id, never);
    ids.push(id);
  }
  return ids;
}

const OPTIONS: ApplyOptions = {
  ...{ prune: false, allowMassDelete: false, confirm: false, once: false, wait: true },
  allowOlder: false,
  ...{ verify: false, actionsPerPass: 100, maxActions: Number.POSITIVE_INFINITY },
  ...{ timeoutMs: 60_000, callDeadlineMs: 30_000, detailedExitCode: false },
};
