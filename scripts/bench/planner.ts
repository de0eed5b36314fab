// What the planner takes, measured in a process of its own. Prints milliseconds.
// usage: node planner.mjs first WORKERS GROUPS | again WORKERS GROUPS (the median of many) | roll WORKERS

import type { DesiredGroup } from "../../src/core/model.ts";
import { plan } from "../../src/core/plan/plan.ts";
import { specDigest } from "../../src/core/revision.ts";
import { done } from "../../test/core/plan/worlds/deeds.ts";
import { requestOf } from "../../test/core/plan/worlds/look.ts";
import type { Declared } from "../../test/core/plan/worlds/recipe.ts";
import { advance, IMAGES, nextChange, type Room } from "../../test/core/plan/worlds/room.ts";
import { exited, group, MAILER, NOW, running, worker } from "../../test/support/scene.ts";

const OLD = { template: { command: ["old"] } };

/**
 * Groups that are half converged, each with a worker that is down and some of an old revision: what so many plans take
 * one after the other.
 */
function measurePlans(workers: number, groups: number, times: number): readonly number[] {
  const size = workers / groups;
  const identities = Array.from({ length: groups }, (_, at) => ({
    ...{ uid: `uid-${at}`, namespace: "default", name: `group-${at}` },
  }));
  const slots = Array.from({ length: size }, (_, at) => at + 1);
  const facts = identities.flatMap((identity) =>
    slots.map((slot) =>
      worker(slot, {
        identity,
        id: `${identity.uid}-${slot}`,
        ...(slot % 4 === 0 && { spec: OLD }),
        // Killed from outside, which says nothing of its revision.
        run: slot === 2 ? exited(60, 137) : running(3600),
      }),
    ),
  );
  const request = {
    groups: identities.map((identity) => withDigest(group({ replicas: size }, { identity }))),
    snapshot: {
      // As they come over the wire.
      ...{
        now: NOW,
        workers: JSON.parse(JSON.stringify(facts)),
        unknown: [],
        images: { "mailer:1": "sha256:aaaa" },
      },
      ...{ signalled: [], holders: {}, missingNetworks: [], probes: {} },
    },
    ...{ memory: undefined, projectUid: undefined, prune: false, budget: 100, holds: {} },
    ...{ declared: identities.map(({ uid }) => uid), newerCommits: [], uncertain: {} },
  };
  return Array.from({ length: times }, () => timed(() => plan(request)));
}

/** As whoever reads manifests hands them over. */
function withDigest(desired: DesiredGroup): DesiredGroup {
  return desired.kind === "valid" ? { ...desired, specDigest: specDigest(desired.spec) } : desired;
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** All passes of a rolling change, one worker at a time; what happens between them is not measured. */
function measureRoll(workers: number): number {
  let took = 0;
  let room = roomWith(workers);
  const wish = withDigest(
    group({
      ...{ replicas: workers, template: { command: ["a"] }, rollout: { minReadySeconds: 0 } },
    }),
  );
  for (let pass = 0; pass < 20 * workers; pass += 1) {
    const request = { ...requestOf(room), groups: [wish] };
    const started = performance.now();
    const planned = plan(request);
    took += performance.now() - started;
    if (planned.actions.length === 0 && planned.groups.every(({ converged }) => converged)) {
      return took;
    }
    const acted = planned.actions.reduce(done, room);
    room = advance(acted, Math.max(acted.now + 1_000, nextChange(acted) ?? 0));
  }
  throw new Error("the rollout does not end");
}

function roomWith(workers: number): Room {
  const one = { kind: "count", count: 1 } as const;
  const boxes = Array.from({ length: workers }, (_, at) => ({
    facts: worker(at + 1, { spec: OLD, id: `old-${at}`, project: "project-1" }),
    ...{ nature: "plain" as const, ends: undefined, hasAnswered: false },
  }));
  const declared: Declared = {
    ...{ command: "a", image: "mailer:1", nonce: "", restart: "no", replicas: 1 },
    ...{ strategy: "RollingUpdate", maxUnavailable: one, maxSurge: one },
    ...{ minReadySeconds: 0, hold: "", onFailure: "Pause", onExit: "", onUnhealthy: "Replace" },
    ...{ drain: "", cpus: "" },
  };
  return {
    ...{ now: NOW, boxes, groups: [{ identity: MAILER, declared, fate: "stays", adopt: [] }] },
    ...{ late: [], images: IMAGES, history: [], asked: [], squatters: [], mute: undefined },
    ...{ hasNetwork: true, memory: undefined, uncertain: {}, isChecked: false, prune: false },
    ...{ budget: 100, newborn: "plain", made: 0, retryBefore: undefined },
    ...{ probes: {}, badness: undefined },
  };
}

function measure(what: string, workers: number, groups: number): number {
  switch (what) {
    case "first":
      return measurePlans(workers, groups, 1)[0] ?? 0;
    case "again": {
      const sorted = measurePlans(workers, groups, 21).toSorted((one, other) => one - other);
      return sorted[10] ?? 0;
    }
    default:
      return measureRoll(workers);
  }
}

const [what = "", workers = "", groups = "1"] = process.argv.slice(2);
process.stdout.write(`${measure(what, Number(workers), Number(groups))}\n`);
