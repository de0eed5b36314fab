// Field case 8: the engine is down, hangs, or answers with an error. Nothing is known then, and nothing is done.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  findPrivateEngine,
  pausePrivateEngine,
  resumePrivateEngine,
} from "../../scripts/lib/private-engine.mjs";
import type { StatusDocument } from "../../src/core/status-types.ts";
import type { CliOptions } from "../support/cli.ts";
import { engineTime, testHost } from "../support/engine.ts";
import { containerEvents } from "./events.ts";
import { type FalseAnswer, isListing, standBetween } from "./middleman.ts";
import { openStage, Stage } from "./stage.ts";

const PRIVATE = "wgctl-engine-";
const isPrivate = () => basename(dirname(process.env["WGCTL_TEST_HOST"] ?? "")).startsWith(PRIVATE);

describe("field case 8: an engine that cannot be observed", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = new Stage();
    await stage.converge({ replicas: 2 });
    // more to do, were it believed that there are no workers or that the engine is well
    await stage.declare({ replicas: 3, template: { environment: { QUEUE: "mail" } } });
  });
  afterAll(() => stage.close());

  it("is not there", async () => {
    const host = `unix://${join(stage.folder, "nothing.sock")}`;
    const options = { env: { DOCKER_HOST: host } };
    await expectUnknown("cannot reach the engine", options);
    const { stdout } = await stage.expectExit(1, ["status"], options);
    expect(stdout).toMatch(/\?\/2 .* Unknown/);
    const files = stage.files();
    await stage.expectExit(1, ["apply"], options);
    expect(stage.files()).toEqual(files);
  });

  it("does not listen", async () => {
    await expectUnknown("cannot reach", { env: { DOCKER_HOST: "tcp://127.0.0.1:1" } });
  });

  it.runIf(isPrivate())("hangs", async () => {
    await expectUntouched(() =>
      whileItHangs(() =>
        expectUnknown("did not answer within", { deadlineMs: 15_000 }, ["--request-timeout", "1s"]),
      ),
    );
    await expectWellAgain();
  });

  async function whileItHangs(work: () => Promise<void>): Promise<void> {
    const name = basename(dirname(testHost())).slice(PRIVATE.length);
    const engine = await findPrivateEngine(name);
    if (engine === undefined) throw new Error(`no private engine at ${testHost()}`);
    await pausePrivateEngine(engine);
    try {
      await work();
    } finally {
      resumePrivateEngine(engine);
    }
  }

  it.each<[string, FalseAnswer]>([
    ["an error", { status: 500, body: '{"message":"database is locked"}' }],
    ["a gateway's page", { status: 502, body: "<html><body>Bad Gateway</body></html>" }],
    ["a refusal", { status: 403, body: '{"message":"authorization denied by plugin"}' }],
    ["no JSON", { status: 200, body: "[{" }],
    ["an object", { status: 200, body: "{}" }],
    ["containers without an id", { status: 200, body: '[{"Names":["/a"]}]' }],
    ["half an answer", { status: 200, body: "[]", cut: true }],
  ])("answers the list with %s", async (_, answer) => {
    const host = await standBetween(async (call) => (isListing(call) ? answer : undefined));
    await expectUntouched(() => expectUnknown("error: ", { env: { DOCKER_HOST: host } }));
  });

  it("is something else than an engine", async () => {
    const host = await standBetween(async () => ({ status: 200, body: "<h1>It works!</h1>" }));
    await expectUnknown("it is no Docker engine", { env: { DOCKER_HOST: host } });
  });

  it("tells of none of its containers", async () => {
    const error = { status: 500, body: '{"message":"layer not found"}' };
    const isInspect = (call: string) => /^GET \S*\/containers\/[0-9a-f]{64}\/json/.test(call);
    const host = await standBetween(async (call) => (isInspect(call) ? error : undefined));
    await expectUntouched(() => expectUnknown("layer not found", { env: { DOCKER_HOST: host } }));
    await expectWellAgain();
  });

  /** All commands say that they do not know, and exit 1; only apply writes it down. */
  async function expectUnknown(
    words: string,
    options: Partial<CliOptions>,
    args: readonly string[] = [],
  ): Promise<void> {
    const files = stage.files();
    const plan = await stage.expectExit(1, ["plan", ...args], options);
    expect(plan.stderr).toContain(words);
    expect(plan.stdout).toBe("");
    const shown = await stage.expectExit(1, ["status", "-o", "json", ...args], options);
    expect(conditions(JSON.parse(shown.stdout))).toEqual(UNKNOWN);
    expect(stage.files()).toEqual(files);
    const apply = await stage.expectExit(1, ["apply", ...args], options);
    expect(apply.stderr).toContain(words);
    expect(apply.stdout).toBe("");
    expect(conditions(stage.status())).toEqual(UNKNOWN);
    expect(stage.status().groups[0]?.counts).toMatchObject({ observed: 2, available: 2 });
  }

  const UNKNOWN = ["Ready", "Available", "Progressing"].map(
    (type) => `${type} Unknown EngineUnreachable`,
  );

  function conditions({ groups }: StatusDocument): readonly string[] {
    return (groups[0]?.conditions ?? []).map(
      ({ type, status, reason }) => `${type} ${status} ${reason}`,
    );
  }

  async function expectUntouched(work: () => Promise<void>): Promise<void> {
    const before = await stage.workers();
    const since = await engineTime();
    await work();
    expect(await stage.workers()).toEqual(before);
    expect(await containerEvents(since, stage.label)).toEqual([]);
  }

  /** What was unknown is known again with the next look. */
  async function expectWellAgain(): Promise<void> {
    const { stdout } = await stage.expectExit(0, ["status"]);
    expect(stdout).toContain("2/3");
  }
});

