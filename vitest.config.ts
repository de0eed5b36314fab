// Two kinds of tests: `unit` needs nothing and runs in parallel, `engine` gets a Docker engine and runs one file at a time.

import { defineConfig } from "vitest/config";

const ENGINE_TESTS = ["test/**/*.real.test.ts", "test/**/*.e2e.test.ts"];

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
          env: { TZ: "UTC" },
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
