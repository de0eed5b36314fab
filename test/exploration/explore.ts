// Explores every order in which the calls of the writers of a small world can happen, with what may go wrong. Each state
// is reached by doing everything anew from the beginning, because a run in the middle of its work cannot be copied.

import { createHash } from "node:crypto";
import { join } from "node:path";
import type { World } from "../../src/engine/simulated/world.ts";
import { Cast, changesWorkers, type Setting, type Step } from "./cast.ts";
import {
  brokenBy,
  existing,
  killsTooSoon,
  type Limits,
  makesBesideFailed,
  type PromiseKey,
  serving,
} from "./promises.ts";
import { settle, settleFailed } from "./settle.ts";

export type Findings = {
  states: number;
  transitions: number;
  /** Different worlds in which all writers had ended. */
  endings: number;
  /** False: the bound on states was reached before all were seen. */
  isWhole: boolean;
  /** The most that existed, and the fewest that served, in any state. */
  most: number;
  fewest: number;
  /** First way found to break each promise that was broken. */
  readonly broken: Map<PromiseKey, readonly Step[]>;
};

export type Bounds = { readonly limits: Limits; readonly states: number };

export class Explorer {
  readonly findings: Findings = {
    ...{ states: 0, transitions: 0, endings: 0, isWhole: true, most: 0 },
    fewest: Number.POSITIVE_INFINITY,
    broken: new Map(),
  };
  readonly #setting: Setting;
  readonly #world: World;
  readonly #root: string;
  readonly #bounds: Bounds;
  readonly #seen = new Set<string>();
  readonly #ended = new Set<string>();
  /** Ways to states of which not every next step was taken; the shortest first. */
  readonly #queue: (readonly Step[])[] = [];
  #casts = 0;

  /** `root`: a folder for the writers' files, best in memory. */
  constructor(setting: Setting, world: World, root: string, bounds: Bounds) {
    this.#setting = setting;
    this.#world = world;
    this.#root = root;
    this.#bounds = bounds;
  }

  async run(): Promise<Findings> {
    this.#queue.push([]);
    for (let way = this.#queue.shift(); way !== undefined; way = this.#queue.shift()) {
      if (this.findings.states >= this.#bounds.states) {
        this.findings.isWhole = false;
        break;
      }
      await this.#follow(way);
    }
    return this.findings;
  }

  /** Goes a way to its end, and on from there as long as what is found is new; what was left aside is queued. */
  async #follow(start: readonly Step[]): Promise<void> {
    const cast = await Cast.open(this.#setting, this.#world, join(this.#root, `${++this.#casts}`));
    for (const step of start) await cast.take(step);
    let way = start;
    for (;;) {
      if (way.length > 0) this.findings.transitions += 1;
      if (!this.#isNew(cast)) break;
      this.#judge(cast, way);
      const [next, ...others] = cast.steps;
      if (next === undefined) {
        await this.#end(cast, way);
        break;
      }
      this.#queue.push(...others.map((step) => [...way, step]));
      way = [...way, next];
      await cast.take(next);
    }
    cast.close();
  }

  #isNew(cast: Cast): boolean {
    const key = createHash("sha1").update(cast.state).digest("base64");
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.findings.states += 1;
    return true;
  }

  #judge({ world, waiting }: Cast, way: readonly Step[]): void {
    const { findings } = this;
    findings.most = Math.max(findings.most, existing(world).length);
    findings.fewest = Math.min(findings.fewest, serving(world));
    const changing = waiting.filter(({ call }) => changesWorkers(call));
    const broken: PromiseKey[] = [...brokenBy(world, this.#bounds.limits)];
    if (new Set(changing.map(({ writer }) => writer)).size > 1) broken.push("exclusion");
    if (waiting.some(({ call }) => makesBesideFailed(world, call))) broken.push("blocked");
    if (waiting.some(({ call }) => killsTooSoon(world, call))) broken.push("grace");
    for (const promise of broken) this.#report(promise, way);
  }

  /** All have ended: one quiet run has to bring what the last writer wants. Each world is tried once. */
  async #end(cast: Cast, way: readonly Step[]): Promise<void> {
    const key = createHash("sha1").update(cast.state).digest("base64");
    if (this.#ended.has(key)) return;
    this.#ended.add(key);
    this.findings.endings += 1;
    const last = this.#setting.wishes.length - 1;
    const group = this.#setting.wishes[last];
    if (group === undefined) return;
    const { cure } = this.#setting;
    const { limits } = this.#bounds;
    const folder = cast.folderOf(last);
    const failed = cure === undefined ? [] : await settleFailed(cast.world, folder, group, limits);
    const broken = await settle(cast.world, folder, cure ?? group, limits);
    for (const promise of [...failed, ...broken]) this.#report(promise, way);
  }

  #report(promise: PromiseKey, way: readonly Step[]): void {
    const known = this.findings.broken.get(promise);
    if (known === undefined || way.length < known.length) this.findings.broken.set(promise, way);
  }
}
