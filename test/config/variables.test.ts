// Where a manifest's variables come from, what an unset one is told, and which are reported as used.

import { expect, test } from "vitest";
import type { LoadRequest } from "../../src/config/load.ts";
import type { DesiredGroup, Project } from "../../src/core/model.ts";
import { revealTemplate } from "../../src/core/seal.ts";
import type { Template } from "../../src/core/template.ts";
import { folderWith, loadIn, manifest, someUid } from "./manifests.ts";
import { problemsText } from "./problem-text.ts";

function open(group: DesiredGroup | undefined): Template | undefined {
  return group?.kind === "valid" ? revealTemplate(group.spec.template, group.secrets) : undefined;
}

const text = manifest('command: ["$A", "$B"]');

async function load(files: Readonly<Record<string, string>>, request: Partial<LoadRequest> = {}) {
  const cwd = folderWith({ "groups/a.yaml": text, ...files });
  const loaded = await loadIn(cwd, request);
  const [group] = loaded.groups;
  return { ...loaded, command: open(group)?.command, text: problemsText(loaded.problems), cwd };
}

test(".env beside the project is read", async () => {
  const { command, variables } = await load({ ".env": `A=1\nB="\${A}2"\n`, "groups/.env": "A=9" });
  expect(command).toEqual(["1", "12"]);
  expect(variables).toEqual([
    { name: "A", from: "file" },
    { name: "B", from: "file" },
  ]);
});

test("the project's folder counts, not the working directory", async () => {
  const root = folderWith({ ".env": "A=1\nB=2" });
  const project: Project = {
    name: "p",
    uid: someUid,
    root,
    manifests: [],
    context: undefined,
    actionsPerPass: 1,
    env: [],
    prune: false,
  };
  const { command } = await load({ ".env": "A=9" }, { project, files: ["groups"] });
  expect(command).toEqual(["1", "2"]);
});

test("--env-file replaces .env, and the later of two wins", async () => {
  const variables = { envFiles: ["x.env", "y.env"], shell: {}, names: [] };
  const files = { ".env": "A=9\nB=9", "x.env": "A=1\nB=1", "y.env": "B=2" };
  expect((await load(files, { variables })).command).toEqual(["1", "2"]);
});

test("the shell is asked only for what is named, and then wins", async () => {
  const variables = { envFiles: [], shell: { A: "shell", B: "shell" }, names: ["B"] };
  const loaded = await load({ ".env": "A=file\nB=file" }, { variables });
  expect(loaded.command).toEqual(["file", "shell"]);
  expect(loaded.variables).toEqual([
    { name: "A", from: "file" },
    { name: "B", from: "shell" },
  ]);
});

test("the project names variables of the shell too", async () => {
  const root = folderWith({ "a.yaml": text });
  const project: Project = {
    name: "p",
    uid: someUid,
    root,
    manifests: [root],
    context: undefined,
    actionsPerPass: 1,
    env: ["A"],
    prune: false,
  };
  const variables = { envFiles: [], shell: { A: "1", B: "2" }, names: ["B"] };
  const { groups } = await loadIn(root, { project, variables });
  expect(open(groups[0])?.command).toEqual(["1", "2"]);
});

test("an unset variable is an error at its place, with the way out", async () => {
  const variables = { envFiles: [], shell: { B: "secret" }, names: [] };
  const loaded = await load({}, { variables });
  expect(loaded.groups).toMatchObject([{ kind: "invalid" }]);
  expect(loaded.complete).toBe(true);
  expect(loaded.text).toMatch(
    /groups\/a.yaml:10:16 error spec.template.command\[0\]: the variable A is not set/,
  );
  expect(loaded.text).toMatch(/set it in \.env/);
  expect(loaded.text).toMatch(/the shell has it: allow it with --env B, or with spec.env: \[B\]/);
  expect(loaded.text).not.toContain("secret");
});

test.each([
  ["a missing --env-file", {}, ["none.env"], "none.env:1:1 error no such file or folder"],
  ["a wrong .env", { ".env": "A=1\nB='x" }, [], ".env:2:1 error a quote (') that is never closed"],
])("%s stops the run", async (_, files, envFiles, message) => {
  const loaded = await load(files, {
    variables: { envFiles, shell: { A: "1", B: "2" }, names: ["A", "B"] },
  });
  expect(loaded.complete).toBe(false);
  expect(loaded.text).toContain(message);
});

const envs = {
  envFiles: [],
  shell: { N: "3", EMPTY: "", YES: "true" },
  names: ["N", "EMPTY", "YES"],
};

