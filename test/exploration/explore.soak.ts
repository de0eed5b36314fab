// The exploration of worlds with up to three slots, for the soak. Where there is no end of them the nearest are seen.

import { describe, expect, it, vi } from "vitest";
import { exploreAndTell } from "./report.ts";
import { adopting, alone, pair } from "./settings.ts";

vi.mock("../../src/store/git.ts", () => ({
  describeCommit: async () => undefined,
  relateCommits: async () => ({}),
}));

const MOST = Number(process.env["WGCTL_SOAK_STATES"] ?? 10_000);
const HOURS = 3 * 3_600_000;
const BOTH = { faults: 1, deaths: 1 } as const;
const SAME = ["post", "post"] as const;
const OTHER = ["post", "mail"] as const;
const UNGUARDED = { leases: false, breaks: ["exclusion", "existence", "slots"] } as const;

const SETTINGS = [
  alone("one run replaces two workers; a fault and a death", 2, 2, "plain", BOTH),
  alone("one run replaces two workers with surge; a fault and a death", 2, 2, "surge", BOTH),
  alone("one run replaces three workers; a fault and a death", 3, 3, "plain", BOTH),
  alone("one run makes three workers; a fault and a death", 0, 3, "plain", BOTH),
  alone("one run takes two of three away; a fault and a death", 3, 1, "plain", BOTH),
  adopting("one run adopts two containers; a fault and a death", 2, "plain", BOTH),
  pair("two runs replace two workers; a fault", 2, SAME, 2, "plain", { faults: 1 }),
  pair("two runs replace two workers with surge; a death", 2, SAME, 2, "surge", { deaths: 1 }),
  pair("two runs make a worker; a fault", 0, SAME, 1, "plain", { faults: 1, looks: [4, 2] }),
  pair("two runs want different revisions of two", 2, OTHER, 2, "plain"),
  pair("two runs want different revisions of one; a fault", 1, OTHER, 1, "plain", { faults: 1 }),
  pair("two runs want different revisions of one; a death", 1, OTHER, 1, "plain", { deaths: 1 }),
  pair("two runs want different revisions; one sleeps", 1, OTHER, 1, "plain", { sleeps: 1 }),
  pair("two runs want different revisions, no lease", 1, OTHER, 1, "plain", UNGUARDED),
];

describe(`every interleaving of up to ${MOST} states`, () => {
  it.each(SETTINGS.map((explored) => [explored.setting.name, explored] as const))(
    "%s",
    async (_, explored) => {
      expect(await exploreAndTell({ ...explored, most: MOST })).toEqual([]);
    },
    HOURS,
  );
});
