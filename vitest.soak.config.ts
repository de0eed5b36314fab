// The long tests, for `npm run test:soak` only: the same things as in the short ones, for longer, one after the other.

import { defineConfig } from "vitest/config";

const HOURS = 3 * 3_600_000;

export default defineConfig({
  test: {
    include: ["test/**/*.soak.ts"],
    globalSetup: ["test/support/global-engine.ts"],
    setupFiles: ["test/support/take-engine.ts"],
    env: { TZ: "UTC" },
    fileParallelism: false,
    testTimeout: HOURS,
    hookTimeout: 120_000,
  },
});
