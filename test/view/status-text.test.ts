import { expect, test } from "vitest";
import type { StatusDocument, WorkerRecord } from "../../src/core/status-types.ts";
import { renderStatus, type StatusLook } from "../../src/view/status-text.ts";
import { createPaint } from "../../src/view/style.ts";
import {
  buildCondition,
  buildCounts,
  buildGroupStatus,
  buildStatus,
  NOW,
} from "../support/build.ts";

const plain: StatusLook = { paint: createPaint(false), wide: false, width: undefined, now: NOW };

function record(changes: Partial<WorkerRecord>): WorkerRecord {
  return {
    id: "c".repeat(64),
    name: "mailer-1-1f2e3d4c",
    slot: 1,
    attempt: 1,
    revision: "1f2e3d4c5b6a7988",
    updated: true,
    state: "Available",
    startedAt: "2026-11-29T11:58:55.000Z",
    readySince: "2026-11-29T11:58:55.000Z",
    wasAvailable: true,
    isProven: true,
    signalled: false,
    isDrained: false,
    exitCode: null,
    ...changes,
  };
}

const threeGroups: StatusDocument = buildStatus({
  groups: [
    buildGroupStatus(),
    buildGroupStatus({
      name: "runner",
      namespace: "ci",
      revisions: { desired: null, stable: null, blocked: null },
      counts: buildCounts({ desired: 5, ready: 4, available: 3, updated: 1 }),
      conditions: [
        buildCondition({
          status: "False",
          reason: "Progressing",
          message: "workers are being brought to the declared state",
        }),
      ],
    }),
    buildGroupStatus({
      name: "crawler",
      counts: buildCounts({ desired: 2, ready: 0, available: 0, updated: 0 }),
      conditions: [
        buildCondition({
          status: "Unknown",
          reason: "EngineUnreachable",
          message: "the engine does not answer",
        }),
      ],
    }),
  ],
});

test("one line a group, and what is unknown is not zero", () => {
  expect(renderStatus(threeGroups, plain)).toBe(
    `GROUP      READY  AVAILABLE  UPDATED  REVISION  STATE        MESSAGE
mailer     3/3    3/3        3/3      1f2e3d4c  Converged    3 of 3 workers are available
ci/runner  4/5    3/5        1/5      -         Progressing  workers are being brought to the declared state
crawler    ?/2    ?/2        ?/2      1f2e3d4c  Unknown      the engine does not answer
`,
  );
});

test("a terminal's width cuts the messages and nothing else", () => {
  const lines = renderStatus(threeGroups, { ...plain, width: 80 }).split("\n");
  expect(lines[2]).toBe(
    "ci/runner  4/5    3/5        1/5      -         Progressing  workers are bein...",
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("a group that nobody judged is unknown", () => {
  const status = buildStatus({ groups: [buildGroupStatus({ conditions: [] })] });
  expect(renderStatus(status, plain)).toContain(
    "mailer  ?/3    ?/3        ?/3      1f2e3d4c  Unknown\n",
  );
});

test("no groups", () => {
  expect(renderStatus(buildStatus({ groups: [] }), plain)).toBe("No group is declared.\n");
});

test("the wide form adds workers and conditions", () => {
  const status = buildStatus({
    groups: [
      buildGroupStatus({
        generation: 4,
        observedGeneration: 4,
        lastConvergedGeneration: null,
        commit: "c0ffee-dirty",
        workers: [
          record({}),
          record({ name: "mailer-2-9a8b7c6d", slot: 2, updated: false, state: "Stopping" }),
          record({ name: "mailer-3-1f2e3d4c", slot: 3, state: "Exited", exitCode: 137 }),
          record({ name: "mailer-4-1f2e3d4c", slot: 4, state: "Created", startedAt: null }),
        ],
        conditions: [
          buildCondition({ observedGeneration: 4 }),
          buildCondition({
            type: "Stalled",
            status: "Unknown",
            reason: "EngineUnreachable",
            message: "",
          }),
        ],
      }),
    ],
  });
  expect(renderStatus(status, { ...plain, wide: true, width: 40 })).toBe(
    `GROUP   READY  AVAILABLE  UPDATED  REVISION  STATE      MESSAGE
mailer  3/3    3/3        3/3      1f2e3d4c  Converged  3 of 3 workers are available

mailer  generation 4, observed 4, last converged never, commit c0ffee-dirty
  WORKER             SLOT  STATE                   AGE
  mailer-1-1f2e3d4c  1     Available               1m05s
  mailer-2-9a8b7c6d  2     Stopping, old revision  1m05s
  mailer-3-1f2e3d4c  3     Exited (137)            1m05s
  mailer-4-1f2e3d4c  4     Created                 -
  CONDITION  STATUS   GENERATION  REASON             MESSAGE
  Ready      True     4           Converged          3 of 3 workers are available
  Stalled    Unknown  1           EngineUnreachable
`,
  );
});

test("without the engine's clock there are times and no ages", () => {
  const status = buildStatus({ groups: [buildGroupStatus({ workers: [record({})] })] });
  const text = renderStatus(status, { ...plain, wide: true, now: undefined });
  expect(text).toContain("  WORKER             SLOT  STATE      STARTED\n");
  expect(text).toContain("  mailer-1-1f2e3d4c  1     Available  2026-11-29T11:58:55.000Z\n");
});
