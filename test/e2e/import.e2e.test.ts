// The samples on a real engine: imported, applied until they run, and applied again, which does nothing. Images of
// their names stand in for those that nobody has, with programs of their names that do nothing but wait.

import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { callApi, callJson } from "../../scripts/lib/docker-api.mjs";
import { ROOT } from "../../scripts/lib/process.mjs";
import { loadWorkerImage } from "../../scripts/lib/worker-image.mjs";
import { cleanup, engineTime, eventsSince, listContainers, testHost } from "../support/engine.ts";
import { openStage, type Stage } from "./stage.ts";

const SAMPLES = join(ROOT, "fixtures/compose/samples");

/** What the samples run, and what their health checks ask. */
const WAITING = [
  ...["bin/bundle", "bin/yarn", "bin/run", "opt/bin/entry.sh", "opt/ipam/venv/bin/python"],
];
const ANSWERING = ["bin/celery", "bin/python3", "bin/pgrep", "bin/curl"];

const script = (path: string, text: string) => ({
  path,
  mode: 0o755,
  content: Buffer.from(`#!/bin/sh\n${text}\n`),
});

const PROGRAMS = [
  // Within the same shell, so that their arguments can be seen.
  ...WAITING.map((path) => script(path, ". /bin/worker")),
  ...ANSWERING.map((path) => script(path, "exit 0")),
  script("bin/bash", 'exec sh "$@"'),
  {
    path: "etc/passwd",
    mode: 0o644,
    content: Buffer.from("root:x:0:0::/:/bin/sh\nunit:x:999:999::/:/bin/sh\n"),
  },
  { path: "etc/group", mode: 0o644, content: Buffer.from("root:x:0:\nunit:x:999:\n") },
];

const IMAGES = [
  ...["registry.example.test/helpdesk/app:2.8.1", "quay.example.test/bi/server:latest-dev"],
  ...["docker.example.test/ipam/ipam:v4.2-3.1", "errortrack-local:latest", "pipelines/ci:latest"],
  ...["ghcr.io/acme-ci/runner:latest", "grid/browser-node:1.54", "grid/chrome:125"],
  ...["album-php:latest", "crmlite/server:latest"],
];

/** What the runner of sample 06 asks for is more than a small engine has. */
const MODEST = "CI_REPLICAS=2\nCI_CPUS=0.5\nCI_CPUS_MIN=0.05\nCI_MEM=64M\nCI_MEM_MIN=16M\n";

/** What an engine in a container may not do, or busybox cannot: sample, text, and what stands in for it. */
const replacements = (folder: string) =>
  [
    ["04-rq-inherits-web", "ps -aux", "ps"],
    ["06-ci-runner-ephemeral-replicas", "/srv/ci/cache", join(folder, "cache")],
    ["08-ci-worker-privileged-signal", "privileged: true", "privileged: false"],
    ["10-browser-nodes-port-per-copy", "65535", "1024"],
  ] as const;

/** The samples beside a project, with the programs that they mount from their own folder. */
async function openSamples(): Promise<Stage> {
  const stage = openStage();
  onTestFinished(() => clear(stage));
  const folder = join(stage.folder, "compose");
  await cp(SAMPLES, folder, { recursive: true });
  for (const path of ["docker/boot.sh", "errortrack/entrypoint.sh"]) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), "#!/bin/sh\nexec worker\n", { mode: 0o755 });
  }
  for (const [sample, text, other] of replacements(stage.folder)) {
    const path = join(folder, `${sample}.yaml`);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(text, other));
  }
  await stage.write("compose/more.env", MODEST);
  await stage.write("compose/.env.local", "");
  await stage.write("wgctl.yaml", {
    ...{ apiVersion: "wgctl.dev/v1", kind: "Project" },
    metadata: { name: "post", uid: stage.projectUid },
    spec: { manifests: ["groups/"] },
  });
  for (const image of IMAGES) await loadWorkerImage(testHost(), image, image, PROGRAMS);
  return stage;
}

async function clear(stage: Stage): Promise<void> {
  await cleanup(`dev.wgctl.project=${stage.projectUid}`);
  for (const kind of ["networks", "volumes"] as const)
    for (const name of await namesOf(kind, stage))
      await callApi(testHost(), "DELETE", `/${kind}/${name}`);
}

async function namesOf(kind: "networks" | "volumes", stage: Stage): Promise<readonly string[]> {
  const answer = await callJson(testHost(), "GET", `/${kind}`);
  const all: readonly { Name: string }[] = kind === "networks" ? answer : answer.Volumes;
  return all.map(({ Name }) => Name).filter((name) => name.startsWith(stage.run));
}

/** Imports a sample as a project of its own to Compose, and makes the networks that it would. */
async function importSample(stage: Stage, sample: string): Promise<void> {
  const project = `${stage.run}-${sample.slice(0, 2)}`;
  const args = ["--out", `groups/${sample.slice(0, 2)}`, "--project-name", project];
  await stage.expectExit(0, ["import", `compose/${sample}`, ...args]);
  for (const network of ["default", "album"])
    await callJson(testHost(), "POST", "/networks/create", {
      body: { Name: `${project}_${network}`, CheckDuplicate: true },
    });
}

const VARIABLES = [
  ...["--env-file", "compose/samples.env", "--env-file", "compose/more.env"],
  ...["--env", "SECRET_KEY", "--env", "MAIL_HOST"],
];

/** Two samples have a group `worker`, so they are no project together. */
it.each([
  ["all samples but one", (sample: string) => !sample.startsWith("08"), 15],
  ["the other one", (sample: string) => sample.startsWith("08"), 1],
])(
  "%s: applied after an import they run, and a second apply does nothing",
  async (_, isMeant, workers) => {
    const stage = await openSamples();
    const samples = (await readdir(SAMPLES))
      .filter((name) => name.endsWith(".yaml"))
      .filter(isMeant);
    for (const sample of samples) await importSample(stage, sample);
    const env = { SECRET_KEY: "key", MAIL_HOST: "mail" };
    await stage.expectExit(0, ["validate", ...VARIABLES], { env });
    await stage.expectExit(0, ["apply", "--timeout", "180s", ...VARIABLES], { env });
    const label = `dev.wgctl.project=${stage.projectUid}`;
    const running = await listContainers(label);
    expect(running.map(({ state }) => state)).toEqual(Array(workers).fill("running"));
    const [files, since] = [stage.files(), await engineTime()];
    await stage.expectExit(0, ["apply", ...VARIABLES], { env });
    await stage.expectExit(0, ["plan", "--detailed-exitcode", ...VARIABLES], { env });
    expect(await eventsSince(since, label)).toEqual([]);
    expect(stage.files()).toEqual(files);
    expect(await listContainers(label)).toEqual(running);
  },
  300_000,
);
