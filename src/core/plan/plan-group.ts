// The plan of one group: the steps in their order. Start reading here.

import { exists } from "../assess.ts";
import { countMilestones } from "../counts.ts";
import type { WorkerState } from "../worker.ts";
import { adjust } from "./adjust.ts";
import type { Room } from "./admission.ts";
import { pull } from "./arrive.ts";
import { Draft } from "./draft.ts";
import { makeRoomForOld, rollBack, setFailedAside, startAgain } from "./fail.ts";
import { failedBlock } from "./failed-block.ts";
import { bringBack, fill, namesToCome } from "./fill.ts";
import { depart, finishLeaving } from "./finish.ts";
import { forecast } from "./forecast.ts";
import { dropDuplicates, heal, restartEnded } from "./heal.ts";
import { notices } from "./notices.ts";
import { isCurrent } from "./rank.ts";
import { refreshImage, registryWord } from "./refresh.ts";
import { declaredRefusal, foreignHands, hindrance, nameConflict, newerCommit } from "./refuse.ts";
import { roll } from "./roll.ts";
import { scaleDown } from "./scale-down.ts";
import type { Scene } from "./scene.ts";
import { failureRecords, isLooping, progressOf } from "./standing.ts";
import type { Action, Block, GroupPlan } from "./types.ts";
import { waitingFor, waitingForEngine } from "./waiting.ts";
import { because } from "./why.ts";

/** A group's plan with its actions in two lanes: what is dealt first, and new retirements. */
export type DraftedGroup = {
  readonly plan: GroupPlan;
  readonly urgent: readonly Action[];
  readonly retirements: readonly Action[];
};

/** `room` is what all groups of a plan share: each takes its part of it. */
export function planGroup(scene: Scene, room: Room): DraftedGroup {
  const drafted = planUnfenced(scene, room);
  const isIdle = drafted.urgent.length + drafted.retirements.length === 0;
  const fence = isIdle ? undefined : newerCommit(scene);
  return fence === undefined ? drafted : blocked(scene, fence);
}

function planUnfenced(scene: Scene, room: Room): DraftedGroup {
  const refused = foreignHands(scene);
  if (refused !== undefined) return blocked(scene, refused);
  const draft = new Draft(scene, room);
  if (scene.leaving !== undefined) {
    depart(draft, scene.leaving);
    return conclude(draft);
  }
  const unplannable = declaredRefusal(scene);
  if (unplannable !== undefined) return blocked(scene, unplannable);
  decide(draft);
  const conflict = nameConflict(draft);
  return conflict === undefined ? conclude(draft) : blocked(scene, conflict, draft.dueAt);
}

function decide(draft: Draft): void {
  const { scene } = draft;
  finishLeaving(draft);
  const hindered = hindrance(draft);
  if (hindered !== undefined) draft.block(hindered);
  if (hindered?.code === "WorkerUnknown") return;
  const isPulling = hindered === undefined && scene.revision !== undefined && refreshImage(draft);
  if (draft.outlook.isBlocked) serveBlocked(draft, hindered === undefined);
  else if (isPulling) scaleDown(draft);
  else serve(draft, hindered === undefined);
}

/** `isFree`: nothing keeps the group from starting and retiring. */
function serve(draft: Draft, isFree: boolean): void {
  const { revision } = draft.scene;
  if (isFree && revision !== undefined) heal(draft);
  scaleDown(draft);
  if (!isFree) return;
  if (revision === undefined) {
    needImage(draft);
    return;
  }
  if (!isPaused(draft)) roll(draft);
  draft.pledgeSuccessors();
  draft.namesToCome = namesToCome(draft, revision);
  restartEnded(draft);
  fill(draft, revision);
  adjust(draft);
}

/** The desired revision has failed: nothing of it is created, and what works goes on. */
function serveBlocked(draft: Draft, isFree: boolean): void {
  setFailedAside(draft);
  if (isFree) {
    makeRoomForOld(draft);
    dropDuplicates(draft);
  }
  scaleDown(draft);
  if (isFree) {
    if (draft.outlook.isRollingBack) rollBack(draft);
    startAgain(draft);
    bringBack(draft);
    adjust(draft);
  }
  draft.block(failedBlock(draft));
}

