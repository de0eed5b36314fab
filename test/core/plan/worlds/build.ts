// Makes the room of a recipe. What it costs to hash is made once for each kind of worker.

import { encodeLabels, TEMPLATE_VERSION } from "../../../../src/core/labels.ts";
import type { GroupIdentity } from "../../../../src/core/model.ts";
import { phaseName, workerName } from "../../../../src/core/names.ts";
import type { RunFacts, WorkerFacts } from "../../../../src/core/observed.ts";
import { revisionOf, templateLabel } from "../../../../src/core/revision.ts";
import { ago, MAILER, NOW, worker } from "../../../support/scene.ts";
import type { Declared, GroupRecipe, Recipe, There } from "./recipe.ts";
import {
  ADOPTED,
  type Box,
  drainOf,
  endedAt,
  healthyAt,
  IDENTITIES,
  IMAGES,
  OTHER,
  PROJECT,
  process,
  type Room,
  STOP_MS,
  saidTo,
  sortOf,
  templateOf,
  unhealthyAt,
} from "./room.ts";

/** The room in which a recipe begins. */
export function buildRoom(recipe: Recipe): Room {
  const boxes = recipe.groups.map((group, index) => boxesOf(group, index, recipe));
  const groups = recipe.groups.map(({ declared, fate }, index) => ({
    identity: index === 0 ? IDENTITIES[0] : IDENTITIES[1],
    declared,
    fate,
    adopt: (boxes[index] ?? []).flatMap(({ box: { facts } }) =>
      sortOf(facts) === ADOPTED ? [facts.id] : [],
    ),
  }));
  const made = boxes.flat();
  const asked = made.flatMap(({ box, isSignalled }) => (isSignalled ? [saidTo(box.facts)] : []));
  const strangers = STRANGERS.filter(({ id }) => recipe.strangers.some((each) => each === id));
  const names = new Set(made.map(({ box }) => box.facts.name));
  return {
    now: NOW + 400,
    groups,
    boxes: [...made.map(({ box }) => box), ...strangers.map((facts) => plainBox(facts))],
    late: [],
    images: IMAGES,
    history: asked,
    asked,
    squatters: squatters(recipe).filter((name) => !names.has(name)),
    mute: recipe.isMute ? made[0]?.box.facts.id : undefined,
    hasNetwork: false,
    memory: undefined,
    uncertain: {},
    isChecked: recipe.isChecked,
    prune: recipe.prune,
    budget: recipe.budget,
    retryBefore: undefined,
    probes: {},
    badness: recipe.badness,
    newborn: "plain",
    made: 0,
  };
}

/** Ids of what carries our labels and is not ours. */
export const STRANGER_IDS: ReadonlySet<string> = new Set(["other", "copied", "half"]);

const STRANGERS: readonly WorkerFacts[] = [
  worker(1, { id: "other", identity: { ...MAILER, uid: "somebody-else" } }),
  worker(2, { id: "copied", name: "not-its-own-name" }),
  { ...worker(3, { id: "half" }), name: "half", labels: { "dev.wgctl.uid": MAILER.uid } },
];

function plainBox(facts: WorkerFacts): Box {
  return { facts, nature: "plain", ends: undefined, hasAnswered: false };
}

function squatters({ squat, groups: [{ declared }] }: Recipe): readonly string[] {
  const imageId = IMAGES[declared.image];
  if (squat === undefined || imageId === null) return [];
  const revision = revisionFor(MAILER, declared, imageId);
  return [workerName(MAILER, squat, revision, 1)];
}

function revisionFor(identity: GroupIdentity, declared: Declared, imageId: string): string {
  return revisionOf(identity, { template: templateOf(declared), nonce: declared.nonce, imageId });
}

type Made = { readonly box: Box; readonly isSignalled: boolean };

/** Containers of one group, each with an id and a name of its own. */
function boxesOf(group: GroupRecipe, index: number, recipe: Recipe): readonly Made[] {
  const identity = index === 0 ? MAILER : OTHER;
  const all = placed(group).map((each) => {
    const facts = factsOf(each, group.declared, identity, recipe);
    const { nature, signalled } = each;
    const ends = signalled && nature !== "stubborn" ? NOW + STOP_MS : undefined;
    return { box: { facts, nature, ends, hasAnswered: false }, isSignalled: signalled };
  });
  const byName = [...new Map(all.map((each) => [each.box.facts.name, each])).values()];
  return byName.map(({ box, isSignalled }, number) => ({
    box: { ...box, facts: { ...box.facts, id: `${identity.name}-w${number}` } },
    isSignalled,
  }));
}

