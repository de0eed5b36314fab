// A group's plan while it is being made: what is still there, what goes, what comes, and the actions so far.
// It keeps count and decides nothing; how a worker goes is in leave.ts, how one comes in arrive.ts.

import { exists, startOf } from "../assess.ts";
import { hasFailed } from "../backoff.ts";
import type { Worker } from "../worker.ts";
import { Admission, type Room, UNLIMITED } from "./admission.ts";
import { type Outlook, outlook } from "./outlook.ts";
import { RoomClaims } from "./room-claims.ts";
import type { Scene } from "./scene.ts";
import type { Action, ActionCall, Block, NewWorker, Target } from "./types.ts";
import type { Why } from "./why.ts";

export class Draft {
  readonly scene: Scene;
  readonly outlook: Outlook;
  /** Finishing, starting and creating: dealt before new retirements. */
  readonly urgent: Action[] = [];
  readonly retirements: Action[] = [];
  readonly blocks: Block[] = [];
  /** Names of the workers that are still to be made, by this pass or a later one. */
  namesToCome: readonly string[] = [];
  readonly #freed = new Map<Worker, Action>();
  readonly #leaving = new Set<Worker>();
  readonly #created: NewWorker[] = [];
  readonly #returning: Worker[] = [];
  readonly #room = new RoomClaims();
  readonly #admission: Admission;
  #dueAt: number | undefined;
  /** Asked for again and again while nothing changes. */
  #staying: readonly Worker[] | undefined;
  #remaining: readonly Worker[] | undefined;

  constructor(scene: Scene, room: Room = UNLIMITED) {
    this.scene = scene;
    this.#admission = new Admission(room, scene);
    this.outlook = outlook(scene);
  }

  /** Engine time at which something becomes due, the soonest. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  get created(): readonly NewWorker[] {
    return this.#created;
  }

  /** Kept workers that this pass starts. */
  get returning(): readonly Worker[] {
    return this.#returning;
  }

