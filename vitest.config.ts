// Two kinds of tests: `unit` needs nothing, `engine` gets Docker engines, and each of its files has one to itself.

import { defineConfig } from "vitest/config";
import { LongFirst } from "./test/support/order.ts";

const ENGINE_TESTS = ["test/**/*.real.test.ts", "test/**/*.e2e.test.ts"];
/** That many files run at a time: they wait for most of their time, and two cores are enough for three of them. */
const ENGINES = 3;

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ENGINE_TESTS,
          env: { TZ: "UTC" },
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "engine",
          include: ENGINE_TESTS,
          globalSetup: ["test/support/global-engine.ts"],
          setupFiles: ["test/support/take-engine.ts"],
          env: { TZ: "UTC" },
          maxWorkers: ENGINES,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
