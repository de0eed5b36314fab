// The fence: what an older checkout may not do to workers that a newer one made.

import { describe, expect, it } from "vitest";
import type { DesiredGroup } from "../../src/core/model.ts";
import type { Snapshot } from "../../src/core/observed.ts";
import {
  actionLines,
  blockCodes,
  group,
  MAILER,
  planFor,
  snapshot,
  worker,
} from "../support/scene.ts";

const NEWER = "b".repeat(40);
const OTHER = "c".repeat(40);
const OLD = { spec: { template: { command: ["old"] } } };
const TIMESTAMP = { deletionTimestamp: "2030-01-01T00:00:00Z" };

const made = (slot: number, commit: string, changes = {}) => worker(slot, { commit, ...changes });

type Row = {
  readonly name: string;
  readonly desired: DesiredGroup;
  readonly seen: Snapshot;
  readonly blocks: readonly string[];
};

const ROWS: readonly Row[] = [
  {
    name: "rolls no worker of a newer commit",
    desired: group({ replicas: 1 }),
    seen: snapshot([made(1, NEWER, OLD)]),
    blocks: ["NewerCommit"],
  },
  {
    name: "makes none beside it",
    desired: group({ replicas: 2 }),
    seen: snapshot([made(1, NEWER)]),
    blocks: ["NewerCommit"],
  },
  {
    name: "finishes nothing that was begun, either",
    desired: group({ replicas: 1 }),
    seen: snapshot([worker(1), made(2, NEWER, { phase: "stopping" })]),
    blocks: ["NewerCommit"],
  },
  {
    name: "R6: comes before deletion",
    desired: group({ replicas: 1 }, TIMESTAMP),
    seen: snapshot([made(1, NEWER)]),
    blocks: ["NewerCommit"],
  },
  {
    name: "lets another commit pass",
    desired: group({ replicas: 2 }),
    seen: snapshot([made(1, OTHER)]),
    blocks: [],
  },
  {
    name: "lets workers without a commit pass",
    desired: group({ replicas: 2 }),
    seen: snapshot([worker(1)]),
    blocks: [],
  },
  {
    name: "does not count what only carries copied labels",
    desired: group({ replicas: 1 }),
    seen: snapshot([made(1, NEWER, { name: "backup-of-mailer" })]),
    blocks: [],
  },
];

describe("the fence", () => {
  it.each(ROWS)("$name", ({ desired, seen, blocks }) => {
    const planned = planFor([desired], seen, { newerCommits: [NEWER] });
    expect(blockCodes(planned)).toEqual(blocks);
    expect(planned.actions.length === 0).toBe(blocks.length > 0);
  });

  it("does not hold a group in which nothing is to be done", () => {
    const seen = snapshot([made(1, NEWER)]);
    const planned = planFor([group({ replicas: 1 })], seen, { newerCommits: [NEWER] });
    expect(planned.groups[0]).toMatchObject({ converged: true, blocks: [] });
  });

  it("holds its own group and no other", () => {
    const identity = { ...MAILER, uid: "01998f6e-5c1b-7d2a-9a53-0c9f6f1f2a12", name: "other" };
    const groups = [group({ replicas: 2 }), group({ replicas: 1 }, { identity })];
    const planned = planFor(groups, snapshot([made(1, NEWER)]), { newerCommits: [NEWER] });
    expect(actionLines(planned)).toEqual([
      "create other-1-desired: missing",
      "start other-1-desired: missing",
    ]);
  });

  it("keeps prune from what a newer commit added", () => {
    const projectUid = "01998f6e-0000-7000-8000-000000000001";
    const seen = snapshot([made(1, NEWER, { project: projectUid })]);
    const owner = { projectUid, prune: true };
    expect(planFor([], seen, owner).actions).not.toEqual([]);
    const planned = planFor([], seen, { ...owner, newerCommits: [NEWER] });
    expect(planned.actions).toEqual([]);
    expect(blockCodes(planned)).toEqual(["NewerCommit"]);
  });

  it("says which worker, which commit and what to do", () => {
    const planned = planFor([group({ replicas: 2 })], snapshot([made(1, NEWER)]), {
      newerCommits: [NEWER],
    });
    expect(planned.groups[0]?.blocks[0]?.message).toMatch(
      /^mailer-1-[0-9a-f]{8} was made from commit bbbbbbbbbb, .*--allow-older$/,
    );
  });
});
