// Two kinds of tests: `unit` needs nothing, `engine` gets Docker engines. A file of either has its engine to itself, so
// as many engine tests run at a time as there are private engines.

import { defineConfig } from "vitest/config";

const ENGINE_TESTS = ["test/**/*.real.test.ts", "test/**/*.e2e.test.ts"];
/** Those tests wait for most of their time, and two cores are enough for three of them. */
const ENGINES = 3;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ENGINE_TESTS,
          env: { TZ: "UTC" },
          testTimeout: 20_000,
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
