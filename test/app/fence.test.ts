// The fence in a pass: real checkouts, an engine in memory. Git is asked where there is something to do, and once.

import { expect, it } from "vitest";
import { Lineage } from "../../src/app/lineage.ts";
import { planPass } from "../../src/app/plan-pass.ts";
import { NOTHING_PENDING } from "../../src/core/journal.ts";
import type { DesiredGroup } from "../../src/core/model.ts";
import { Checkout } from "../support/checkout.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { blockCodes, group, worker } from "../support/scene.ts";

const NEVER = new AbortController().signal;

class Pass {
  readonly warnings: string[] = [];
  readonly #lineage: Lineage;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#lineage = new Lineage(folder, (message) => this.warnings.push(message));
  }

  /** Plans a group of so many workers where the first was made from that commit. */
  plan(commit: string, replicas: number, isFenced = true) {
    const groups: readonly DesiredGroup[] = [group({ replicas })];
    const workspace = {
      ...{ project: undefined, groups, declared: groups.map(({ identity }) => identity.uid) },
      ...{ problems: [], complete: true, narrowed: false },
      ...{ stateFolder: this.#folder, folder: this.#folder },
    };
    const request = {
      ...{
        workspace,
        memory: undefined,
        pending: NOTHING_PENDING,
        prune: false,
        allowMassDelete: false,
      },
      ...{ budget: 100, holds: {}, lineage: isFenced ? this.#lineage : undefined },
    };
    return planPass(new FakeEngine([worker(1, { commit })]), request, NEVER);
  }
}

function olderAndNewer() {
  const checkout = Checkout.make();
  const older = checkout.commit("one");
  const newer = checkout.commit("two");
  checkout.git("checkout", "-q", older);
  return { folder: checkout.folder, older, newer };
}

it("an older checkout is refused, unless it is allowed", async () => {
  const { folder, newer } = olderAndNewer();
  const pass = new Pass(folder);
  const refused = await pass.plan(newer, 2);
  expect([refused.actions, blockCodes(refused)]).toEqual([[], ["NewerCommit"]]);
  expect((await pass.plan(newer, 2, false)).actions).toHaveLength(2);
  expect(pass.warnings).toEqual([]);
});

it("its own commit and an older one pass", async () => {
  const { folder, older } = olderAndNewer();
  const pass = new Pass(folder);
  expect((await pass.plan(`${older}-dirty`, 2)).actions).toHaveLength(2);
  expect(pass.warnings).toEqual([]);
});

it("a commit that Git does not know passes with one warning for all passes", async () => {
  const { folder } = olderAndNewer();
  const pass = new Pass(folder);
  const unknown = "d".repeat(40);
  expect((await pass.plan(unknown, 2)).actions).toHaveLength(2);
  expect((await pass.plan(unknown, 2)).actions).toHaveLength(2);
  expect(pass.warnings).toEqual([expect.stringContaining(`commit ${unknown}, which Git does not`)]);
});

it("where nothing is to be done, Git is not asked", async () => {
  const { folder } = olderAndNewer();
  const pass = new Pass(folder);
  expect((await pass.plan("d".repeat(40), 1)).actions).toEqual([]);
  expect(pass.warnings).toEqual([]);
});