describe("field case 8: an engine that comes back", () => {
  it("finds the group as it was, with nothing to do", async () => {
    const stage = openStage();
    const before = await stage.converge({ replicas: 2 });
    const env = { DOCKER_HOST: `unix://${join(stage.folder, "nothing.sock")}` };
    await stage.expectExit(1, ["apply"], { env });
    const since = await engineTime();
    const { stdout } = await stage.expectExit(0, ["apply"]);
    expect(stdout).toMatch(/^No changes\. /);
    expect(await containerEvents(since, stage.label)).toEqual([]);
    expect(await stage.workers()).toEqual(before);
    expect(stage.status().groups[0]?.conditions[0]).toMatchObject({
      ...{ type: "Ready", status: "True", reason: "Converged" },
    });
  });

  it("fails in the middle of a run: what was begun is finished by the next one", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 2 });
    await stage.declare({ replicas: 2, template: { environment: { QUEUE: "mail" } } });
    const host = await failingFrom(3);
    const { stderr } = await stage.expectExit(1, ["apply"], { env: { DOCKER_HOST: host } });
    expect(stderr).toContain("database is locked");
    expect(stage.status().groups[0]?.conditions[0]).toMatchObject({ status: "Unknown" });
    await stage.expectExit(0, ["apply"]);
    expect(await stage.workers()).toHaveLength(2);
    await stage.expectNothingToDo();
  });

  /** An engine that fails every listing from the n-th on. */
  function failingFrom(first: number): Promise<string> {
    let listings = 0;
    return standBetween(async (call) => {
      if (!isListing(call)) return undefined;
      listings += 1;
      if (listings < first) return undefined;
      return { status: 500, body: '{"message":"database is locked"}' };
    });
  }
});

describe("field case 8: an engine that was never seen", () => {
  it("leaves no file behind and claims nothing about the workers", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 2 });
    const files = stage.files();
    const env = { DOCKER_HOST: `unix://${emptyFolder()}/nothing.sock` };
    for (const command of ["plan", "apply", "status"])
      await stage.expectExit(1, [command], { env });
    const { stdout } = await stage.expectExit(1, ["status"], { env });
    expect(stdout).toMatch(new RegExp(`^${stage.group} .*\\?/2 .* Unknown`, "m"));
    expect(stage.files()).toEqual(files);
  });

  function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), "wgctl-e2e-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  }
});
