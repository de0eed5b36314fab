// Streams and formats: standard output carries the document that was asked for and nothing else, in colour only where
// that is wanted, and a stream that is closed or full ends nothing with noise.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../scripts/lib/process.mjs";
import { type CliResult, cliEnvironment, ensureBuilt } from "../support/cli.ts";
import { openStage, Stage } from "./stage.ts";

const ESCAPE = "\u001B";

/** One stage for everything that does not change it. */
let calm: Stage;
beforeAll(async () => {
  calm = new Stage();
  await calm.converge({ replicas: 2 });
});
afterAll(() => calm.close());

describe("standard output", () => {
  it("is the plan alone while progress and warnings go to standard error", async () => {
    const { stdout, stderr } = await calm.expectExit(0, ["plan", "-o", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, kind: "Plan", actions: [] });
    expect(stderr).toBe("");
  });

  it("is the same document as YAML", async () => {
    const json = await calm.expectExit(0, ["status", "-o", "json"]);
    const yaml = await calm.expectExit(0, ["status", "-o", "yaml"]);
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
  });

  it("is wider with -o wide: workers and conditions", async () => {
    const [worker] = await calm.workers();
    const text = await calm.expectExit(0, ["status"]);
    const wide = await calm.expectExit(0, ["status", "-o", "wide"]);
    expect(text.stdout).not.toContain(worker?.name);
    expect(wide.stdout).toContain(worker?.name);
    expect(wide.stdout).toContain("MinimumReplicasAvailable");
  });

  it("of apply is one line about the end, and progress is not in it", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    const { stdout, stderr } = await stage.expectExit(0, ["apply"]);
    expect(stdout).toBe("Converged: 1 worker in 1 group, 2 actions in 1 pass.\n");
    expect(stderr).toContain("created");
    expect(stderr).toContain("started");
  });

  it("of apply -o json is one event a line, the result last", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    const { stdout, stderr } = await stage.expectExit(0, ["apply", "-o", "json"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.slice(0, 2).map(({ event }) => event)).toEqual([
      "pass-planned",
      "action-started",
    ]);
    expect(events.at(-1)).toMatchObject({
      event: "result",
      exitCode: 0,
      ending: "settled",
      converged: true,
      actionsDone: 2,
    });
    expect(stderr).toBe("");
  });

  it("of apply -o json ends in a result where the run came to nothing, too", async () => {
    const env = { DOCKER_HOST: "unix:///nonexistent/docker.sock" };
    const { stdout, stderr } = await calm.expectExit(1, ["apply", "-o", "json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      event: "result",
      exitCode: 1,
      trouble: { code: "engine-unreachable" },
    });
    expect(stderr).toContain("cannot reach the engine");
  });
});

describe("standard error", () => {
  it("is silent with -q but for what went wrong, and tells more with -v", async () => {
    const stage = openStage();
    await stage.declare({ replicas: 1 });
    expect((await stage.expectExit(0, ["apply", "-q"])).stderr).toBe("");
    await stage.declare({ replicas: 2 });
    expect((await stage.expectExit(0, ["apply", "-v"])).stderr).toContain("pass 1: 2 actions");
    expect((await stage.expectExit(3, ["apply", "-q", "--group", "none"])).stderr).toContain(
      "no group none",
    );
  });
});

describe("colour", () => {
  it.each<[string, readonly string[], Record<string, string>, boolean]>([
    ["a pipe has none", [], { TERM: "xterm" }, false],
    ["FORCE_COLOR brings it to a pipe", [], { FORCE_COLOR: "1" }, true],
    ["NO_COLOR is stronger", [], { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    ["an empty NO_COLOR says nothing", [], { FORCE_COLOR: "1", NO_COLOR: "" }, true],
    ["--color is the strongest: always", ["--color", "always"], { NO_COLOR: "1" }, true],
    ["--color is the strongest: never", ["--color", "never"], { FORCE_COLOR: "1" }, false],
  ])("%s", async (_, args, env, isColoured) => {
    const { stdout } = await calm.expectExit(0, ["status", ...args], { env });
    expect(stdout.includes(ESCAPE)).toBe(isColoured);
  });

  it("is never in what machines read", async () => {
    const args = ["status", "--color", "always", "-o"];
    expect((await calm.expectExit(0, [...args, "json"])).stdout).not.toContain(ESCAPE);
    expect((await calm.expectExit(0, [...args, "yaml"])).stdout).not.toContain(ESCAPE);
  });
});

describe("a stream that is lost", () => {
  it.each([
    ["plan", "plan | true"],
    ["status as JSON", "status -o json | true"],
    ["apply", "apply </dev/null | true"],
    ["help", "help apply | true"],
    ["progress", "apply </dev/null 2>&1 | true"],
    ["plan with a closed standard output", "plan >&-"],
    ["plan with a closed standard error", "plan 2>&-"],
  ])("%s ends quietly and with its own code", async (_, line) => {
    const { code, stderr } = await inShell(line);
    expect(code, stderr).toBe(0);
    expect(stderr).toBe("");
  });

  it.each(["plan", "status -o yaml", "apply -o json </dev/null", "validate"])(
    "%s says that a full disk took its document",
    async (line) => {
      const { code, stderr } = await inShell(`${line} >/dev/full`);
      expect(code).toBe(1);
      expect(stderr).toBe("error: cannot write to standard output: ENOSPC\n");
    },
  );

  it("bad usage keeps its code when nobody hears of it", async () => {
    expect((await inShell("nonsense 2>/dev/full")).code).toBe(3);
  });
});

/** A shell's line that begins with `wgctl`; its code is that of wgctl, not of what reads from it. */
async function inShell(line: string): Promise<Pick<CliResult, "code" | "stderr">> {
  await ensureBuilt();
  const child = spawn("bash", ["-o", "pipefail", "-c", `"$NODE" "$WGCTL" ${line}`], {
    cwd: calm.folder,
    env: {
      ...cliEnvironment(calm.folder),
      NODE: process.execPath,
      WGCTL: join(ROOT, "bin/wgctl.js"),
    },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code: code ?? 137, stderr }));
  });
}
