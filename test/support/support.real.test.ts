// The helpers that other tests trust: what they say about the engine and the CLI must be so.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "./cli.ts";
import {
  cleanup,
  engineTime,
  eventsSince,
  execIn,
  listContainers,
  newRunId,
  RUN_LABEL,
  removeByHand,
  runContainer,
} from "./engine.ts";
import { loadVariant, TEST_IMAGE } from "./image.ts";
import { observe } from "./observer.ts";
import { waitFor } from "./wait.ts";

let run: string;
let label: string;

beforeEach(() => {
  run = newRunId();
  label = `${RUN_LABEL}=${run}`;
});
afterEach(() => cleanup(run));

const start = (name: string, environment: readonly string[] = []) =>
  runContainer(`${run}-${name}`, {
    Image: TEST_IMAGE,
    Labels: { [RUN_LABEL]: run },
    Env: environment,
  });

it("lists, observes and cleans up what carries the label, and only that", async () => {
  const other = await runContainer(`${run}-other`, { Image: TEST_IMAGE, Labels: { [run]: "1" } });
  const observer = observe(label);
  await start("a");
  await start("b", ["CRASH_AFTER=0", "EXIT_CODE=7"]);
  await waitFor("b to crash", async () => (await listContainers(label))[1]?.state === "exited");
  await waitFor("one more look", () => observer.soFar().at(-1)?.running === 1);
  const samples = await observer.stop();
  expect(samples[0]?.existing).toBe(0);
  expect(samples.at(-1)).toMatchObject({ existing: 2, running: 1 });
  await cleanup(run);
  expect(await listContainers(label)).toEqual([]);
  expect((await listContainers(run)).map(({ id }) => id)).toEqual([other]);
  await removeByHand(other);
});

it("tells what happened since a moment, and that nothing did", async () => {
  const before = await engineTime();
  const id = await start("a");
  const after = await engineTime();
  expect(await execIn(id, ["sh", "-c", "exit 3"])).toBe(3);
  expect(await eventsSince(before, label)).toEqual([`create ${run}-a`, `start ${run}-a`]);
  expect(await eventsSince(after, label)).toEqual([]);
});

it("loads variants as other images, also under the same tag", async () => {
  const [one, two] = [await loadVariant(`${run}:1`, "one"), await loadVariant(`${run}:1`, "two")];
  expect(one).toMatch(/^sha256:/);
  expect(two).not.toBe(one);
});

it("runs the CLI in an environment of the test's making", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "wgctl-support-"));
  try {
    const version = await runCli(["--version"], { cwd });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    const broken = await runCli(["validate", "-f", "-"], { cwd, input: "a: [" });
    expect(broken.code).toBe(3);
    expect(broken.stdout).toContain("a: [");
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
