import { describe, expect, it } from "vitest";
import {
  currentLease,
  describeLease,
  heldLabels,
  isInForce,
  keepsOut,
  leaseNumbers,
  leasePrefix,
  releasedLabels,
} from "../../src/core/lease.ts";
import { NOW } from "../support/scene.ts";

const FACTS = {
  ...{ pid: 7, user: "deploy", host: "build-3", command: "wgctl apply" },
  startedAt: "2026-11-29T12:00:00.000Z",
};
const PREFIX = leasePrefix("p1");
const TENANT = { token: "t1", facts: FACTS, scope: "s1" };
const HELD = heldLabels("p1", TENANT, NOW, NOW + 60_000);
const HELD_LONG = heldLabels("p1", TENANT, NOW, NOW + 300_000);
const RELEASED = releasedLabels("p1", FACTS);

const claim = (number: number | string, labels: Readonly<Record<string, string>> = HELD) => ({
  name: `${PREFIX}${number}`,
  labels,
});

describe("the claim that counts", () => {
  it("is the highest, by number and not by name", () => {
    const claims = [claim(9), claim(10, RELEASED), claim(2)];
    expect(currentLease(claims, PREFIX)).toMatchObject({
      number: 10,
      state: { kind: "released" },
    });
    expect(leaseNumbers(claims, PREFIX)).toEqual([2, 9, 10]);
  });

  it.each(["", "0", "01", "x", "1x", "-1", "1e3", "9".repeat(16)])(
    "is none that is numbered %j",
    (number) => {
      expect(currentLease([claim(number)], PREFIX)).toBeUndefined();
    },
  );

  it("is none of another project, of an unnamed one either", () => {
    for (const other of ["p2", "p1-1", undefined]) {
      const name = `${leasePrefix(other)}1`;
      expect(currentLease([{ name, labels: HELD }], PREFIX)).toBeUndefined();
    }
  });
});

describe("a lease", () => {
  it("is in force until it expires, to the second", () => {
    const lease = { number: 1, state: { ...stateOf(HELD) } };
    expect(isInForce(lease, NOW + 59_000)).toBe(true);
    expect(isInForce(lease, NOW + 60_000)).toBe(false);
  });

  it("is not in force once released", () => {
    expect(isInForce({ number: 1, state: stateOf(RELEASED) }, NOW)).toBe(false);
  });

  it.each([
    ["no labels", {}],
    ["no token", { ...HELD, "dev.wgctl.lease.token": "" }],
    ["no time", { ...HELD, "dev.wgctl.lease.expires": "soon" }],
    ["no holder", { ...HELD, "dev.wgctl.lease.holder": "{" }],
  ])("with %s counts as held, because it may be", (_, labels) => {
    const lease = { number: 3, state: stateOf(labels) };
    expect(lease.state.kind).toBe("unreadable");
    expect(isInForce(lease, NOW + 1e12)).toBe(true);
  });

  it.each([
    ["s1", "s1", false],
    ["s1", "s2", true],
    ["s1", undefined, true],
    [undefined, "s1", true],
    [undefined, undefined, true],
  ])("taken under lock %s keeps out a run under lock %s: %s", (theirs, ours, expected) => {
    const labels = heldLabels("p1", { ...TENANT, scope: theirs }, NOW, NOW + 60_000);
    const lease = { number: 1, state: stateOf(labels) };
    expect(keepsOut(lease, { ...TENANT, token: "t2", scope: ours }, NOW)).toBe(expected);
  });

  it("that nobody can read keeps out whoever holds whatever lock", () => {
    expect(keepsOut({ number: 1, state: stateOf({}) }, TENANT, NOW)).toBe(true);
  });

  describe("whose labels were lost", () => {
    const lost = { name: `${PREFIX}4`, labels: {}, createdAt: NOW };
    const inForce = (claims: Parameters<typeof currentLease>[0], after: number) => {
      const lease = currentLease(claims, PREFIX);
      return lease !== undefined && isInForce(lease, NOW + after);
    };

    it.each([
      ["counts as held", [lost], 59_999, true],
      ["for a minute from when it was made", [lost], 60_000, false],
      ["and while the one before it lasts", [claim(3, HELD_LONG), lost], 299_999, true],
      ["no longer than that", [claim(3, HELD_LONG), lost], 300_000, false],
      ["whatever was released before", [claim(3, RELEASED), lost], 59_999, true],
    ] as const)("%s", (_, claims, after, expected) => {
      expect(inForce(claims, after)).toBe(expected);
    });

    it("is numbered as it stands, so that the next is a new one", () => {
      expect(currentLease([claim(3, HELD_LONG), lost], PREFIX)?.number).toBe(4);
    });
  });

  it("is described with who has it, since when and until when", () => {
    expect(describeLease({ number: 1, state: stateOf(HELD) })).toBe(
      "pid 7 (deploy@build-3, since 2026-11-29T12:00:00.000Z): wgctl apply; taken 2027-01-15T08:00:00.000Z, expires 2027-01-15T08:01:00.000Z",
    );
    expect(describeLease({ number: 1, state: stateOf(RELEASED) })).toMatch(/^nobody, released by/);
    expect(describeLease({ number: 4, state: stateOf({}) })).toContain("claim 4 cannot be read");
  });

  it("cannot steer a terminal with its holder's words", () => {
    const facts = { ...FACTS, command: "wgctl\u001b[31m\n" };
    const labels = heldLabels("p1", { ...TENANT, facts }, NOW, NOW);
    expect(describeLease({ number: 1, state: stateOf(labels) })).toContain("wgctl?[31m?");
  });
});

function stateOf(labels: Readonly<Record<string, string>>) {
  const lease = currentLease([claim(1, labels)], PREFIX);
  if (lease === undefined) throw new Error("there is no lease");
  return lease.state;
}
