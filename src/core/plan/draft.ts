// A group's plan while it is being made: what is still there, what goes, and the actions so far.
// It knows how things are done (the order of calls), never whether they should be.

import { exists, startOf } from "../assess.ts";
import { hasFailed } from "../backoff.ts";
import { workerName } from "../names.ts";
import type { Worker } from "../worker.ts";
import { Admission, type Room, UNLIMITED } from "./admission.ts";
import { isCurrent } from "./rank.ts";
import { RoomClaims } from "./room-claims.ts";
import type { Scene } from "./scene.ts";
import type { Action, ActionCall, Block, NewWorker, Target } from "./types.ts";
import type { Why } from "./why.ts";

const DEFAULT_GRACE_SECONDS = 10;
const DEFAULT_STOP_SIGNAL = "SIGTERM";

export class Draft {
  readonly scene: Scene;
  /** Finishing, starting and creating: dealt before new retirements. */
  readonly urgent: Action[] = [];
  readonly retirements: Action[] = [];
  readonly blocks: Block[] = [];
  /** Names of the workers that are still to be made, by this pass or a later one. */
  namesToCome: readonly string[] = [];
  readonly #freed = new Map<Worker, Action>();
  readonly #leaving = new Set<Worker>();
  readonly #created: NewWorker[] = [];
  readonly #room = new RoomClaims();
  readonly #admission: Admission;
  #dueAt: number | undefined;
  /** Asked for again and again while nothing changes. */
  #staying: readonly Worker[] | undefined;
  #remaining: readonly Worker[] | undefined;

  constructor(scene: Scene, room: Room = UNLIMITED) {
    this.scene = scene;
    this.#admission = new Admission(room, scene);
  }

