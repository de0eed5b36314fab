// Which limits can be set while a worker runs, and which only a new container can have.

import { expect, test } from "vitest";
import { compareLimits } from "../../src/core/live-limits.ts";
import type { ResourceLimits } from "../../src/core/observed.ts";
import type { Template } from "../../src/core/template.ts";

test.each<[string, ResourceLimits, Partial<Template>, ResourceLimits | undefined, string[]]>([
  ["none and none", {}, {}, undefined, []],
  ["as declared", { cpus: 0.5, memory: 64 }, { cpus: 0.5, mem_limit: 64 }, undefined, []],
  ["cpus set", {}, { cpus: 0.5 }, { cpus: 0.5 }, []],
  ["cpus raised", { cpus: 0.5 }, { cpus: 2 }, { cpus: 2 }, []],
  ["cpus lowered", { cpus: 2 }, { cpus: 0.1 }, { cpus: 0.1 }, []],
  ["cpus taken off", { cpus: 2 }, {}, undefined, ["cpus"]],
  [
    "cpus that differ by less than the engine counts",
    { cpus: 0.3 },
    { cpus: 0.1 + 0.2 },
    undefined,
    [],
  ],
  ["memory set", {}, { mem_limit: 64 }, { memory: 64 }, []],
  ["memory raised", { memory: 32 }, { mem_limit: 64 }, { memory: 64 }, []],
  [
    "memory lowered, which may be in use",
    { memory: 64 },
    { mem_limit: 32 },
    undefined,
    ["mem_limit"],
  ],
  ["memory taken off", { memory: 64 }, {}, undefined, ["mem_limit"]],
  [
    "memory raised with its swap",
    { memory: 32 },
    { mem_limit: 64, memswap_limit: 96 },
    { memory: 64, swap: 96 },
    [],
  ],
  [
    "memory raised, swap lowered, which may be in use",
    { memory: 32, swap: 99 },
    { mem_limit: 64, memswap_limit: 96 },
    { memory: 64, swap: 99 },
    ["memswap_limit"],
  ],
  [
    "memory raised where swap has no limit",
    { memory: 32, swap: -1 },
    { mem_limit: 64, memswap_limit: 96 },
    { memory: 64, swap: 96 },
    [],
  ],
  [
    "swap as declared",
    { memory: 64, swap: 96 },
    { mem_limit: 64, memswap_limit: 96 },
    undefined,
    [],
  ],
  [
    "swap as declared, which is what there would be anyhow",
    { memory: 64 },
    { mem_limit: 64, memswap_limit: 128 },
    undefined,
    [],
  ],
  [
    "swap raised",
    { memory: 64, swap: 96 },
    { mem_limit: 64, memswap_limit: 100 },
    { swap: 100 },
    [],
  ],
  [
    "swap raised above what there would be anyhow",
    { memory: 64 },
    { mem_limit: 64, memswap_limit: 200 },
    { swap: 200 },
    [],
  ],
  ["swap without limit", { memory: 64 }, { mem_limit: 64, memswap_limit: -1 }, { swap: -1 }, []],
  [
    "swap lowered",
    { memory: 64 },
    { mem_limit: 64, memswap_limit: 96 },
    undefined,
    ["memswap_limit"],
  ],
  [
    "swap on an engine that cannot limit it",
    { memory: 64, swap: -1 },
    { mem_limit: 64, memswap_limit: 96 },
    undefined,
    [],
  ],
  ["swap that nobody declared", { memory: 64, swap: 96 }, { mem_limit: 64 }, undefined, []],
  ["pids set", {}, { pids_limit: 9 }, { pids: 9 }, []],
  ["pids changed", { pids: 9 }, { pids_limit: 5 }, { pids: 5 }, []],
  ["pids that the engine limits by itself", { pids: 2048 }, {}, undefined, []],
  ["pids declared without a limit", { pids: 2048 }, { pids_limit: -1 }, undefined, []],
  ["several at once", { memory: 1 }, { cpus: 1, mem_limit: 2 }, { cpus: 1, memory: 2 }, []],
])("%s", (_, live, declared, toSet, tooMuch) => {
  expect(compareLimits(live, { image: "a:1", ...declared })).toEqual({ toSet, tooMuch });
});
