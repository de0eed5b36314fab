// How a small world ends once nothing goes wrong any more: one run brings what is declared, and the next does nothing.

import type { DesiredGroup } from "../../src/core/model.ts";
import { advance } from "../../src/engine/simulated/time.ts";
import type { World } from "../../src/engine/simulated/world.ts";
import { changesWorkers } from "./cast.ts";
import { brokenBy, existing, type Limits, type PromiseKey, putAway, serving } from "./promises.ts";
import { LEASE_MS, Writer } from "./writer.ts";

const LOOKS = 100;
/** By then nobody's lease is in force, and no create counts that was never answered. */
const PAUSE_MS = LEASE_MS + 1_000;

type Valid = DesiredGroup & { readonly kind: "valid" };

/** Lets time pass, then a run, then another; answers with what was broken meanwhile. */
export async function settle(
  world: World,
  folder: string,
  group: Valid,
  limits: Limits,
): Promise<readonly PromiseKey[]> {
  return settleTo(world, folder, group, limits, () =>
    isAsDeclared(world, group) ? [] : ["declared"],
  );
}

/** The same for a wish that fails: all that served before serves again, one is left to be inspected, and that is all. */
export async function settleFailed(
  world: World,
  folder: string,
  group: Valid,
  limits: Limits,
): Promise<readonly PromiseKey[]> {
  return settleTo(world, folder, group, limits, () =>
    hasFallenBack(world, group) ? [] : ["fallback"],
  );
}

/** Lets time pass, then a run after which nothing is `missed`, then one that changes nothing. */
async function settleTo(
  world: World,
  folder: string,
  group: Valid,
  limits: Limits,
  missed: () => readonly PromiseKey[],
): Promise<readonly PromiseKey[]> {
  const broken = new Set<PromiseKey>();
  const judge = () => {
    for (const each of brokenBy(world, limits)) broken.add(each);
  };
  advance(world, PAUSE_MS);
  judge();
  await runWhole("settling", world, folder, group, judge);
  for (const each of missed()) broken.add(each);
  const changes = await runWhole("again", world, folder, group, judge);
  if (changes > 0) broken.add("stillness");
  return [...broken];
}

function hasFallenBack(world: World, { spec }: Valid): boolean {
  const isServed = serving(world) === spec.replicas;
  const isQuiet = existing(world).length === spec.replicas;
  const failed = putAway(world).filter(({ name }) => name.includes(".failed-"));
  const isWhole = spec.rollout.onFailure !== "Rollback" || isOfOne(world);
  return isServed && isQuiet && failed.length === 1 && isWhole;
}

/** One run with nothing in its way; answers with the number of its changes. */
async function runWhole(
  name: string,
  world: World,
  folder: string,
  group: Valid,
  onStep: () => void,
): Promise<number> {
  const terms = { name, machine: "quiet", group, looks: LOOKS, leases: true };
  const writer = new Writer(world, folder, terms);
  let changes = 0;
  for (;;) {
    await writer.quiet();
    const [next] = writer.waiting;
    if (next === undefined) break;
    if (changesWorkers(next)) changes += 1;
    await next.pass(true);
    onStep();
  }
  writer.die();
  return changes;
}

/** A rollback leaves nothing of two revisions. */
function isOfOne(world: World): boolean {
  const revisions = existing(world).map(({ labels }) => labels["dev.wgctl.revision"]);
  return new Set(revisions).size <= 1 && putAway(world).length === 1;
}

/** One running worker of one revision in each slot. */
function isAsDeclared(world: World, { spec }: Valid): boolean {
  const there = existing(world);
  const slots = there.map(({ labels }) => Number(labels["dev.wgctl.slot"])).sort();
  const revisions = new Set(there.map(({ labels }) => labels["dev.wgctl.revision"]));
  return (
    putAway(world).length === 0 &&
    slots.join() === Array.from({ length: spec.replicas }, (_, index) => index + 1).join() &&
    there.every(({ state }) => state.kind === "running") &&
    revisions.size <= 1
  );
}
