// The example of docs/simulated-engine.md, run as it stands there.

import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../../scripts/lib/process.mjs";
import { cliEnvironment, ensureBuilt } from "../support/cli.ts";

const run = promisify(execFile);

/** What each `wgctl` of the example has to say, in their order. */
const SAID = [
  "wrote wgctl.yaml",
  "Converged: 2 workers in 1 group",
  "No changes. 2 workers",
  "Plan: 0 to create, 1 to replace, 0 to remove.",
  "Converged: 2 workers in 1 group",
  "example  2/2",
];

it("the example of the manual does what it says", { timeout: 60_000 }, async () => {
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), "wgctl-manual-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  symlinkSync(join(ROOT, "bin/wgctl.js"), join(folder, "wgctl"));
  const manual = await readFile(join(ROOT, "docs/simulated-engine.md"), "utf8");
  const example = /```sh\n([\s\S]+?)```/.exec(manual)?.[1] ?? "false";
  const env = { ...cliEnvironment(folder), PATH: `${folder}:${process.env["PATH"]}` };
  const { stdout } = await run("sh", ["-e", "-c", example], { cwd: folder, env });
  let rest = stdout;
  for (const words of SAID) {
    expect(rest).toContain(words);
    rest = rest.slice(rest.indexOf(words) + words.length);
  }
});
