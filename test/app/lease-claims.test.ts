// What is seen of a lease: once, and again where it cannot be read.

import { expect, it } from "vitest";
import { readLease } from "../../src/app/lease-claims.ts";
import { heldLabels } from "../../src/core/lease.ts";
import { FakeEngine } from "../support/fake-engine.ts";
import { NOW } from "../support/scene.ts";

const NEVER = new AbortController().signal;
const startedAt = new Date(NOW).toISOString();
const facts = { pid: 1, host: "h", user: "u", command: "apply", startedAt };
const labels = heldLabels("p", { token: "t", facts, scope: undefined }, NOW, NOW + 60_000);

/** An engine whose only claim has no labels in the first looks. */
function lateWith(blind: number) {
  let looks = 0;
  const engine = Object.assign(new FakeEngine([]), {
    listClaims: async () => {
      looks += 1;
      return {
        now: NOW,
        claims: [{ name: "wgctl-lease-p-1", labels: looks > blind ? labels : {} }],
      };
    },
  });
  return { engine, looks: () => looks };
}

it.each([
  ["is believed at once where it can be read", 0, 1, "held"],
  ["is looked at again where it cannot", 2, 3, "held"],
  ["cannot be read after four looks", 99, 4, "unreadable"],
])("a claim %s", async (_, blind, looks, kind) => {
  const late = lateWith(blind);
  const { lease } = await readLease(late.engine, "p", NEVER);
  expect(lease?.state.kind).toBe(kind);
  expect(late.looks()).toBe(looks);
});
