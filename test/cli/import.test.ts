// `wgctl import` on real files: what is printed where, what is written, and what is never overwritten.

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";
import { runOnTerminal } from "../support/terminal.ts";

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const COMPOSE = `name: shop
services:
  jobs:
    image: app:1
    stop_grace_period: 10s
    env_file: jobs.env
    depends_on: [db]
  mail:
    build: .
    stop_grace_period: 10s
  db:
    image: postgres:16
`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wgctl-import-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const shop = () => folderWith({ "compose.yaml": COMPOSE, "jobs.env": "A=1\n" });

/** Runs wgctl and holds it to an exit code; UIDs become UID. */
async function expectExit(code: number, cwd: string, ...args: string[]): Promise<CliResult> {
  const result = await runCli(args, { cwd });
  expect(result.code, `${result.stdout}${result.stderr}`).toBe(code);
  return { ...result, stdout: result.stdout.replaceAll(UID, "UID") };
}

const JOBS = (env: string) => `# Made by \`wgctl import\` from the service jobs in compose.yaml.
# depends_on: left out; the worker itself has to wait for db, or try again
apiVersion: wgctl.dev/v1
kind: WorkerGroup
metadata:
  name: jobs
  uid: UID # never changes: workers are recognised by it
spec:
  replicas: 1
  template:
    image: app:1
    stop_grace_period: 10s
    env_file: ${env}
    # Compose's default network; the alias is the service's name there
    networks:
      shop_default: {aliases: [jobs]}
`;

it("prints the manifest, and on standard error what it changed", async () => {
  const cwd = await shop();
  const { stdout, stderr } = await expectExit(
    0,
    cwd,
    "import",
    "compose.yaml",
    "--service",
    "jobs",
  );
  expect(stdout).toBe(JOBS("jobs.env"));
  expect(stderr).toContain("jobs, from the service jobs:\n  - networks: Compose's default network");
  expect(stderr).toContain(
    "  - there is no wgctl.yaml here or above it: `wgctl init` writes one\n",
  );
});

it("says nothing on standard error with --quiet, and takes a folder for its compose file", async () => {
  const cwd = await shop();
  const result = await expectExit(0, cwd, "import", ".", "--service", "jobs", "-q");
  expect(result.stdout).toBe(JOBS("jobs.env"));
  expect(result.stderr).toBe("");
});

it("writes a file for each group, seen from its folder, and the result validates", async () => {
  const cwd = await shop();
  await expectExit(0, cwd, "init");
  await rm(join(cwd, "groups/example.yaml"));
  const images = ["--image", "mail=registry.example/mail:2"];
  const { stdout } = await expectExit(
    0,
    cwd,
    "import",
    "compose.yaml",
    "--out",
    "groups",
    ...images,
  );
  expect(stdout).toBe("wrote groups/jobs.yaml\nwrote groups/mail.yaml\n");
  const text = (await readFile(join(cwd, "groups/jobs.yaml"), "utf8")).replaceAll(UID, "UID");
  expect(text).toBe(`# yaml-language-server: $schema=../wgctl.schema.json\n${JOBS("../jobs.env")}`);
  const validated = await expectExit(0, cwd, "validate");
  expect(validated.stdout).toBe("2 groups are valid.\n");
});

it("overwrites nothing, and then writes nothing at all", async () => {
  const cwd = await folderWith({ "compose.yaml": COMPOSE, "groups/mail.yaml": "mine\n" });
  const images = ["--image", "mail=m"];
  const { stderr } = await expectExit(
    3,
    cwd,
    "import",
    "compose.yaml",
    "--out",
    "groups",
    ...images,
  );
  expect(stderr).toContain("error: groups/mail.yaml exists already\n  import never overwrites");
  expect(existsSync(join(cwd, "groups/jobs.yaml"))).toBe(false);
  expect(await readFile(join(cwd, "groups/mail.yaml"), "utf8")).toBe("mine\n");
});

it("imports what it can without an image, and exits 3 saying how to give one", async () => {
  const { stdout, stderr } = await expectExit(3, await shop(), "import", "compose.yaml");
  expect(stdout).toBe(JOBS("jobs.env"));
  expect(stderr).toContain(
    "compose.yaml:9:5: error: mail is built here, and a manifest needs an image",
  );
  expect(stderr).toContain("build and push it, and give --image mail=REFERENCE");
});

it("asks a person for an image until it is one; no answer leaves the service out", async () => {
  const cwd = await shop();
  const args = ["import", "compose.yaml", "--service", "mail"];
  const question = "which Compose builds";
  const given = await runOnTerminal(args, ["NO IMAGE\n", "mail:2\n"], cwd, "", question);
  expect(given.code, given.screen).toBe(0);
  expect(given.screen).toContain("image: mail:2");
  const none = await runOnTerminal(args, ["\n"], cwd, "", question);
  expect(none.code, none.screen).toBe(3);
});

it("writes nothing of a compose file with an error in it", async () => {
  const cwd = await folderWith({ "compose.yaml": `${COMPOSE}    comand: x\n` });
  const { stdout, stderr } = await expectExit(3, cwd, "import", "compose.yaml", "--out", "groups");
  expect(stdout).toBe("");
  expect(stderr).toContain('compose.yaml:13:5: error: Compose knows no field "comand" here');
  expect(existsSync(join(cwd, "groups"))).toBe(false);
});

it.each([
  [["import"], /missing required argument 'composefile'/],
  [["import", "none.yaml"], /none\.yaml:1:1: error: no such file or folder/],
  [["import", "compose.yaml", "--service", ""], /It is empty/],
  [
    ["import", "compose.yaml", "--service", "job"],
    /there is no service "job"[\s\S]*did you mean "jobs"/,
  ],
  [["import", "compose.yaml", "--image", "mail"], /--image "mail" names no image of a service/],
  [["import", "compose.yaml", "--image", "mail=A B"], /names no image of a service/],
  [["import", "compose.yaml", "--image", "nobody=a"], /there is no service "nobody"/],
  [["import", "compose.yaml", "--project-name", "A B"], /cannot be the name of a Compose project/],
  [["import", "only-db.yaml"], /no service looks like a worker: db\n {2}name those that are/],
])("wgctl %j exits 3 and prints no manifest", async (args, message) => {
  const cwd = await folderWith({
    "compose.yaml": COMPOSE,
    "only-db.yaml": "services: {db: {image: a, profiles: [p]}}\n",
  });
  const { stdout, stderr } = await expectExit(3, cwd, ...args);
  expect(stdout).toBe("");
  expect(stderr).toMatch(message);
});
