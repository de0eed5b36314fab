// What manifests mean to a real engine, and what the built CLI says of those that are wrong. Field cases 9 and 10.

import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engineTime, eventsSince, RUN_LABEL } from "../support/engine.ts";
import { TEST_IMAGE } from "../support/image.ts";
import { type Inspected, inspect } from "./inspected.ts";
import { idsOf, openStage, type Stage } from "./stage.ts";

/** What machines get of a problem. */
type ProblemDocument = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
  readonly frame?: string;
};

async function problemsOf(stage: Stage): Promise<readonly ProblemDocument[]> {
  const { stdout } = await stage.expectExit(3, ["validate", "-o", "json"]);
  return JSON.parse(stdout).problems;
}

/** Holds a stage with workers to this: every command refuses, and neither a file nor a container changes. */
async function expectUntouched(stage: Stage, words: readonly (string | RegExp)[]): Promise<void> {
  const [since, files, workers] = [await engineTime(), stage.files(), await stage.workers()];
  for (const args of [
    ["validate"],
    ["plan"],
    ["apply"],
    ["status"],
    ["apply", "--prune", "--yes"],
  ]) {
    const { stdout, stderr } = await stage.expectExit(3, args);
    for (const word of words) expect(stdout + stderr, args.join(" ")).toMatch(word);
  }
  expect(stage.files()).toEqual(files);
  expect(await eventsSince(since, stage.label)).toEqual([]);
  expect(await stage.workers()).toEqual(workers);
}

const manifestText = (stage: Stage, name: string, spec: string, uid: string = randomUUID()) =>
  [
    "apiVersion: wgctl.dev/v1",
    "kind: WorkerGroup",
    `metadata: {name: ${name}-${stage.run}, uid: ${uid}}`,
    "spec:",
    "  replicas: 1",
    "  template:",
    `    image: ${TEST_IMAGE}`,
    `    labels: {${RUN_LABEL}: ${stage.run}}`,
    spec,
    "",
  ].join("\n");

describe("field case 10: one run reports every mistake in its place", () => {
  it("five files with five mistakes, each with the fix, and nothing is touched", async () => {
    const stage = openStage();
    await stage.converge({ replicas: 1 });
    const twice = randomUUID();
    const file = (name: string, text: string) => stage.write(`groups/${name}.yaml`, text);
    await file("a", manifestText(stage, "a", "    environment: {TOKEN: $TOKEN}"));
    await file(
      "b",
      `x-a: &a {A: 1}\n${manifestText(stage, "b", "    environment:\n      <<: *a\n      <<: *a")}`,
    );
    await file("c", manifestText(stage, "c", "\tcommand: run"));
    await file(
      "d",
      `${manifestText(stage, "d", "", twice)}---\n${manifestText(stage, "e", "", twice)}`,
    );
    await file("e", manifestText(stage, "f", "").replace("replicas:", "replica:"));
    const found = (await problemsOf(stage)).map(({ file, line, column, hint, ...problem }) => {
      expect(hint).not.toBe(undefined);
      expect(problem.frame).toMatch(new RegExp(`^> +${line} \\|`, "m"));
      return `${file}:${line}:${column} ${problem.message}`;
    });
    expect(found).toEqual(
      FOUND.map((line) => line.replace("TWICE", twice).replace("RUN", stage.run)),
    );
    await expectUntouched(
      stage,
      FOUND.map((line) => line.split(" ")[0] ?? ""),
    );
  });

  const FOUND = [
    "groups/a.yaml:9:26 the variable TOKEN is not set",
    "groups/b.yaml:12:7 a second `<<` in one mapping",
    "groups/c.yaml:9:1 a tab in the indentation",
    "groups/d.yaml:13:36 the uid TWICE is already that of d-RUN (groups/d.yaml:3:36)",
    'groups/e.yaml:5:3 unknown field "replica"',
  ];
});

