// One row a decision: desired and observed in, plan text out.

import { describe, expect, it } from "vitest";
import type { DesiredGroup } from "../../../src/core/model.ts";
import type { Snapshot, WorkerFacts } from "../../../src/core/observed.ts";
import type { PlanRequest } from "../../../src/core/plan/plan.ts";
import type { GroupStatus, WorkerRecord } from "../../../src/core/status-types.ts";
import { toIso } from "../../../src/core/time.ts";
import { buildGroupStatus, buildStatus } from "../../support/build.ts";
import { actionLines, blockCodes, NOW, planFor, snapshot } from "../../support/scene.ts";

export type Row = {
  readonly name: string;
  readonly desired: DesiredGroup;
  readonly seen: Snapshot;
  /** Kind, name, reason and paths of each action, revisions as `desired` and `old`. */
  readonly actions: readonly string[];
  readonly blocks?: readonly string[];
  readonly converged?: boolean;
  readonly waitingFor?: readonly string[];
  /** Seconds until something becomes due; null: nothing does. */
  readonly dueIn?: number | null;
  readonly request?: Partial<PlanRequest>;
};

/** Makes a test of each row. */
export function checkRows(step: string, rows: readonly Row[]): void {
  describe(step, () => {
    it.each(rows.map((row) => [row.name, row] as const))("%s", (_, row) => {
      const planned = planFor([row.desired], row.seen, row.request);
      const [group] = planned.groups;
      expect(actionLines(planned)).toEqual(row.actions);
      expect(blockCodes(planned)).toEqual(row.blocks ?? []);
      if (row.converged !== undefined) expect(group?.converged).toBe(row.converged);
      if (row.waitingFor !== undefined) expect(group?.waitingFor).toEqual(row.waitingFor);
      if (row.dueIn !== undefined) {
        const due = group?.dueAt;
        expect(due === undefined ? null : (due - NOW) / 1000).toBe(row.dueIn);
      }
    });
  });
}

/** Made from an earlier template. */
export const OLD = { spec: { template: { command: ["old"] } } };

export const one = (count: number) => ({ kind: "count", count }) as const;

/** Neither may be missing, and one may be too many. */
export const SURGE = { maxSurge: one(1), maxUnavailable: one(0) };

/** A worker asked to stop: its lines in the plan. */
export function stops(name: string, reason: string): readonly string[] {
  return [`rename ${name}: ${reason}`, `signal ${name}: ${reason}`];
}

/** A worker asked to stop that is kept for return: its lines in the plan. */
export function keeps(name: string, reason: string): readonly string[] {
  return [`keep ${name}: ${reason}`, `signal ${name}: ${reason}`];
}

/** A worker made: its lines in the plan. */
export function makes(name: string, reason: string): readonly string[] {
  return [`create ${name}: ${reason}`, `start ${name}: ${reason}`];
}

/** The revision that a group's workers have. */
export function revisionFor(desired: DesiredGroup): string {
  const [planned] = planFor([desired], snapshot([])).groups;
  if (planned?.revision === undefined) throw new Error("the group has no revision");
  return planned.revision;
}

/** What an earlier run has written about the group. */
export function remembering(changes: Partial<GroupStatus>): Partial<PlanRequest> {
  return { memory: buildStatus({ groups: [buildGroupStatus(changes)] }) };
}

/** What the status file says of a worker. */
export function recordOf(
  { id, name, labels, run }: WorkerFacts,
  changes: Partial<WorkerRecord> = {},
): WorkerRecord {
  return {
    ...{ id, name, slot: Number(labels["dev.wgctl.slot"]), attempt: 1, updated: true },
    ...{ revision: labels["dev.wgctl.revision"] ?? "", state: "Available", exitCode: null },
    startedAt: "startedAt" in run ? toIso(run.startedAt) : null,
    ...{
      readySince: null,
      wasAvailable: false,
      isProven: false,
      signalled: false,
      isDrained: false,
    },
    ...changes,
  };
}
