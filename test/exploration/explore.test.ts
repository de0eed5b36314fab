// Every interleaving in worlds so small that they can be gone through whole, on the code that ships: a run alone with a
// call that goes wrong or a death, and two runs on two machines. The soak goes through larger ones.

import { describe, expect, it, vi } from "vitest";
import { HALF_BAD_COMMAND } from "./promises.ts";
import { exploreAndTell } from "./report.ts";
import { adopting, alone, failing, pair, WITH_SURGE } from "./settings.ts";

// No step here is Git's, and asking it takes longer than all others together.
vi.mock("../../src/store/git.ts", () => ({
  describeCommit: async () => undefined,
  relateCommits: async () => ({}),
}));

const FAULT = { faults: 1 } as const;
const DEATH = { deaths: 1 } as const;
const ROLLBACK = { onFailure: "Rollback" } as const;
const ROLLBACK_SURGE = { ...WITH_SURGE, ...ROLLBACK };
const HALF = HALF_BAD_COMMAND;
const SAME = ["post", "post"] as const;
const OTHER = ["post", "mail"] as const;

const SETTINGS = [
  alone("one run replaces a worker, and a call goes wrong", 1, 1, "plain", FAULT),
  alone("one run replaces a worker, and dies", 1, 1, "plain", DEATH),
  alone("one run replaces a worker with surge, and a call goes wrong", 1, 1, "surge", FAULT),
  alone("one run makes two workers, and a call goes wrong", 0, 2, "plain", FAULT),
  alone("one run makes three workers, and dies", 0, 3, "plain", DEATH),
  {
    ...pair("two runs make a worker, and a call goes wrong", 0, SAME, 1, "plain", {
      ...{ ...FAULT, sparesLease: true, looks: [4, 2] },
    }),
    most: 1_200,
  },
  adopting("one run adopts a container, and a call goes wrong", 1, "plain", FAULT),
  adopting("one run adopts a container with surge, and dies", 1, "surge", DEATH),
  failing("a revision fails, and a call goes wrong", 2, {}, FAULT),
  failing(
    "a revision fails, and its run dies without its files",
    2,
    {},
    {
      ...{ ...DEATH, forgets: true },
    },
  ),
  failing("a revision fails with surge, and its run dies", 2, WITH_SURGE, DEATH),
  failing("a revision fails in its second worker, and a call goes wrong", 2, {}, FAULT, HALF),
  failing("it is rolled back, and a call goes wrong", 2, ROLLBACK, FAULT, HALF),
  failing("it is rolled back with surge, and its run dies", 2, ROLLBACK_SURGE, DEATH, HALF),
  pair("two runs make two workers", 0, SAME, 2, "plain"),
  pair("two runs want different revisions", 1, OTHER, 1, "plain"),
  pair("two runs make a worker without the lease", 0, SAME, 1, "plain", {
    ...{ leases: false, breaks: ["exclusion"] },
  }),
];

describe("every interleaving", () => {
  it.each(SETTINGS.map((explored) => [explored.setting.name, explored] as const))(
    "%s",
    async (_, explored) => {
      expect(await exploreAndTell(explored)).toEqual([]);
    },
    120_000,
  );
});
