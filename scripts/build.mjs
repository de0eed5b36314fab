// npm run build: bundles the CLI into dist/ and makes its code cache by running the common commands once.

import { join } from "node:path";
import { buildBundle } from "./lib/bundle.mjs";
import { ROOT } from "./lib/process.mjs";
import { warmUp } from "./lib/warm-up.mjs";

const started = performance.now();
const { id, bundleBytes, cacheBytes } = await buildBundle({
  entry: join(ROOT, "src/cli/main.ts"),
  folder: join(ROOT, "dist"),
  warmUp,
});
const seconds = ((performance.now() - started) / 1000).toFixed(1);
const size = (/** @type {number} */ bytes) => `${Math.round(bytes / 1024)} KB`;
process.stdout.write(
  `dist/wgctl.cjs ${id}: ${size(bundleBytes)}, code cache ${size(cacheBytes)}, ${seconds} s\n`,
);