  /** Workers that are here to stay as far as is decided by now: not leaving, and not on their way out. */
  staying(): readonly Worker[] {
    this.#staying ??= this.scene.workers.filter(
      (worker) => worker.phase === undefined && !this.isGoing(worker) && exists(worker),
    );
    return this.#staying;
  }

  /** Those that do their work, or have done it. */
  serving(): number {
    return this.staying().filter(isServing).length;
  }

  /** Whether one that serves may go: as many others must stay as the rollout needs. */
  canSpare(worker: Worker): boolean {
    return !isServing(worker) || this.serving() - 1 >= this.scene.limits.minAvailable;
  }

  /** All that counts against `replicas + maxSurge`, what this pass removes taken off, what it makes added. */
  existing(): number {
    const { uncertain } = this.scene;
    return this.remaining().length + uncertain.length + this.#coming;
  }

  get #coming(): number {
    return this.#created.length + this.#returning.length;
  }

  /** Slots in which something exists once this pass is done. */
  occupiedSlots(): ReadonlySet<number> {
    return new Set([
      ...[...this.remaining(), ...this.#returning].map((worker) => worker.labels.slot),
      ...this.scene.uncertain.map((create) => create.slot),
      ...this.#created.map((create) => create.slot),
    ]);
  }

  /** Workers that still hold memory, ports and a name once this pass is done. */
  remaining(): readonly Worker[] {
    this.#remaining ??= this.scene.workers.filter(
      (worker) => exists(worker) && !this.#freed.has(worker),
    );
    return this.#remaining;
  }

  /** Why the worker that a removal of this pass takes from a slot had to go. */
  reasonForRoom(slot: number): Why | undefined {
    for (const [worker, { reason, detail, paths }] of this.#freed) {
      if (worker.labels.slot === slot) return { reason, detail, paths };
    }
    return undefined;
  }

  isLeaving(worker: Worker): boolean {
    return this.#leaving.has(worker);
  }

  /** This pass takes it away, or sets it on its way out. */
  isGoing(worker: Worker): boolean {
    return this.#leaving.has(worker) || this.#freed.has(worker);
  }

  /** It is gone, or stopped for good, once this pass is done. */
  isFreed(worker: Worker): boolean {
    return this.#freed.has(worker);
  }

  /** It ended by itself, could not be started, or runs and is replaced all the same because it does not work. */
  hasFailed(worker: Worker): boolean {
    return hasFailed(worker, this.scene.spec?.onExit) || this.#isReplacedAsBroken(worker);
  }

  #isReplacedAsBroken(worker: Worker): boolean {
    return this.retirements.some(
      (action) =>
        (action.reason === "unhealthy" || action.reason === "not-ready") &&
        "target" in action &&
        action.target?.id === worker.facts.id,
    );
  }

  block(block: Block): void {
    if (!this.blocks.some((each) => each.code === block.code)) this.blocks.push(block);
  }

  /** Notes an engine time at which nothing will happen by itself but something is to be done. */
  due(at: number): void {
    this.#dueAt = Math.min(this.#dueAt ?? at, at);
  }

  /** It is on its way out from now on. */
  markLeaving(worker: Worker): void {
    this.#leaving.add(worker);
    this.#staying = undefined;
  }

  /** That action takes away what it holds. */
  markFreed(worker: Worker, action: Action): void {
    this.#freed.set(worker, action);
    this.#staying = undefined;
    this.#remaining = undefined;
  }

  /** Whether a worker has to stay where it is, because its successor would not be admitted; says so. */
  mustStay(worker: Worker): boolean {
    const stays = this.#admission.mustStay(worker, this.scene, this.staying());
    if (stays) this.block(this.#admission.block);
    return stays;
  }

  /** Keeps what is reserved for the successors of the workers that go. */
  pledgeSuccessors(): void {
    const gone = [...this.#leaving].filter((worker) => worker.phase === undefined);
    this.#admission.pledge(this.scene, this.staying(), gone);
  }

  /** Admits a worker in a slot: the removals whose room it takes. Undefined: its reservation does not fit, and that is said. */
  admit(slot: number): readonly string[] | undefined {
    const removals = [...this.#freed].map(([worker, { id }]) => ({ worker, id }));
    const needs = this.#admission.admit(slot, removals);
    if (needs === undefined) this.block(this.#admission.block);
    return needs;
  }

  markCreated(worker: NewWorker): void {
    this.#created.push(worker);
  }

  markReturning(worker: Worker): void {
    this.#returning.push(worker);
  }

  /** Removals that one more worker in a slot must wait for: its own slot's, and those that make room where the group is full. */
  claimRoom(slot: number): readonly string[] {
    const { replicas, maxSurge } = this.scene.limits;
    const freed = [...this.#freed].map(([worker, { id }]) => ({ worker, id }));
    const making = freed.filter(({ worker }) => exists(worker));
    const before = this.existing() - this.#coming + making.length;
    const own = freed.filter(({ worker }) => worker.labels.slot === slot).map(({ id }) => id);
    const room = this.#room.claim(slot, making, before, replicas + maxSurge);
    return [...new Set([...own, ...room])];
  }

  /** What this pass takes away of the workers that are meant. */
  removalsOf(isMeant: (worker: Worker) => boolean): readonly string[] {
    return [...this.#freed].flatMap(([worker, { id }]) => (isMeant(worker) ? [id] : []));
  }

  /** Adds an action about a worker. */
  push(
    lane: Action[],
    worker: Worker,
    why: Why,
    call: ActionCall,
    needs: readonly string[] = [],
  ): Action {
    const { slot, name } = worker.labels;
    // One that leaves and its successor can carry the same name in their labels: only real names are unique.
    const own = worker.phase === undefined ? name : worker.facts.name;
    return this.add(lane, slot, why, call, `${call.kind} ${own}`, needs);
  }

  /** Adds an action; `id` is unique in a plan. */
  add(
    lane: Action[],
    slot: number,
    { reason, detail, paths }: Why,
    call: ActionCall,
    id: string,
    needs: readonly string[],
  ): Action {
    const group = this.scene.identity.uid;
    const action: Action = { ...call, id, group, slot, reason, detail, paths, needs };
    lane.push(action);
    return action;
  }
}

/** A worker as an action's target, with the facts that must still hold. */
export function target(worker: Worker): Target {
  const { id, name, run } = worker.facts;
  return { id, name, run: run.kind, startedAt: startOf(worker.facts) };
}

function isServing({ state }: Worker): boolean {
  return state === "Available" || state === "Completed";
}
