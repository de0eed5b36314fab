// Follows what becomes of bad revisions while a world comes to rest: blocked where there is something to fall back on.

import type { GroupPlan, Plan } from "../../../../src/core/plan/types.ts";
import { BAD } from "./recipe.ts";
import { type Box, isBad, type Room } from "./room.ts";
import type { Watch } from "./watch.ts";

export class BadRevisions {
  /** UIDs of groups whose bad revision has old workers to fall back on, and has never been complete. */
  readonly #risky: Set<string>;

  constructor(room: Room, plan: Plan) {
    const groups = plan.groups.filter((group) => isBadGroup(group, room));
    this.#risky = new Set(groups.filter((each) => hasOld(each, room)).map(uidOf));
  }

  /** A bad one that was available for a moment, as one may be without minReadySeconds, has not failed, nor where an end is one. */
  see({ groups }: Plan): void {
    const worked = groups.filter(({ workers }) => workers.some(hasWorked));
    for (const group of worked) this.#risky.delete(uidOf(group));
  }

  /** The world is at rest. */
  rest(_room: Room, { groups }: Plan, watch: Watch): void {
    for (const group of groups.filter((each) => this.#risky.has(uidOf(each)))) {
      watch.hold("bad", group.isBlocked || isHeld(group), () => group.identity.name);
    }
  }

  /**
   * Whether the world cannot come to rest because a bad revision is tried for ever, as one has to be with nothing before
   * it, or because the engine restarts for ever what a group that is held leaves alone, or has nothing better than to go back to.
   */
  isForEver(room: Room, { groups }: Plan, watch: Watch): boolean {
    const tried = groups.filter((group) => isBadGroup(group, room) && !group.isBlocked);
    const wrong = tried.filter((group) => this.#risky.has(uidOf(group)) && !isHeld(group));
    if (tried.length > 0) watch.hold("bad", wrong.length === 0, () => "tried for ever");
    const worked = new Set(groups.filter(({ blocks }) => blocks.length === 0).map(uidOf));
    return tried.length > 0 || room.boxes.some((box) => isRestarted(box, room, worked));
  }
}

function isRestarted(box: Box, room: Room, worked: ReadonlySet<string>): boolean {
  const { labels, name } = box.facts;
  const isSetAside = /[.]failed-[0-9]+$/.test(name);
  return isBad(box, room) && !isSetAside && !worked.has(labels["dev.wgctl.uid"] ?? "");
}

/** What keeps a group from even trying. */
const HELD: readonly string[] = [
  ...["InvalidSpec", "Suspended", "OwnershipConflict", "NewerVersion", "NameConflict", "Paused"],
  ...["NetworkMissing", "ImageMissing", "WorkerPaused"],
];

function hasWorked({ differences, isProven, state }: GroupPlan["workers"][number]): boolean {
  return differences.length === 0 && (isProven || state === "Completed");
}

function isHeld({ blocks }: GroupPlan): boolean {
  return blocks.some(({ code }) => HELD.includes(code));
}

function uidOf({ identity }: GroupPlan): string {
  return identity.uid;
}

function isBadGroup({ identity, leaving }: GroupPlan, { groups, badness }: Room): boolean {
  const declaration = groups.find((each) => each.identity.uid === identity.uid);
  if (declaration === undefined || leaving !== undefined || badness === undefined) return false;
  const { command, replicas } = declaration.declared;
  return command === BAD && replicas > 0;
}

/** Old workers that serve where they are wanted, and none of the bad revision that ever did. */
function hasOld({ counts, identity, revision, workers }: GroupPlan, room: Room): boolean {
  const record = room.memory?.groups.find(({ uid }) => uid === identity.uid);
  if (revision !== undefined && record?.revisions.stable === revision) return false;
  const isOld = (worker: GroupPlan["workers"][number]) => worker.differences.length > 0;
  return (
    workers.some(
      (worker) =>
        worker.state === "Available" &&
        isOld(worker) &&
        worker.labels.slot <= counts.desired &&
        !isBad(worker, room) &&
        // Somebody has asked it to stop already, and nobody has written down that it served.
        !room.boxes.some(({ facts, ends }) => facts.id === worker.facts.id && ends !== undefined),
    ) && !workers.some((worker) => worker.isProven && !isOld(worker))
  );
}