  /** Engine time at which something becomes due, the soonest. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  get created(): readonly NewWorker[] {
    return this.#created;
  }

  /** Workers that are here to stay as far as is decided by now: not leaving, and not on their way out. */
  staying(): readonly Worker[] {
    this.#staying ??= this.scene.workers.filter(
      (worker) => worker.phase === undefined && !this.#isGoing(worker) && exists(worker),
    );
    return this.#staying;
  }

  available(): number {
    return this.staying().filter((worker) => worker.state === "Available").length;
  }

  /** All that counts against `replicas + maxSurge`, removals of this pass taken off, its creates added. */
  existing(): number {
    return this.remaining().length + this.scene.uncertain.length + this.#created.length;
  }

  /** Slots in which something exists once this pass is done. */
  occupiedSlots(): ReadonlySet<number> {
    return new Set([
      ...this.remaining().map((worker) => worker.labels.slot),
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

  /** It ended by itself, could not be started, or runs and is replaced all the same because it does not work. */
  hasFailed(worker: Worker): boolean {
    return hasFailed(worker) || this.#isReplacedAsBroken(worker);
  }

  #isReplacedAsBroken(worker: Worker): boolean {
    return this.retirements.some(
      (action) =>
        (action.reason === "unhealthy" || action.reason === "not-ready") &&
        "target" in action &&
        action.target?.id === worker.facts.id,
    );
  }

  #isGoing(worker: Worker): boolean {
    return this.#leaving.has(worker) || this.#freed.has(worker);
  }

  block(block: Block): void {
    if (!this.blocks.some((each) => each.code === block.code)) this.blocks.push(block);
  }

  /** Notes an engine time at which nothing will happen by itself but something is to be done. */
  due(at: number): void {
    this.#dueAt = Math.min(this.#dueAt ?? at, at);
  }

  /** The next step on a worker's way out, whatever step it is at. Returns false where it may not be touched. */
  leave(worker: Worker, why: Why): boolean {
    const { run } = worker.facts;
    switch (run.kind) {
      case "paused":
        this.block({
          code: "WorkerPaused",
          message: `${worker.labels.name} is paused by someone and would have to go; unpause or remove it`,
        });
        return false;
      case "removing":
        return true;
      case "created":
      case "exited":
      case "dead":
        this.#remove(worker, why);
        return true;
      case "restarting":
        this.#stopRestarting(worker, why);
        return true;
      case "running":
        this.#stopRunning(worker, why);
        return true;
    }
  }

  #remove(worker: Worker, why: Why): void {
    const action = this.#push(this.urgent, worker, why, { kind: "remove", target: target(worker) });
    this.#freed.set(worker, action);
    this.#staying = undefined;
    this.#remaining = undefined;
  }

  #markLeaving(worker: Worker): void {
    this.#leaving.add(worker);
    this.#staying = undefined;
  }

  /** A restarting container cannot be renamed; disarmed and signalled it ends at once. */
  #stopRestarting(worker: Worker, why: Why): void {
    this.#markLeaving(worker);
    const disarm = this.#disarm(this.retirements, worker, why);
    this.#signal(this.retirements, worker, why, disarm);
  }

  #stopRunning(worker: Worker, why: Why): void {
    this.#markLeaving(worker);
    const lane = worker.phase === undefined ? this.retirements : this.urgent;
    const disarm = this.#disarm(lane, worker, why);
    const asked = worker.phase?.kind === "stopping" ? worker.phase.since : undefined;
    if (asked !== undefined && worker.signalled) {
      this.#killWhenDue(worker, why, asked + this.graceSeconds(worker) * 1000);
      return;
    }
    // A name that has waited for its signal is written anew with it, not here: a small budget would never get past that.
    const named = asked === undefined ? this.#rename(lane, worker, why, disarm) : disarm;
    this.#signal(lane, worker, why, named);
  }

  #rename(lane: Action[], worker: Worker, why: Why, needs: readonly string[]): readonly string[] {
    const call: ActionCall = { kind: "rename", target: target(worker), phase: "stopping" };
    return [this.#push(lane, worker, why, call, needs).id];
  }

  #killWhenDue(worker: Worker, why: Why, end: number): void {
    // The name and the clock come to the second, rounded down: one more makes sure that none is missing.
    const at = end + 1_000;
    if (this.scene.now < at) this.due(at);
    else this.#push(this.urgent, worker, why, { kind: "kill", target: target(worker) });
  }

  /** Seconds between signal and kill: its own, or the new spec's when that is longer. */
  graceSeconds(worker: Worker): number {
    return Math.max(
      worker.facts.stopTimeout ?? DEFAULT_GRACE_SECONDS,
      this.scene.spec?.template.stop_grace_period ?? 0,
    );
  }

  #disarm(lane: Action[], worker: Worker, why: Why): readonly string[] {
    if (worker.facts.restartPolicy === "no") return [];
    return [this.#push(lane, worker, why, { kind: "disarm", target: target(worker) }).id];
  }

  #signal(lane: Action[], worker: Worker, why: Why, needs: readonly string[]): void {
    const signal = worker.facts.stopSignal ?? DEFAULT_STOP_SIGNAL;
    this.#push(lane, worker, why, { kind: "signal", target: target(worker), signal }, needs);
  }

  /** Starts a worker that was created and never ran. */
  start(worker: Worker, why: Why): void {
    const { name } = worker.labels;
    const call: ActionCall = { kind: "start", name, target: target(worker) };
    this.#push(this.urgent, worker, why, call, this.#removalsOfOld());
  }

  /** Gives a running worker its restart policy back. */
  arm(worker: Worker, policy: string, why: Why): void {
    this.#push(this.urgent, worker, why, { kind: "arm", target: target(worker), policy });
  }

  pull(image: string, why: Why): void {
    this.#add(this.urgent, 0, why, { kind: "pull-image", image }, `pull-image ${image}`, []);
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

  /** Admits one more worker: the removals whose room it takes. Undefined: its reservation does not fit, and that is said. */
  admit(): readonly string[] | undefined {
    const removals = [...this.#freed].map(([worker, { id }]) => ({ worker, id }));
    const needs = this.#admission.admit(removals);
    if (needs === undefined) this.block(this.#admission.block);
    return needs;
  }

  /** Creates and starts a worker, after the removals of this pass that make room for it, the given ones included. */
  create(
    slot: number,
    failures: number,
    revision: string,
    why: Why,
    removals: readonly string[] = [],
  ): void {
    const worker = this.#newWorker(slot, failures + 1, revision);
    const needs = [...new Set([...this.#claimRoom(slot), ...removals])];
    this.#created.push(worker);
    const create = `create ${worker.name}`;
    this.#add(this.urgent, slot, why, { kind: "create", worker }, create, needs);
    const start: ActionCall = { kind: "start", name: worker.name, target: undefined };
    this.#add(this.urgent, slot, why, start, `start ${worker.name}`, [create]);
  }

  /** The removals a create must wait for: its own slot's, and those that make room for it where the group is full. */
  #claimRoom(slot: number): readonly string[] {
    const { replicas, maxSurge } = this.scene.limits;
    const freed = [...this.#freed].map(([worker, { id }]) => ({ worker, id }));
    const making = freed.filter(({ worker }) => exists(worker));
    const before = this.existing() - this.#created.length + making.length;
    const own = freed.filter(({ worker }) => worker.labels.slot === slot).map(({ id }) => id);
    const room = this.#room.claim(slot, making, before, replicas + maxSurge);
    return [...new Set([...own, ...room, ...this.#removalsOfOld()])];
  }

  /** Recreate: what is still to be removed of old workers has to be gone before the first new one. */
  #removalsOfOld(): readonly string[] {
    if (this.scene.spec?.rollout.strategy !== "Recreate") return [];
    return [...this.#freed].flatMap(([worker, { id }]) => (isCurrent(worker) ? [] : [id]));
  }

  /** The first attempt whose name no container of this group holds. */
  #newWorker(slot: number, firstAttempt: number, revision: string): NewWorker {
    const there = this.scene.workers.filter((worker) => !this.#freed.has(worker));
    const held = new Set(there.map((worker) => worker.facts.name));
    for (let attempt = firstAttempt; ; attempt += 1) {
      const name = workerName(this.scene.identity, slot, revision, attempt);
      if (!held.has(name)) return { name, slot, attempt, revision };
    }
  }

  #push(
    lane: Action[],
    worker: Worker,
    why: Why,
    call: ActionCall,
    needs: readonly string[] = [],
  ): Action {
    const { slot, name } = worker.labels;
    // One that leaves and its successor can carry the same name in their labels: only real names are unique.
    const own = worker.phase === undefined ? name : worker.facts.name;
    return this.#add(lane, slot, why, call, `${call.kind} ${own}`, needs);
  }

  #add(
    lane: Action[],
    slot: number,
    why: Why,
    call: ActionCall,
    id: string,
    needs: readonly string[],
  ): Action {
    const action: Action = { ...call, id, group: this.scene.identity.uid, slot, ...why, needs };
    lane.push(action);
    return action;
  }
}

function target(worker: Worker): Target {
  const { id, name, run } = worker.facts;
  return { id, name, run: run.kind, startedAt: startOf(worker.facts) };
}
