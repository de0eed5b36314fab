// Holds every engine call against the promises, by the world as it is. Judges and never changes what happens.

import { resolveLimits } from "../../src/core/limits.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import type { Plan } from "../../src/core/plan/types.ts";
import type { CreateRequest } from "../../src/engine/engine.ts";
import { type Container, containersOf, type World } from "../../src/engine/simulated/world.ts";

const DEFAULT_GRACE_SECONDS = 10;
/** Names tell the time to the second: a signal that came within it was not kept waiting. */
const PROMPT_MS = 1_000;

type Valid = DesiredGroup & { readonly kind: "valid" };

/** What is seen of a group from outside, over all its runs. */
export class Witness {
  readonly violations: string[] = [];
  readonly world: World;
  readonly #foreign: ReadonlySet<string>;
  /** When each process was first sent a signal, by container and start. */
  readonly #signalled = new Map<string, number>();
  /** Names of creates that may still come and that a run can know of. */
  readonly #pending = new Set<string>();
  #available = new Set<string>();
  #group: Valid;

  constructor(world: World, group: Valid, foreign: readonly string[]) {
    this.world = world;
    this.#group = group;
    this.#foreign = new Set(foreign);
  }

  /** From now on this is declared. */
  declare(group: Valid): void {
    this.#group = group;
  }

  /** The file is gone that knew of creates without an answer. */
  forgetPending(): void {
    this.#pending.clear();
  }

  /** What exists of the group: bystanders are not of it, and what is half removed, or stopped and kept, does not count. */
  existing(): readonly Container[] {
    return containersOf(this.world).filter(
      (each) => !this.#foreign.has(each.id) && !GONE.includes(each.state.kind) && !isAside(each),
    );
  }

  /** Takes in what a pass rests on: whatever it takes for available has to run and be healthy. */
  planned(plan: Plan): void {
    this.#available = new Set();
    for (const { facts, state } of plan.groups.flatMap(({ workers }) => workers)) {
      if (state !== "Available") continue;
      this.#available.add(facts.id);
      const { run } = facts;
      const isUp = run.kind === "running" && (run.health?.status ?? "healthy") === "healthy";
      if (!isUp) this.#report(`${facts.name} is taken for available`);
    }
  }

  /** Reads the signals off the event history before it forgets them. */
  look(): void {
    for (const { id, at } of this.world.signals) {
      const container = this.world.containers[id];
      if (container?.state.kind !== "running" || at < container.state.startedAt) continue;
      const key = processOf(container);
      if (!this.#signalled.has(key)) this.#signalled.set(key, at);
    }
  }

  create({ name, labels }: CreateRequest): void {
    const { replicas, maxSurge } = this.#limits();
    const there = this.existing();
    const held = [...this.#pending].filter((each) => this.#isUnderWay(each));
    if (this.#group.deletionTimestamp !== undefined) this.#report(`create ${name}: deleted`);
    const count = there.length + held.filter((each) => each !== name).length;
    if (count >= replicas + maxSurge) {
      this.#report(`create ${name}: ${count} exist of ${replicas} and ${maxSurge}`);
    }
    const slot = labels["dev.wgctl.slot"];
    const taken = there.find((each) => this.#slotOf(each) === slot);
    if (maxSurge === 0 && taken !== undefined) this.#report(`create ${name}: ${taken.name} exists`);
    if (this.#group.spec.rollout.strategy === "Recreate") {
      this.#mixes(`create ${name}`, labels["dev.wgctl.revision"], there);
    }
    this.#pending.add(name);
  }

  /** What is adopted has the slot of its place in the list. */
  #slotOf({ id, labels }: Container): string | undefined {
    const place = (this.#group.adopt ?? []).indexOf(id);
    return place === -1 ? labels["dev.wgctl.slot"] : String(place + 1);
  }

  start(id: string): void {
    const own = this.#own("start", id);
    if (own === undefined || this.#group.spec.rollout.strategy !== "Recreate") return;
    const alive = this.existing().filter(({ state }) => ALIVE.includes(state.kind));
    this.#mixes(`start ${own.name}`, own.labels["dev.wgctl.revision"], alive);
  }

  /** Renamed to stop: from here on it does not count as available any more. */
  retire(id: string): void {
    const own = this.#own("retire", id);
    if (own === undefined || !this.#available.delete(id)) return;
    const isLeaving = this.#group.deletionTimestamp !== undefined;
    const { minAvailable } = this.#limits();
    if (!isLeaving && this.#available.size < minAvailable) {
      this.#report(`retire ${own.name}: leaves ${this.#available.size} of ${minAvailable}`);
    }
  }

  signal(id: string, name: string): void {
    this.look();
    const own = this.#own(name, id);
    if (own === undefined) return;
    if (name === "SIGKILL") this.#kill(own);
    else this.retire(id);
  }

  /** Grace counts from the signal, or from the name where a slow engine had the signal wait behind it. */
  #kill(own: Container): void {
    if (own.state.kind !== "running") return;
    const signalled = this.#signalled.get(processOf(own));
    if (signalled === undefined) {
      this.#report(`kill ${own.name}: was never asked to stop`);
      return;
    }
    const named = Number(/[.]stopping-([0-9]+)$/.exec(own.name)?.[1] ?? 0) * 1000;
    const had = this.world.now - (signalled - named > PROMPT_MS ? named : signalled);
    const grace = (own.template.stop_grace_period ?? DEFAULT_GRACE_SECONDS) * 1000;
    if (had < grace) this.#report(`kill ${own.name}: had ${had} ms of ${grace}`);
  }

  /** Any other call about a container. */
  touch(what: string, id: string): void {
    this.#own(what, id);
  }

  #own(what: string, id: string): Container | undefined {
    if (this.#foreign.has(id)) this.#report(`${what}: ${id} is not ours`);
    return this.world.containers[id];
  }

  #limits() {
    return resolveLimits(this.#group.spec);
  }

  #mixes(what: string, revision: string | undefined, others: readonly Container[]): void {
    const other = others.find((each) => each.labels["dev.wgctl.revision"] !== revision);
    if (other !== undefined) this.#report(`${what}: ${other.name} is of another revision`);
  }

  #isUnderWay(name: string): boolean {
    const id = this.world.names[name];
    return id !== undefined && this.world.containers[id] === undefined;
  }

  #report(what: string): void {
    this.violations.push(what);
  }
}

const GONE: readonly string[] = ["removing", "dead"];

/** Stopped and kept, for return or for inspection: it takes nobody's place. */
function isAside({ name, state }: Container): boolean {
  return state.kind === "exited" && /[.](kept|failed)-[0-9]+$/.test(name);
}

const ALIVE: readonly string[] = ["running", "restarting", "paused"];

/** Which process of which container. */
function processOf({ id, state }: Container): string {
  return `${id}@${state.kind === "running" ? state.startedAt : ""}`;
}