/** Without the image nothing is known of the revision, so nothing is retired for it. */
function needImage(draft: Draft): void {
  const { spec } = draft.scene;
  if (spec === undefined || spec.replicas === 0) return;
  const { image } = spec.template;
  const word = registryWord(draft);
  if (spec.pullPolicy === "never") {
    draft.block({
      code: "ImageMissing",
      message: `image ${image} is not on the engine and pull_policy is never`,
    });
  } else if (word?.kind === "failed") {
    draft.block({ code: "ImageMissing", message: word.message });
  } else {
    pull(
      draft,
      image,
      because("missing", "the engine does not have it; what follows is known after the pull"),
    );
  }
}

function isPaused(draft: Draft): boolean {
  if (!draft.scene.spec?.rollout.paused) return false;
  if (draft.staying().some((worker) => !isCurrent(worker))) {
    draft.block({
      code: "Paused",
      message: "rollout.paused is true: workers of old revisions stay",
    });
  }
  return true;
}

/** `dueAt`: what holds the group now may give way then to a revision that fails. */
function blocked(scene: Scene, block: Block, dueAt?: number): DraftedGroup {
  const draft = new Draft(scene);
  draft.block(block);
  if (dueAt !== undefined) draft.due(dueAt);
  return conclude(draft, waitingForEngine(scene));
}

function conclude(draft: Draft, waiting = waitingFor(draft.scene, draft.dueAt)): DraftedGroup {
  const { scene, urgent, retirements } = draft;
  reportPaused(draft);
  const isIdle = urgent.length + retirements.length + draft.blocks.length === 0;
  const converged = isIdle && isAsDeclared(scene);
  const failures = failureRecords(draft);
  const plan: GroupPlan = {
    identity: scene.identity,
    desired: scene.desired,
    leaving: scene.leaving,
    generation: scene.generation,
    spec: scene.specDigest,
    revision: scene.revision,
    imageId: scene.imageId,
    workers: scene.workers,
    foreign: scene.foreign,
    notices: notices(scene),
    counts: countMilestones(scene.workers, scene.limits.replicas, scene.uncertain.length),
    namesToCome: draft.namesToCome,
    uncertain: scene.uncertain,
    failures,
    isComplete: draft.outlook.isComplete,
    isBlocked: draft.blocks.some(({ code }) => code === "RevisionFailed" || code === "RolledBack"),
    refused: draft.outlook.refused,
    isLooping: isLooping(draft, failures),
    ...progressOf(draft, converged),
    blocks: draft.blocks,
    converged,
    waitingFor: waiting,
    dueAt: soonest(draft.dueAt, nextMilestone(scene)),
    forecast: forecast(draft),
  };
  return { plan, urgent, retirements };
}

/** A paused worker is never touched, and as long as it is there its slot cannot be as declared. */
function reportPaused(draft: Draft): void {
  const paused = draft.scene.workers.filter((worker) => worker.state === "Paused");
  if (paused.length === 0) return;
  const names = paused.map((worker) => worker.labels.name).join(", ");
  draft.block({ code: "WorkerPaused", message: `${names} is paused by someone and left alone` });
}

/** Every slot has one worker of the desired revision that serves or has done its work, and nothing else is there. */
function isAsDeclared(scene: Scene): boolean {
  const existing = scene.workers.filter(exists);
  if (existing.length !== scene.limits.replicas || scene.uncertain.length > 0) return false;
  if (scene.workers.some(({ state }) => state === "Removing" || PUT_AWAY.has(state))) return false;
  return existing.every(
    (worker) =>
      (worker.state === "Available" || worker.state === "Completed") &&
      isCurrent(worker) &&
      worker.phase === undefined,
  );
}

const PUT_AWAY: ReadonlySet<WorkerState> = new Set(["Kept", "Failed"]);

/** When the next worker will have been ready long enough, one that restarted before included. */
function nextMilestone({ workers, spec }: Scene): number | undefined {
  const minReady = (spec?.rollout.minReadySeconds ?? 0) * 1000;
  const times = workers.flatMap(({ state, readySince }) => {
    const isOnItsWay = state === "Ready" || state === "CrashLooping";
    return isOnItsWay && readySince !== undefined ? [readySince + minReady] : [];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

function soonest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