/** What is adopted has slots in its order; what no manifest declares any more adopts nothing. */
function placed({ fate, there }: GroupRecipe): readonly There[] {
  const isMeant = (each: There) => each.isAdopted && fate !== "orphan";
  return there.map((each, index) =>
    isMeant(each)
      ? { ...each, ...FOREIGN, slot: there.slice(0, index + 1).filter(isMeant).length }
      : { ...each, isAdopted: false },
  );
}

const FOREIGN = { attempt: 1, project: "none", newer: false, differs: "" } as const;

function factsOf(
  there: There,
  declared: Declared,
  identity: GroupIdentity,
  room: Pick<Room, "isChecked">,
): WorkerFacts {
  const made = madeFrom(there, declared);
  const imageId = made.image === "mailer:2" ? IMAGES["mailer:2"] : IMAGES["mailer:1"];
  const revision = revisionFor(identity, made, imageId);
  const name = there.isAdopted
    ? `${identity.name}-shop-${there.slot}`
    : workerName(identity, there.slot, revision, there.attempt);
  return {
    id: "",
    name: there.phase === "" ? name : phaseName(name, there.phase, ago(there.phaseAge)),
    labels: labelsOf(there, made, identity, revision, name),
    imageId,
    createdAt: ago(3600),
    run: runOf(there, room),
    restartCount: there.run === "restarted" ? 3 : 0,
    restartPolicy: there.disarmed || there.phase !== "" ? "no" : made.restart,
    limits: limitsOf(made, there.isAdrift),
    networks: [],
  };
}

/** Adrift it has half a CPU; that is more than a worker should have of which no limit is declared. */
function limitsOf({ cpus }: Declared, isAdrift: boolean): WorkerFacts["limits"] {
  if (isAdrift) return { cpus: 0.5 };
  return cpus === "" ? {} : { cpus: Number(cpus) };
}

/** The manifest a container was made from. */
function madeFrom({ differs }: There, declared: Declared): Declared {
  switch (differs) {
    case "":
      return declared;
    case "command":
      return { ...declared, command: declared.command === "a" ? "b" : "a", cpus: "" };
    case "image":
      return { ...declared, image: declared.image === "mailer:2" ? "mailer:1" : "mailer:2" };
    case "nonce":
      return { ...declared, nonce: declared.nonce === "" ? "2" : "" };
    case "restart":
      return { ...declared, restart: declared.restart === "no" ? "always" : "no" };
  }
}

function labelsOf(
  { isAdopted, slot, attempt, project, newer }: There,
  made: Declared,
  group: GroupIdentity,
  revision: string,
  name: string,
): WorkerFacts["labels"] {
  return encodeLabels({
    project: { own: PROJECT, none: undefined, other: "project-2" }[project],
    ...{ group, slot, attempt, revision, name, commit: undefined, generation: 1, spec: "older" },
    taskId: "task",
    template: templateLabel(templateOf(made)),
    templateVersion: newer ? TEMPLATE_VERSION + 1 : TEMPLATE_VERSION,
    nonce: isAdopted ? ADOPTED : made.nonce,
    drain: JSON.stringify(drainOf(made) ?? {}),
    reason: "missing",
  });
}

function runOf({ run }: There, room: Pick<Room, "isChecked">): RunFacts {
  switch (run) {
    case "long":
    case "restarted":
      return room.isChecked ? healthyAt(ago(3600), ago(3590)) : process(room, ago(3600));
    case "young":
      return process(room, ago(1));
    case "healthy":
      return healthyAt(ago(60), ago(50));
    case "starting":
      return process({ isChecked: true }, ago(1));
    case "late":
      return process({ isChecked: true }, ago(3600));
    case "unhealthy":
      return unhealthyAt(ago(60), ago(50));
    case "created":
      return { kind: "created" };
    case "refused":
      return { kind: "created", error: "port is taken", exitCode: 128 };
    case "unfit":
      return { kind: "created", error: "no such command", exitCode: 127 };
    case "restarting":
      return { kind: "restarting", startedAt: ago(3), exitCode: 1 };
    case "exited":
      return endedAt(ago(6), ago(5), 1);
    case "killed":
      return endedAt(ago(60), ago(5), 137);
    case "ended":
      return endedAt(ago(600), ago(500), 0);
    case "forgiven":
      return endedAt(ago(3600), ago(5), 1);
    case "paused":
      return { kind: "paused", startedAt: ago(60) };
    case "removing":
    case "dead":
      return { kind: run };
  }
}
