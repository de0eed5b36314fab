// Reservations against what the engine has: which creates are admitted, and who stays because no successor would be.
// Kept for all groups of one plan together, in their order; nothing is refused while the engine's capacity is not known.

import { assess, exists } from "../assess.ts";
import type { Capacity, Snapshot } from "../observed.ts";
import {
  amountWords,
  isNothing,
  labelledReservation,
  larger,
  minus,
  NOTHING,
  plus,
  type Reservation,
  reservationOf,
  smaller,
} from "../reservations.ts";
import type { Worker } from "../worker.ts";
import { isCurrent } from "./rank.ts";
import type { Scene } from "./scene.ts";
import type { Block } from "./types.ts";

/** A removal of this pass, by the id of its action. */
type Removal = { readonly worker: Worker; readonly id: string };

/** What is held on the engine, over all groups of a plan. */
export class Room {
  readonly capacity: Capacity | undefined;
  #held: Reservation;

  constructor(capacity: Capacity | undefined, held: Reservation) {
    this.capacity = capacity;
    this.#held = held;
  }

  /** How much is missing for so much more; undefined: nothing. What is not asked for cannot be missing. */
  lack(wanted: Reservation, more: Reservation): Reservation | undefined {
    if (this.capacity === undefined) return undefined;
    const over = minus(plus(this.#held, more), this.capacity);
    const lack = {
      cpus: wanted.cpus > 0 ? over.cpus : 0,
      memory: wanted.memory > 0 ? over.memory : 0,
    };
    return isNothing(lack) ? undefined : lack;
  }

  take(more: Reservation): void {
    // Nobody looks at what is held where nothing limits it.
    if (this.capacity !== undefined) this.#held = plus(this.#held, more);
  }
}

/** The room of an engine that nobody has asked. */
export const UNLIMITED = new Room(undefined, NOTHING);

/** One group's dealings with the room of all. */
export class Admission {
  readonly #room: Room;
  readonly #wanted: Reservation;
  /** What is held for the successor of a worker that is stopped and kept, by slot. */
  readonly #vacated: Map<number, Reservation>;
  /** What removals of this pass have given back to creates of the same group, and what is left of that. */
  readonly #returned = new Set<string>();
  #credit: Reservation = NOTHING;
  #pinned: ReadonlyMap<Worker, Reservation> | undefined;
  /** What was missing when one was refused first. */
  #missing: Reservation | undefined;

  constructor(room: Room, scene: Scene) {
    this.#room = room;
    this.#wanted = wantedBy(scene);
    this.#vacated = new Map(isNothing(this.#wanted) ? [] : vacatedBy(scene));
  }

  /**
   * Admits one more worker in a slot: ids of the removals it has to wait for. Undefined: there is no room for it. What
   * removals of this pass give back counts for creates of the same group only, which wait for them.
   */
  admit(slot: number, removals: readonly Removal[]): readonly string[] | undefined {
    this.#credit = plus(this.#credit, this.#vacated.get(slot) ?? NOTHING);
    this.#vacated.delete(slot);
    if (this.#lackOfOne() !== undefined) this.#takeBack(removals);
    if (this.#isRefused(this.#lackOfOne())) return undefined;
    const lent = smaller(this.#wanted, this.#credit);
    this.#credit = minus(this.#credit, lent);
    this.#room.take(minus(this.#wanted, lent));
    return [...this.#returned];
  }

  #isRefused(lack: Reservation | undefined): boolean {
    this.#missing ??= lack;
    return lack !== undefined;
  }

  #lackOfOne(): Reservation | undefined {
    return this.#room.lack(this.#wanted, minus(this.#wanted, this.#credit));
  }

  #takeBack(removals: readonly Removal[]): void {
    for (const { worker, id } of removals) {
      if (this.#returned.has(id) || !exists(worker)) continue;
      this.#returned.add(id);
      this.#credit = plus(this.#credit, ownReservation(worker));
    }
  }

  /** Whether a worker has to stay because its successor would find no room even where it had been. */
  mustStay(worker: Worker, scene: Scene, staying: readonly Worker[]): boolean {
    if (this.#room.capacity === undefined || isNothing(this.#wanted)) return false;
    this.#pinned ??= this.#pin(scene, staying);
    return this.#isRefused(this.#pinned.get(worker));
  }

  /** What is missing for each that cannot be replaced, in the order of their slots, each after what those before need more. */
  #pin(scene: Scene, staying: readonly Worker[]): ReadonlyMap<Worker, Reservation> {
    const pinned = new Map<Worker, Reservation>();
    let more = NOTHING;
    for (const worker of staying) {
      const growth = growthOf(worker, this.#wanted, scene, staying);
      if (growth === undefined) continue;
      const lack = this.#room.lack(this.#wanted, plus(more, growth));
      if (lack === undefined) more = plus(more, growth);
      else pinned.set(worker, lack);
    }
    // All old ones have to be gone before the first new one: if not all can be replaced, none is to go.
    const [first] = pinned.values();
    if (scene.spec?.rollout.strategy !== "Recreate" || first === undefined) return pinned;
    return new Map(staying.map((worker) => [worker, first]));
  }

  /** Keeps room for the successors of workers that have been set on their way out. */
  pledge(scene: Scene, staying: readonly Worker[], gone: readonly Worker[]): void {
    for (const worker of gone) {
      this.#room.take(growthOf(worker, this.#wanted, scene, staying) ?? NOTHING);
    }
  }

  /** Why a worker is not made, or stays. */
  get block(): Block {
    const wanted = amountWords(this.#wanted);
    const missing = amountWords(this.#missing ?? NOTHING);
    const has = amountWords(this.#room.capacity ?? NOTHING);
    return {
      code: "InsufficientCapacity",
      message: `a new worker reserves ${wanted}, of which ${missing} cannot be had; the engine has ${has} in all`,
    };
  }
}

/** What a successor needs more than the worker has; undefined: none is to come, or it is there. */
function growthOf(
  worker: Worker,
  wanted: Reservation,
  { limits, uncertain, revision }: Scene,
  staying: readonly Worker[],
): Reservation | undefined {
  const { slot } = worker.labels;
  if (slot > limits.replicas) return undefined;
  const isThere =
    staying.some((each) => each !== worker && each.labels.slot === slot && isCurrent(each)) ||
    uncertain.some((each) => each.slot === slot && each.revision === revision);
  return isThere ? undefined : minus(wanted, ownReservation(worker));
}

function ownReservation({ labels }: Worker): Reservation {
  return labelledReservation(labels.template);
}

/** The room of a plan: what all workers of the snapshot hold, of whatever group, and creates without an answer. */
export function openRoom(snapshot: Snapshot, scenes: readonly Scene[]): Room {
  if (snapshot.capacity === undefined) return new Room(undefined, NOTHING);
  const planned = new Set(scenes.map(({ identity }) => identity.uid));
  const held = [
    ...scenes.flatMap(heldBy),
    ...strangers(snapshot, planned).map(ownReservation),
    ...snapshot.unknown.map(({ labels }) =>
      labelledReservation(labels["dev.wgctl.template"] ?? ""),
    ),
  ];
  return new Room(snapshot.capacity, held.reduce(plus, NOTHING));
}

function wantedBy({ spec }: Scene): Reservation {
  return spec === undefined ? NOTHING : reservationOf(spec.template);
}

function heldBy(scene: Scene): readonly Reservation[] {
  const wanted = wantedBy(scene);
  const staying = scene.workers.filter((worker) => worker.phase === undefined && exists(worker));
  return [
    ...scene.workers.filter(exists).map((worker) => {
      const own = ownReservation(worker);
      const isPledged = worker.phase !== undefined;
      const growth = isPledged ? growthOf(worker, wanted, scene, staying) : undefined;
      return growth === undefined ? own : larger(own, wanted);
    }),
    ...vacatedBy(scene).map(([, held]) => held),
    ...scene.uncertain.map(() => wanted),
  ];
}

/** What a kept worker held is its successor's, or its own again: by slot, where nothing else is. */
function vacatedBy(scene: Scene): readonly (readonly [number, Reservation])[] {
  const { limits, uncertain, workers } = scene;
  const taken = new Set([
    ...workers.filter(exists).map(({ labels }) => labels.slot),
    ...uncertain.map(({ slot }) => slot),
  ]);
  return workers.flatMap((worker) => {
    const { slot } = worker.labels;
    const isKept = worker.phase?.kind === "kept" && slot <= limits.replicas && !taken.has(slot);
    if (!isKept) return [];
    taken.add(slot);
    return [[slot, larger(ownReservation(worker), wantedBy(scene))] as const];
  });
}

/** Workers of groups that this plan leaves alone. */
function strangers(snapshot: Snapshot, planned: ReadonlySet<string>): readonly Worker[] {
  const yardstick = {
    compare: undefined,
    minReadySeconds: 0,
    onExit: undefined,
    now: snapshot.now,
  };
  return snapshot.workers.flatMap((facts) => {
    const verdict = assess(facts, yardstick, undefined);
    if (verdict.kind === "foreign" || planned.has(verdict.worker.labels.group.uid)) return [];
    return exists(verdict.worker) ? [verdict.worker] : [];
  });
}