test("numbers, booleans and short forms may come from variables; an empty one leaves a field unset", async () => {
  const spec = "replicas: $N\nrollout: {maxUnavailable: $N, paused: '$YES'}";
  const template = [
    "image: a:$N",
    "mem_limit: $EMPTY",
    "cpus: $N",
    'volumes: ["/a$N:/b"]',
    "environment: {A: $EMPTY, B: x$$N}",
    "labels: [a=$N]",
    "command: [a, $EMPTY]",
    `healthcheck: {retries: $N, interval: "\${N}s"}`,
  ].join("\n");
  const cwd = folderWith({ "a.yaml": manifest(template, { spec }) });
  const { groups, problems } = await loadIn(cwd, { variables: envs });
  expect(problemsText(problems)).toBe("");
  expect(groups).toMatchObject([
    {
      spec: { replicas: 3, rollout: { maxUnavailable: { kind: "count", count: 3 }, paused: true } },
    },
  ]);
  expect(open(groups[0])).toEqual({
    image: "a:3",
    cpus: 3,
    volumes: [{ type: "bind", source: "/a3", target: "/b" }],
    environment: { A: "", B: "x$N" },
    labels: { a: "3" },
    command: ["a", ""],
    healthcheck: { retries: 3, interval: 3 },
  });
});

test("what variables make of fields that are not sensitive stays readable", async () => {
  const template = [
    'devices: ["/dev/tty$N:/dev/tty"]',
    'gpus: [{device_ids: ["$N"], options: {a: $N}}]',
    "ulimits: {nofile: {soft: $N, hard: $N}}",
    "sysctls: {net.core.somaxconn: $N}",
    'extra_hosts: {a: "192.0.2.$N"}',
    "privileged: $YES",
    "ipc: $EMPTY",
  ].join("\n");
  const cwd = folderWith({ "a.yaml": manifest(template) });
  const { groups, problems } = await loadIn(cwd, { variables: envs });
  expect(problemsText(problems)).toBe("");
  expect(groups[0]).not.toHaveProperty("secrets");
  expect(groups[0]).toMatchObject({
    spec: {
      template: {
        devices: [{ source: "/dev/tty3", target: "/dev/tty" }],
        device_requests: [{ device_ids: ["3"], options: { a: "3" } }],
        ulimits: { nofile: { soft: 3, hard: 3 } },
        sysctls: { "net.core.somaxconn": "3" },
        extra_hosts: { a: ["192.0.2.3"] },
        privileged: true,
      },
    },
  });
});

test("a wrong value from a variable is shown as it is written, never as it is", async () => {
  const variables = { envFiles: [], shell: { S: "hunter2" }, names: ["S"] };
  const template = [
    "image: $S $S",
    "cpus: $S",
    'environment: ["$S"]',
    "stop_signal: $S",
    "restart: $S",
    "ports: [$S]",
    'command: "$S && x"',
    "healthcheck: {test: [$S]}",
    'labels: ["{{$S}}"]',
    'volumes: ["$S/x:/y", "a:/z:$S"]',
    "network_mode: $S",
    'devices: ["$S", "/dev/$S:b", "/dev/$S:rw"]',
    'gpus: [{count: $S, device_ids: ["a $S"]}]',
    "cap_add: [$S]",
    'security_opt: ["$S=x", "no-new-privileges=$S"]',
    "ulimits: {nofile: $S}",
    'extra_hosts: ["a:$S", "$S"]',
    "dns: $S",
    "ipc: $S",
    "pid: service:$S",
    "userns_mode: $S",
    "platform: $S $S",
    "shm_size: $S",
  ].join("\n");
  const cwd = folderWith({ "a.yaml": manifest(template, { spec: "replicas: $S" }) });
  const { problems } = await loadIn(cwd, { variables });
  expect(problems.length).toBeGreaterThan(26);
  expect(JSON.stringify(problems)).not.toContain("hunter2");
});

test("a file of variables given for a manifest is not shown", async () => {
  const cwd = folderWith({ "a.env": "A: hunter2\n\tB: 1\n", "b.env.local": "hunter2\n" });
  const { problems } = await loadIn(cwd, { files: ["a.env", "b.env.local"] });
  expect(problems.map(({ place }) => place.file)).toEqual(["a.env", "b.env.local"]);
  expect(JSON.stringify(problems)).not.toContain("hunter2");
});

test("metadata holds no variables", async () => {
  const cwd = folderWith({ "a.yaml": manifest("", { metadata: "annotations: {price: 5$}" }) });
  expect((await loadIn(cwd)).problems).toEqual([]);
});

test("every nested default of a real worker definition is filled in", async () => {
  const url = `redis://\${R_HOST:-kv}:\${R_PORT:-6379}`;
  const cwd = folderWith({ "a.yaml": manifest(`environment: {URL: "\${URL:-${url}}"}`) });
  const { groups } = await loadIn(cwd);
  expect(open(groups[0])?.environment).toEqual({ URL: "redis://kv:6379" });
});