describe("a group that is invalid", () => {
  it("is left alone with a condition that says so, the others converge, exit 3", async () => {
    const stage = openStage();
    const other = { name: `other-${stage.run}`, uid: randomUUID() };
    const declareOther = (replicas: number) =>
      stage.write("groups/other.yaml", stage.manifest({ replicas }, other));
    await declareOther(1);
    const before = await stage.converge({ replicas: 2 });
    await declareOther(2);
    await stage.declare({ replicas: 3, template: { ports: ["8080:80"] } });
    const { stderr } = await stage.expectExit(3, ["apply"]);
    expect(stderr).toContain("groups/mailer.yaml:");
    expect(await stage.workers()).toEqual(before);
    expect(await stage.workers(other.uid)).toHaveLength(2);
    const [mailer, second] = stage.status().groups;
    expect(mailer?.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "False", reason: "InvalidSpec" }),
    );
    expect(mailer?.conditions).toContainEqual(
      expect.objectContaining({ type: "Stalled", status: "True", reason: "InvalidSpec" }),
    );
    expect(second?.conditions[0]).toMatchObject({ type: "Ready", reason: "Converged" });
    await stage.expectExit(3, ["apply", "--prune", "--yes"]);
    await stage.expectExit(0, ["apply", "--group", other.name]);
  });

  it.each([
    ["cannot be parsed", "spec: [\n"],
    ["has no identity that can be read", "apiVersion: wgctl.dev/v1\nkind: WorkerGroup\nspec: {}\n"],
  ])("in a file that %s stops the whole run: nothing is touched", async (_, text) => {
    const stage = openStage();
    await stage.converge({ replicas: 1 });
    await stage.declare({ replicas: 3 });
    await stage.write("groups/broken.yaml", `# wgctl.dev/v1\n${text}`);
    await expectUntouched(stage, [/groups\/broken\.yaml:\d+:\d+: error/]);
  });
});

describe("field case 9: a host port can be had once", () => {
  const template = { ports: ["18080:80"] };

  it.each([
    ["by 2 replicas", { replicas: 2, template }, /one for 2 workers/, /\{\{\.Task\.Slot\}\}/],
    [
      "while surging",
      { replicas: 1, template, rollout: { maxSurge: 1 } },
      /together with maxSurge/,
      /set maxSurge to 0/,
    ],
  ])("not %s: an error in its place, with the fix", async (_, spec, message, hint) => {
    const stage = openStage();
    await stage.declare(spec);
    const [problem, ...others] = await problemsOf(stage);
    expect(others).toEqual([]);
    const text = await readFile(join(stage.folder, "groups/mailer.yaml"), "utf8");
    const lines = text.split("\n");
    const line = lines.findIndex((each) => each.includes("18080:80")) + 1;
    const column = (lines[line - 1] ?? "").indexOf('"18080') + 1;
    expect(problem).toMatchObject({ path: "spec.template.ports[0]", line, column });
    expect(problem?.message).toMatch(message);
    expect(problem?.hint).toMatch(hint);
    await stage.expectExit(3, ["apply"]);
    expect(await stage.workers()).toEqual([]);
  });

  it.each([
    ["the slot in the port", "1808{{.Task.Slot}}:80", ["18081", "18082"]],
    ["a range", "18090-18099:80", ["18090", "18091"]],
  ])("with %s every worker has its own, a rollout too", async (_, port, expected) => {
    const stage = openStage();
    for (const restartNonce of ["", "again"]) {
      const workers = await stage.converge({
        replicas: 2,
        template: { ports: [port] },
        restartNonce,
      });
      const hosts = await Promise.all(workers.map(async ({ id }) => hostPorts(await inspect(id))));
      expect(hosts).toEqual(
        expected.map((host) => ({ "80/tcp": [{ HostIp: "", HostPort: host }] })),
      );
    }
  });

  const hostPorts = (inspected: Inspected) => inspected.HostConfig.PortBindings;
});

describe("variables", () => {
  const variable = (name: string) => `\${${name}}`;

  it("a plan lists those it rests on, and the shell is asked only for what is named", async () => {
    const stage = openStage();
    const template = { environment: { A: variable("FROM_FILE"), B: variable("FROM_SHELL") } };
    await stage.declare({ replicas: 1, template });
    await stage.write(".env", "FROM_FILE=1\nUNUSED=2\nFROM_SHELL=3\n");
    const env = { FROM_FILE: "shell", FROM_SHELL: "shell" };
    const listed = async (...args: string[]) =>
      (await stage.expectExit(0, ["plan", ...args], { env })).stdout.split("\n")[0];
    expect(await listed()).toBe("variables: FROM_FILE, FROM_SHELL");
    expect(await listed("--env", "FROM_SHELL")).toBe("variables: FROM_FILE, FROM_SHELL (shell)");
    await rm(join(stage.folder, ".env"));
    const { stderr } = await stage.expectExit(3, ["plan", "--env", "FROM_SHELL"], { env });
    expect(stderr).toContain("the shell has it: allow it with --env FROM_FILE");
  });

  it("a hand run with another shell rolls nothing", async () => {
    const stage = openStage();
    await stage.write(".env", "TAG=one\n");
    const before = await stage.converge({
      replicas: 1,
      template: { environment: { A: variable("TAG") } },
    });
    await stage.expectExit(0, ["apply"], { env: { TAG: "two" } });
    expect(idsOf(await stage.workers())).toEqual(idsOf(before));
    await stage.expectExit(2, ["plan", "--detailed-exitcode", "--env", "TAG"], {
      env: { TAG: "two" },
    });
  });
});
